#include "tools/cli/base/files.h"

#include <fstream>
#include <iterator>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/status_macros.h"
#include "engine/messages/schema.h"
#include "replay/exchange_vocabulary.h"
#include "replay/semantics_version.h"
#include "tools/cli/base/build_id.h"
#include "tools/os/output.h"

namespace tools {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, " cannot be read"));
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

absl::Status WriteFile(const std::string& path, absl::string_view contents, bool replace) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> file, Output::Create(path, replace));
  file->Write(contents);
  return file->Finish();
}

absl::Status ErrorIn(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

journal::JournalMetadata ExchangeMetadata(const std::string& created_by) {
  return {.application = replay::kExchangeApplication,
          .build_id = BuildId(),
          .semantics_version = replay::kSemanticsVersion,
          .created_by = created_by,
          .row_schema_id = engine::CommandSchemaId(),
          .row_schema = engine::CompiledSchema()};
}

std::string ShellWord(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t'\"$`\\*?&|;<>()#!") == word.npos;
  return plain ? word : absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

}  // namespace tools
