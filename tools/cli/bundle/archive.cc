#include "tools/cli/bundle/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "tools/os/output.h"

namespace tools {

namespace {

constexpr int kZstdLevel = 3;  // Low: segments and snapshots are already compressed.
constexpr size_t kReadBytes = 256 << 10;

}  // namespace

// ---- Writing

struct ArchiveWriter::Tools {
  std::unique_ptr<Output> output;
  uint64_t seconds = 0;
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  std::vector<char> compressed = std::vector<char>(ZSTD_CStreamOutSize());

  ~Tools() { ZSTD_freeCCtx(zstd); }
};

absl::StatusOr<std::unique_ptr<ArchiveWriter>> ArchiveWriter::Create(const std::string& path,
                                                                     bool replace,
                                                                     uint64_t seconds) {
  auto tools = std::make_unique<Tools>();
  CHECK(tools->zstd != nullptr);
  CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(tools->zstd, ZSTD_c_compressionLevel, kZstdLevel)));
  CHECK(!ZSTD_isError(ZSTD_CCtx_setParameter(tools->zstd, ZSTD_c_checksumFlag, 1)));
  tools->seconds = seconds;
  ASSIGN_OR_RETURN(tools->output, Output::Create(path, replace));
  return std::make_unique<ArchiveWriter>(std::move(tools));
}

ArchiveWriter::ArchiveWriter(std::unique_ptr<Tools> tools) : tools_(std::move(tools)) {}
ArchiveWriter::~ArchiveWriter() = default;

void ArchiveWriter::Compress(engine::Bytes bytes, bool is_last) {
  ZSTD_inBuffer input = {.src = bytes.data(), .size = bytes.size(), .pos = 0};
  size_t remaining = 0;
  do {
    ZSTD_outBuffer output = {
        .dst = tools_->compressed.data(), .size = tools_->compressed.size(), .pos = 0};
    remaining =
        ZSTD_compressStream2(tools_->zstd, &output, &input, is_last ? ZSTD_e_end : ZSTD_e_continue);
    CHECK(!ZSTD_isError(remaining)) << ZSTD_getErrorName(remaining);
    tools_->output->Write({tools_->compressed.data(), output.pos});
  } while (input.pos < input.size || (is_last && remaining > 0));
}

void ArchiveWriter::Begin(absl::string_view name, uint64_t bytes) {
  CHECK_EQ(left_, 0u);
  CHECK_LE(name.size(), kArchiveNameBytesMax);
  Compress(MakeTarHeader(name, bytes, tools_->seconds), /*is_last=*/false);
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
  return tools_->output->Finish();
}

// ---- Reading

struct ArchiveReader::Tools {
  std::string path;
  uint64_t bytes = 0;
  archive* reader = archive_read_new();
  archive_entry* entry = nullptr;  // Owned by `reader`.

  ~Tools() { archive_read_free(reader); }
};

absl::StatusOr<std::unique_ptr<ArchiveReader>> ArchiveReader::Open(const std::string& path) {
  auto tools = std::make_unique<Tools>();
  CHECK(tools->reader != nullptr);
  tools->path = path;
  std::error_code error;
  tools->bytes = std::filesystem::file_size(path, error);
  if (std::error_code ignored; std::filesystem::is_directory(path, ignored)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, " is a folder; expected a bundle, which is a file"));
  }
  if (error) return absl::NotFoundError(absl::StrCat(path, ": ", error.message()));
  // Enables only these two: libarchive's other formats and filters stay unreachable.
  archive_read_support_filter_zstd(tools->reader);
  archive_read_support_format_tar(tools->reader);
  const int opened = archive_read_open_filename(tools->reader, path.c_str(), kReadBytes);
  auto reader = std::make_unique<ArchiveReader>(std::move(tools));
  if (opened != ARCHIVE_OK) return reader->Damaged("no tar compressed with zstd");
  return reader;
}

ArchiveReader::ArchiveReader(std::unique_ptr<Tools> tools) : tools_(std::move(tools)) {}
ArchiveReader::~ArchiveReader() = default;

uint64_t ArchiveReader::archive_bytes() const { return tools_->bytes; }

absl::Status ArchiveReader::Damaged(absl::string_view what) const {
  const char* why = archive_error_string(tools_->reader);
  return absl::DataLossError(absl::StrCat(tools_->path, ": ", what, why == nullptr ? "" : ": ",
                                          why == nullptr ? "" : why));
}

absl::StatusOr<std::optional<ArchiveEntry>> ArchiveReader::Next() {
  const int result = archive_read_next_header(tools_->reader, &tools_->entry);
  if (result == ARCHIVE_EOF) return std::nullopt;
  if (result != ARCHIVE_OK) return Damaged("expected a tar compressed with zstd");
  archive_entry* const entry = tools_->entry;
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
  const la_ssize_t bytes = archive_read_data(tools_->reader, into.data(), into.size());
  if (bytes < 0) return Damaged("the contents cannot be read");
  return static_cast<size_t>(bytes);
}

namespace {

// POSIX.1-1988, "ustar". Numbers are octal text.
struct UstarHeader {
  char name[100];
  char mode[8];
  char user[8];
  char group[8];
  char size[12];
  char time[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[8];
  char rest[247];
};
static_assert(sizeof(UstarHeader) == kTarBlockBytes);

template <size_t kBytes>
void PutOctal(char (&field)[kBytes], uint64_t value) {
  const std::string text = absl::StrFormat("%0*o", static_cast<int>(kBytes) - 1, value);
  CHECK_LE(text.size(), kBytes - 1);
  std::memcpy(field, text.data(), text.size());
}

}  // namespace

std::array<std::byte, kTarBlockBytes> MakeTarHeader(absl::string_view name, uint64_t bytes,
                                                    uint64_t seconds) {
  CHECK_LE(name.size(), kArchiveNameBytesMax);
  UstarHeader header = {};
  std::memcpy(header.name, name.data(), name.size());
  PutOctal(header.mode, 0644);
  PutOctal(header.user, 0);
  PutOctal(header.group, 0);
  // Sizes from 8 GiB do not fit eleven octal digits: GNU writes them in binary, big-endian, after a
  // set top bit.
  if (bytes >> 33 == 0) {
    PutOctal(header.size, bytes);
  } else {
    header.size[0] = static_cast<char>(0x80);
    for (size_t i = 0; i < 8; ++i) {
      header.size[11 - i] = static_cast<char>(bytes >> (8 * i) & 0xff);
    }
  }
  PutOctal(header.time, seconds);
  header.type = '0';
  std::memcpy(header.magic,
              "ustar\0"
              "00",
              sizeof(header.magic));
  std::memset(header.checksum, ' ', sizeof(header.checksum));
  unsigned sum = 0;
  for (const std::byte byte : std::as_bytes(std::span(&header, 1))) {
    sum += std::to_integer<unsigned>(byte);
  }
  const std::string text = absl::StrFormat("%06o", sum);
  std::memcpy(header.checksum, text.c_str(), text.size() + 1);
  return std::bit_cast<std::array<std::byte, kTarBlockBytes>>(header);
}

}  // namespace tools
