#include "journal/format/control_file.h"

#include <cstddef>
#include <memory>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/storage/file_operations.h"

namespace journal {
namespace {

constexpr absl::string_view kHashKey = "xxh3 ";

std::string HashLine(absl::string_view text) {
  return absl::StrFormat("%s%016x\n", std::string(kHashKey), Hash64(engine::AsBytes(text)));
}

}  // namespace

absl::StatusOr<ControlFile> ControlFile::Parse(absl::string_view text, absl::string_view title) {
  if (!absl::StartsWith(text, absl::StrCat(title, "\n"))) {
    return absl::DataLossError(absl::StrCat("its first line is not '", title, "'"));
  }
  const size_t hash_at = text.rfind(absl::StrCat("\n", kHashKey));
  if (hash_at == absl::string_view::npos ||
      text.substr(hash_at + 1) != HashLine(text.substr(0, hash_at + 1))) {
    return absl::DataLossError("its last line is not the hash of those before");
  }
  ControlFile file(title);
  const absl::string_view fields = text.substr(title.size() + 1, hash_at - title.size());
  for (const absl::string_view line : absl::StrSplit(fields, '\n', absl::SkipEmpty())) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    file.fields_.emplace_back(field);
  }
  return file;
}

void ControlFile::Set(absl::string_view key, absl::string_view value) {
  CHECK(!key.empty() && !absl::StrContains(key, ' ') && !absl::StrContains(key, '\n'));
  fields_.emplace_back(key, absl::StrReplaceAll(value, {{"\n", " "}, {"\r", " "}}));
}

absl::StatusOr<std::string> ControlFile::Get(absl::string_view key) const {
  for (const auto& [name, value] : fields_) {
    if (name == key) return value;
  }
  return absl::DataLossError(absl::StrCat("it has no line '", key, "'"));
}

absl::StatusOr<uint64_t> ControlFile::GetNumber(absl::string_view key) const {
  ASSIGN_OR_RETURN(const std::string text, Get(key));
  uint64_t value = 0;
  if (engine::ParseInteger(text, value)) return value;
  return absl::DataLossError(absl::StrCat("its ", key, " is not a number but '", text, "'"));
}

absl::StatusOr<Uuid> ControlFile::GetUuid(absl::string_view key) const {
  ASSIGN_OR_RETURN(const std::string text, Get(key));
  const bool is_hex = text.find_first_not_of("0123456789abcdef") == std::string::npos;
  Uuid uuid;
  if (!is_hex || text.size() != 2 * uuid.bytes.size()) {
    return absl::DataLossError(absl::StrCat("its ", key, " is not a UUID but '", text, "'"));
  }
  const std::string bytes = absl::HexStringToBytes(text);
  for (size_t i = 0; i < uuid.bytes.size(); ++i) uuid.bytes[i] = static_cast<std::byte>(bytes[i]);
  return uuid;
}

std::string ControlFile::ToString() const {
  std::string text = absl::StrCat(title_, "\n");
  for (const auto& [key, value] : fields_) absl::StrAppend(&text, key, " ", value, "\n");
  return absl::StrCat(text, HashLine(text));
}

absl::StatusOr<ControlFile> ReadControlFile(const Directory& directory, absl::string_view name,
                                            absl::string_view title) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForRead(name));
  std::vector<std::byte> bytes(kControlFileBytesMax);
  ASSIGN_OR_RETURN(const size_t size, file->Read(0, bytes));
  absl::StatusOr<ControlFile> parsed =
      ControlFile::Parse(engine::AsText(engine::Bytes(bytes).first(size)), title);
  if (parsed.ok()) return parsed;
  return absl::Status(
      parsed.status().code(),
      absl::StrCat(directory.path(), "/", name, " is damaged: ", parsed.status().message()));
}

absl::Status WriteControlFile(Directory& directory, absl::string_view name,
                              const ControlFile& file) {
  const std::string text = file.ToString();
  if (text.size() > kControlFileBytesMax) {
    return absl::InvalidArgumentError(absl::StrCat(name, " would have ", text.size(), " bytes; ",
                                                   kControlFileBytesMax, " are allowed"));
  }
  return ReplaceFile(directory, absl::StrCat(name, ".tmp"), name,
                     [&](File& out) { return out.Write(0, engine::AsBytes(text)); })
      .status();
}

}  // namespace journal
