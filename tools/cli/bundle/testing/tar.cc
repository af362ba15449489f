#include "tools/cli/bundle/testing/tar.h"

#include <zstd.h>

#include <fstream>
#include <iterator>

#include "absl/strings/str_format.h"
#include "engine/base/check.h"

namespace tools {
namespace {

constexpr size_t kBlock = 512;

void Put(std::string& header, size_t at, const std::string& text) {
  header.replace(at, text.size(), text);
}

std::string Header(const TarEntry& entry) {
  std::string header(kBlock, '\0');
  Put(header, 0, entry.name.substr(0, 100));
  Put(header, 100, "0000644");
  Put(header, 108, "0000000");
  Put(header, 116, "0000000");
  const uint64_t bytes = entry.bytes.value_or(entry.contents.size());
  Put(header, 124, entry.size_field.empty() ? absl::StrFormat("%011o", bytes) : entry.size_field);
  Put(header, 136, absl::StrFormat("%011o", 0));
  Put(header, 148, "        ");
  header[156] = entry.type;
  Put(header, 157, entry.link.substr(0, 100));
  Put(header, 257,
      std::string("ustar\0"
                  "00",
                  8));
  unsigned sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  Put(header, 148, absl::StrFormat("%06o", sum) + std::string("\0 ", 2));
  return header;
}

}  // namespace

std::string MakeTar(const std::vector<TarEntry>& entries) {
  std::string tar;
  for (const TarEntry& entry : entries) {
    tar += Header(entry);
    tar += entry.contents;
    tar.resize((tar.size() + kBlock - 1) / kBlock * kBlock);
  }
  tar.resize(tar.size() + 2 * kBlock);
  return tar;
}

std::string Compressed(const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  CHECK(context != nullptr);
  CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)));
  std::string result(ZSTD_compressBound(text.size()), '\0');
  const size_t bytes =
      ZSTD_compress2(context, result.data(), result.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  CHECK(!ZSTD_isError(bytes));
  result.resize(bytes);
  return result;
}

void WriteTestFile(const std::string& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

std::string ReadTestFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace tools
