#include "tools/cli/bundle/bundle_unpack.h"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"
#include "tools/cli/bundle/archive.h"
#include "tools/os/output.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

absl::StatusOr<std::string> ReadManifestText(ArchiveReader& archive, const std::string& path) {
  ASSIGN_OR_RETURN(const std::optional<ArchiveEntry> entry, archive.Next());
  if (!entry.has_value() || entry->name != kManifestName) {
    return absl::DataLossError(absl::StrCat(path, ": its first file is '",
                                            entry.has_value() ? entry->name : "", "'; expected ",
                                            kManifestName));
  }
  if (entry->bytes > kManifestBytesMax) {
    return absl::DataLossError(absl::StrCat(path, ": a ", kManifestName, " of ", entry->bytes,
                                            " bytes; expected at most ", kManifestBytesMax));
  }
  std::string text(entry->bytes, '\0');
  size_t filled = 0;
  while (filled < text.size()) {
    const auto rest = std::as_writable_bytes(std::span(text)).subspan(filled);
    ASSIGN_OR_RETURN(const size_t bytes, archive.Read(rest));
    if (bytes == 0) return absl::DataLossError(absl::StrCat(path, ": ends in its manifest"));
    filled += bytes;
  }
  return text;
}

absl::Status CheckSize(const std::string& path, const BundleManifest& manifest,
                       uint64_t archive_bytes) {
  const uint64_t declared = manifest.file_bytes();
  if (declared <= kBundleSmallBytes || declared / kBundleRatioMax <= archive_bytes) {
    return absl::OkStatus();
  }
  return absl::DataLossError(absl::StrCat(path, ": ", archive_bytes, " bytes that say they hold ",
                                          declared, "; expected no more than ", kBundleRatioMax,
                                          " times as much"));
}

// Reads the archive's next file, which must be `file`; writes it to `into` unless that is null.
absl::Status TakeFile(ArchiveReader& archive, const std::string& path, const BundledFile& file,
                      Output* into) {
  ASSIGN_OR_RETURN(const std::optional<ArchiveEntry> entry, archive.Next());
  const std::string found = entry.has_value() ? entry->name : "the end";
  if (found != file.name || entry->bytes != file.bytes) {
    return absl::DataLossError(
        absl::StrCat(path, ": '", found, "'",
                     entry.has_value() ? absl::StrCat(" of ", entry->bytes, " bytes") : "",
                     "; expected ", file.name, " of ", file.bytes));
  }
  engine::Digester digester;
  std::array<std::byte, 64 << 10> buffer;
  uint64_t bytes = 0;
  while (true) {
    ASSIGN_OR_RETURN(const size_t piece, archive.Read(buffer));
    if (piece == 0) break;
    digester.Add(std::span(buffer).first(piece));
    bytes += piece;
    if (bytes > file.bytes) break;
    if (into != nullptr) into->Write(engine::AsText(std::span(buffer).first(piece)));
  }
  const engine::Digest hash = digester.Finish();
  if (bytes == file.bytes && hash == file.hash) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(path, ": ", file.name, " has the hash ", hash.ToString(),
                                          "; expected ", file.hash.ToString()));
}

// Creates the folders in `name` as needed. REQUIRES: IsBundledName(name).
absl::StatusOr<std::unique_ptr<Output>> OpenOutput(const OutputFolder& folder,
                                                   absl::string_view name) {
  const size_t slash = name.find('/');
  if (slash == absl::string_view::npos) return Output::CreateIn(folder, std::string(name));
  ASSIGN_OR_RETURN(const OutputFolder inner, folder.Subfolder(std::string(name.substr(0, slash))));
  return OpenOutput(inner, name.substr(slash + 1));
}

}  // namespace

absl::StatusOr<BundleManifest> UnpackBundle(const std::string& path, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ArchiveReader> archive, ArchiveReader::Open(path));
  ASSIGN_OR_RETURN(const std::string text, ReadManifestText(*archive, path));
  absl::StatusOr<BundleManifest> manifest = ParseManifest(text);
  if (!manifest.ok()) return ErrorIn(path, manifest.status());
  RETURN_IF_ERROR(CheckSize(path, *manifest, archive->archive_bytes()));
  std::optional<OutputFolder> into;
  if (!folder.empty()) {
    ASSIGN_OR_RETURN(OutputFolder opened, OutputFolder::OpenItself(folder));
    into.emplace(std::move(opened));
  }
  for (const BundledFile& file : manifest->files) {
    std::unique_ptr<Output> output;
    if (into.has_value()) {
      ASSIGN_OR_RETURN(output, OpenOutput(*into, file.name));
    }
    RETURN_IF_ERROR(TakeFile(*archive, path, file, output.get()));
    if (output != nullptr) RETURN_IF_ERROR(output->Finish());
  }
  ASSIGN_OR_RETURN(const std::optional<ArchiveEntry> more, archive->Next());
  if (more.has_value()) {
    return absl::DataLossError(
        absl::StrCat(path, ": '", more->name, "' is not in its manifest; expected the end"));
  }
  if (!into.has_value()) return manifest;
  ASSIGN_OR_RETURN(const auto output, OpenOutput(*into, kManifestName));
  output->Write(text);
  RETURN_IF_ERROR(output->Finish());
  return manifest;
}

}  // namespace tools
