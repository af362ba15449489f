#include "tools/cli/base/files.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/status_macros.h"
#include "engine/messages/schema.h"
#include "journal/storage/posix_storage.h"
#include "replay/exchange_vocabulary.h"
#include "replay/semantics_version.h"
#include "tools/cli/base/build_id.h"
#include "tools/os/output.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

std::string PartialPath(const std::string& path) { return path + ".partial"; }

}  // namespace

// By read(), which a folder does not make throw, as the iterators of a stream do.
absl::StatusOr<std::string> ReadFile(const std::string& path, size_t bytes_max) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 14> piece;
  while (file) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<size_t>(file.gcount()));
    if (text.size() > bytes_max) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": expected at most ", bytes_max, " bytes"));
    }
  }
  if (!file.eof()) return absl::NotFoundError(absl::StrCat(path, " cannot be read"));
  return text;
}

absl::Status WriteFile(const std::string& path, absl::string_view contents, bool replace) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> file, Output::Create(path, replace));
  file->Write(contents);
  return file->Finish();
}

absl::Status ErrorIn(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

journal::JournalMetadata ExchangeMetadata(const std::string& created_by,
                                          const std::string& time_zone) {
  return {.application = replay::kExchangeApplication,
          .build_id = BuildId(),
          .semantics_version = replay::kSemanticsVersion,
          .created_by = created_by,
          .row_schema_id = engine::CommandSchemaId(),
          .row_schema = engine::CompiledSchema(),
          .time_zone = time_zone};
}

std::string ShellWord(const std::string& word) {
  const bool plain = !word.empty() && word.find_first_of(" \t'\"$`\\*?&|;<>()#!") == word.npos;
  return plain ? word : absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

absl::StatusOr<std::unique_ptr<UnfinishedFolder>> UnfinishedFolder::Create(
    const std::string& path) {
  RETURN_IF_ERROR(CheckNothingIsAt(path));
  const absl::Status made = MakeNewFolder(PartialPath(path));
  if (absl::IsAlreadyExists(made)) {
    return absl::AlreadyExistsError(absl::StrCat(
        made.message(), "; another run is writing there, or was killed: then it can be deleted"));
  }
  RETURN_IF_ERROR(made);
  auto directory = journal::OpenPosixDirectory(PartialPath(path), journal::DirectoryMode::kCreate);
  RETURN_IF_ERROR(directory.status());
  return std::unique_ptr<UnfinishedFolder>(new UnfinishedFolder(path, *std::move(directory)));
}

UnfinishedFolder::UnfinishedFolder(const std::string& path,
                                   std::unique_ptr<journal::Directory> directory)
    : path_(path), directory_(std::move(directory)) {}

UnfinishedFolder::~UnfinishedFolder() {
  if (finished_) return;
  directory_.reset();
  // Ignored: the caller already has the error that prevented Finish().
  std::error_code ignored;
  std::filesystem::remove_all(PartialPath(path_), ignored);
}

std::string UnfinishedFolder::partial_path() const { return PartialPath(path_); }

absl::Status UnfinishedFolder::Finish() {
  RETURN_IF_ERROR(RenameFolder(PartialPath(path_), path_));
  finished_ = true;
  return absl::OkStatus();
}

}  // namespace tools
