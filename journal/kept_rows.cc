#include "journal/kept_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/storage/file_operations.h"

namespace journal {
namespace {

constexpr char kMagic[8] = {'T', 'T', 'K', 'E', 'P', 'T', '1', '\n'};

struct KeptRowsHeader {
  char magic[8];
  Uuid journal;
  uint64_t row_count;
};
static_assert(sizeof(KeptRowsHeader) == 32);

using Hash = uint64_t;
constexpr uint64_t kBytesAround = sizeof(KeptRowsHeader) + sizeof(Hash);

bool IsInOrder(std::span<const Row> rows) {
  return std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &Row::sequence) ==
         rows.end();
}

// Returns the number of rows in a file of `file_bytes`. Called before memory is allocated for them,
// because the file's content is not trusted.
absl::StatusOr<uint64_t> CountRows(const File& file, uint64_t file_bytes, const Uuid& journal) {
  KeptRowsHeader header = {};
  ASSIGN_OR_RETURN(const size_t read, file.Read(0, std::as_writable_bytes(std::span(&header, 1))));
  if (read < sizeof(header) || std::memcmp(header.magic, kMagic, sizeof(kMagic)) != 0) {
    return absl::DataLossError("it does not begin as such a file begins");
  }
  if (header.journal != journal) {
    return absl::DataLossError(absl::StrCat("it is of the journal ", header.journal.ToString()));
  }
  if (header.row_count > kKeptRowsMax) {
    return absl::DataLossError(
        absl::StrCat("it claims ", header.row_count, " rows, expected at most ", kKeptRowsMax));
  }
  const uint64_t expected = kBytesAround + header.row_count * sizeof(Row);
  if (file_bytes != expected) {
    return absl::DataLossError(absl::StrCat("it has ", file_bytes, " bytes, expected ", expected,
                                            " for the ", header.row_count, " rows of its header"));
  }
  return header.row_count;
}

absl::StatusOr<std::vector<Row>> ReadRows(const File& file, const Uuid& journal) {
  ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
  ASSIGN_OR_RETURN(const uint64_t row_count, CountRows(file, file_bytes, journal));
  std::vector<std::byte> bytes(file_bytes);
  ASSIGN_OR_RETURN(const size_t read, file.Read(0, bytes));
  const engine::Bytes hashed = engine::Bytes(bytes).first(bytes.size() - sizeof(Hash));
  Hash hash = 0;
  std::memcpy(&hash, bytes.data() + hashed.size(), sizeof(hash));
  if (read != bytes.size() || hash != Hash64(hashed)) {
    return absl::DataLossError("its last 8 bytes are not the hash of those before");
  }
  std::vector<Row> rows(row_count);
  const engine::Bytes body = hashed.subspan(sizeof(KeptRowsHeader));
  if (!rows.empty()) std::memcpy(rows.data(), body.data(), body.size());
  if (!IsInOrder(rows)) return absl::DataLossError("its rows are not in order");
  return rows;
}

}  // namespace

absl::StatusOr<std::vector<Row>> ReadKeptRows(const Directory& directory, const Uuid& journal) {
  const absl::StatusOr<std::unique_ptr<File>> file = directory.OpenForRead(kKeptRowsFileName);
  if (absl::IsNotFound(file.status())) return std::vector<Row>();
  RETURN_IF_ERROR(file.status());
  absl::StatusOr<std::vector<Row>> rows = ReadRows(**file, journal);
  if (!absl::IsDataLoss(rows.status())) return rows;
  return absl::DataLossError(absl::StrCat(directory.path(), "/", kKeptRowsFileName,
                                          " is damaged: ", rows.status().message()));
}

absl::Status WriteKeptRows(Directory& directory, const Uuid& journal, std::span<const Row> rows) {
  CHECK(IsInOrder(rows));
  if (rows.size() > kKeptRowsMax) {
    return absl::ResourceExhaustedError(
        absl::StrCat(directory.path(), "/", kKeptRowsFileName, ": ", rows.size(),
                     " rows are to be kept, expected at most ", kKeptRowsMax));
  }
  KeptRowsHeader header = {.magic = {}, .journal = journal, .row_count = rows.size()};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  std::vector<std::byte> bytes(kBytesAround + rows.size_bytes());
  std::memcpy(bytes.data(), &header, sizeof(header));
  if (!rows.empty()) std::memcpy(bytes.data() + sizeof(header), rows.data(), rows.size_bytes());
  const size_t hashed = bytes.size() - sizeof(Hash);
  const Hash hash = Hash64(engine::Bytes(bytes).first(hashed));
  std::memcpy(bytes.data() + hashed, &hash, sizeof(hash));

  return ReplaceFile(directory, "kept.rows.tmp", kKeptRowsFileName,
                     [&](File& file) { return file.Write(0, bytes); })
      .status();
}

}  // namespace journal
