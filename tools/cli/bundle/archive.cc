#include "tools/cli/bundle/archive.h"

#include <archive_entry.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

constexpr int kZstdLevel = 3;  // Low: segments and snapshots are already compressed.
constexpr size_t kReadBytes = 256 << 10;

}  // namespace

std::string MakeTarHeader(absl::string_view name, uint64_t bytes, uint64_t seconds) {
  CHECK_LE(name.size(), kArchiveNameBytesMax);
  CHECK_EQ(seconds >> 33, 0u);
  std::string header(kTarBlockBytes, '\0');
  const auto put = [&header](size_t at, absl::string_view text) {
    header.replace(at, text.size(), text.data(), text.size());
  };
  put(0, name);
  put(100, "0000644");  // The mode; then user and group.
  put(108, "0000000");
  put(116, "0000000");
  if (bytes >> 33 == 0) {
    put(124, absl::StrFormat("%011o", bytes));
  } else {
    // Sizes from 8 GiB do not fit eleven octal digits: GNU writes them in binary, big-endian, after
    // a set top bit.
    header[124] = static_cast<char>(0x80);
    for (size_t i = 0; i < 8; ++i) header[135 - i] = static_cast<char>(bytes >> (8 * i) & 0xff);
  }
  put(136, absl::StrFormat("%011o", seconds));
  header[156] = '0';
  put(257, "ustar");
  put(263, "00");
  // The checksum counts its own field as blanks.
  put(148, "        ");
  unsigned sum = 0;
  for (const char byte : header) sum += static_cast<unsigned char>(byte);
  put(148, absl::StrFormat("%06o", sum));
  header[154] = '\0';
  return header;
}

// ---- Writing

absl::StatusOr<std::unique_ptr<ArchiveWriter>> ArchiveWriter::Create(const std::string& path,
                                                                     bool replace,
                                                                     uint64_t seconds) {
  ASSIGN_OR_RETURN(std::unique_ptr<Output> output, Output::Create(path, replace));
  return std::make_unique<ArchiveWriter>(std::move(output), seconds);
}

ArchiveWriter::ArchiveWriter(std::unique_ptr<Output> output, uint64_t seconds)
    : output_(std::move(output)),
      seconds_(seconds),
      zstd_(ZSTD_createCCtx(), ZSTD_freeCCtx),
      compressed_(ZSTD_CStreamOutSize()) {
  CHECK(zstd_ != nullptr);
  CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_compressionLevel, kZstdLevel)));
  CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_checksumFlag, 1)));
}

void ArchiveWriter::Compress(engine::Bytes bytes, bool is_last) {
  ZSTD_inBuffer input = {.src = bytes.data(), .size = bytes.size(), .pos = 0};
  size_t remaining = 0;
  do {
    ZSTD_outBuffer output = {.dst = compressed_.data(), .size = compressed_.size(), .pos = 0};
    remaining =
        ZSTD_compressStream2(zstd_.get(), &output, &input, is_last ? ZSTD_e_end : ZSTD_e_continue);
    CHECK(!ZSTD_isError(remaining)) << ZSTD_getErrorName(remaining);
    output_->Write({compressed_.data(), output.pos});
  } while (input.pos < input.size || (is_last && remaining > 0));
}

void ArchiveWriter::Begin(absl::string_view name, uint64_t bytes) {
  CHECK_EQ(left_, 0u);
  CHECK_LE(name.size(), kArchiveNameBytesMax);
  Compress(engine::AsBytes(MakeTarHeader(name, bytes, seconds_)), /*is_last=*/false);
  left_ = bytes;
  padding_ = (kTarBlockBytes - bytes % kTarBlockBytes) % kTarBlockBytes;
}

void ArchiveWriter::Write(engine::Bytes bytes) {
  CHECK_LE(bytes.size(), left_);
  Compress(bytes, /*is_last=*/false);
  left_ -= bytes.size();
  if (left_ > 0) return;
  static constexpr std::array<std::byte, kTarBlockBytes> kZeros = {};
  Compress(std::span(kZeros).first(padding_), /*is_last=*/false);
  padding_ = 0;
}

absl::Status ArchiveWriter::Finish() {
  CHECK_EQ(left_, 0u);
  static constexpr std::array<std::byte, 2 * kTarBlockBytes> kEnd = {};
  Compress(kEnd, /*is_last=*/true);
  return output_->Finish();
}

// ---- Reading

absl::StatusOr<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(const std::string& path) {
  std::error_code error;
  const uint64_t bytes = std::filesystem::file_size(path, error);
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is a folder; expected a bundle, which is a file"));
  }
  if (error) return absl::NotFoundError(absl::StrCat(path, ": ", error.message()));
  auto reader = std::make_unique<ArchiveReader>(path, bytes);
  // Enables only these two: libarchive's other formats and filters stay unreachable.
  archive_read_support_filter_zstd(reader->reader_.get());
  archive_read_support_format_tar(reader->reader_.get());
  if (archive_read_open_filename(reader->reader_.get(), path.c_str(), kReadBytes) != ARCHIVE_OK) {
    return reader->Damaged("no tar compressed with zstd");
  }
  return reader;
}

ArchiveReader::ArchiveReader(std::string path, uint64_t bytes)
    : path_(std::move(path)), bytes_(bytes), reader_(archive_read_new(), archive_read_free) {
  CHECK(reader_ != nullptr);
}

absl::Status ArchiveReader::Damaged(absl::string_view what) const {
  const char* const why = archive_error_string(reader_.get());
  return absl::DataLossError(
      absl::StrCat(path_, ": ", what, why == nullptr ? "" : ": ", why == nullptr ? "" : why));
}

absl::StatusOr<std::optional<ArchiveEntry>> ArchiveReader::Next() {
  archive_entry* entry = nullptr;  // Owned by `reader_`.
  const int result = archive_read_next_header(reader_.get(), &entry);
  if (result == ARCHIVE_EOF) return std::nullopt;
  if (result != ARCHIVE_OK) return Damaged("expected a tar compressed with zstd");
  const char* const name = archive_entry_pathname(entry);
  if (name == nullptr) return Damaged("a file without a name");
  const bool is_plain =
      archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr &&
      archive_entry_symlink(entry) == nullptr && archive_entry_sparse_count(entry) == 0;
  if (!is_plain || !archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0) {
    return Damaged(absl::StrCat("'", name, "' is not a plain file, and nothing else belongs here"));
  }
  return ArchiveEntry{.name = name, .bytes = static_cast<uint64_t>(archive_entry_size(entry))};
}

absl::StatusOr<size_t> ArchiveReader::Read(engine::MutableBytes into) {
  const la_ssize_t bytes = archive_read_data(reader_.get(), into.data(), into.size());
  if (bytes < 0) return Damaged("the contents cannot be read");
  return static_cast<size_t>(bytes);
}

}  // namespace tools
