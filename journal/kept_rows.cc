#include "journal/kept_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/hash64.h"

namespace journal {
namespace {

constexpr char kTemporaryName[] = "kept.rows.tmp";
constexpr char kMagic[8] = {'T', 'T', 'K', 'E', 'P', 'T', '1', '\n'};

struct KeptRowsHeader {
  char magic[8];
  Uuid journal;
  uint64_t row_count;
};
static_assert(sizeof(KeptRowsHeader) == 32);

using Hash = uint64_t;

bool IsInOrder(std::span<const Row> rows) {
  return std::adjacent_find(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
           return a.sequence >= b.sequence;
         }) == rows.end();
}

absl::StatusOr<std::vector<Row>> Parse(engine::Bytes bytes, const Uuid& journal) {
  if (bytes.size() < sizeof(KeptRowsHeader) + sizeof(Hash) ||
      std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0) {
    return absl::DataLossError("it does not begin as such a file begins");
  }
  Hash hash = 0;
  const engine::Bytes hashed = bytes.first(bytes.size() - sizeof(hash));
  std::memcpy(&hash, bytes.data() + hashed.size(), sizeof(hash));
  if (hash != Hash64(hashed)) {
    return absl::DataLossError("its last 8 bytes are not the hash of those before");
  }
  KeptRowsHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.journal != journal) {
    return absl::DataLossError(absl::StrCat("it is of the journal ", header.journal.ToString()));
  }
  const engine::Bytes body = hashed.subspan(sizeof(header));
  if (body.size() % sizeof(Row) != 0 || body.size() / sizeof(Row) != header.row_count) {
    return absl::DataLossError(absl::StrCat("it has ", body.size(), " bytes of rows, expected ",
                                            header.row_count, " rows of ", sizeof(Row)));
  }
  std::vector<Row> rows(header.row_count);
  if (!rows.empty()) std::memcpy(rows.data(), body.data(), body.size());
  if (!IsInOrder(rows)) return absl::DataLossError("its rows are not in order");
  return rows;
}

}  // namespace

absl::StatusOr<std::vector<Row>> ReadKeptRows(const Directory& directory, const Uuid& journal) {
  const absl::StatusOr<std::unique_ptr<File>> file = directory.OpenForRead(kKeptRowsFileName);
  if (absl::IsNotFound(file.status())) return std::vector<Row>();
  RETURN_IF_ERROR(file.status());
  ASSIGN_OR_RETURN(const uint64_t file_bytes, (*file)->Size());
  std::vector<std::byte> bytes(file_bytes);
  ASSIGN_OR_RETURN(const size_t read, (*file)->Read(0, bytes));
  absl::StatusOr<std::vector<Row>> rows = Parse(engine::Bytes(bytes).first(read), journal);
  if (rows.ok()) return rows;
  return absl::Status(rows.status().code(), absl::StrCat(directory.path(), "/", kKeptRowsFileName,
                                                         " is damaged: ", rows.status().message()));
}

absl::Status WriteKeptRows(Directory& directory, const Uuid& journal, std::span<const Row> rows) {
  CHECK(IsInOrder(rows));
  KeptRowsHeader header = {.magic = {}, .journal = journal, .row_count = rows.size()};
  std::memcpy(header.magic, kMagic, sizeof(kMagic));
  std::vector<std::byte> bytes(sizeof(header) + rows.size_bytes() + sizeof(Hash));
  std::memcpy(bytes.data(), &header, sizeof(header));
  if (!rows.empty()) std::memcpy(bytes.data() + sizeof(header), rows.data(), rows.size_bytes());
  const size_t hashed = bytes.size() - sizeof(Hash);
  const Hash hash = Hash64(engine::Bytes(bytes).first(hashed));
  std::memcpy(bytes.data() + hashed, &hash, sizeof(hash));

  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  if (std::find(names.begin(), names.end(), kTemporaryName) != names.end()) {
    RETURN_IF_ERROR(directory.Remove(kTemporaryName));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<File> out, directory.Create(kTemporaryName));
  RETURN_IF_ERROR(out->Write(0, bytes));
  RETURN_IF_ERROR(out->Sync());
  RETURN_IF_ERROR(out->Close());
  RETURN_IF_ERROR(directory.Rename(kTemporaryName, kKeptRowsFileName));
  return directory.Sync();
}

}  // namespace journal
