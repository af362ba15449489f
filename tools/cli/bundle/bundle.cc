#include "tools/cli/bundle/bundle.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "replay/run_results.h"
#include "tools/cli/base/files.h"
#include "tools/cli/bundle/archive.h"
#include "tools/os/output.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

constexpr absl::string_view kTitle = "ticktape bundle ";
constexpr int kVersion = 1;
constexpr absl::string_view kHashKey = "xxh3 ";

// Their product fits 64 bits.
constexpr uint64_t kFileBytesMax = uint64_t{1} << 46;
constexpr size_t kFilesMax = 1 << 16;

struct TextField {
  absl::string_view key;
  std::string BundleManifest::*member;
};

constexpr TextField kTextFields[] = {
    {"created", &BundleManifest::created},
    {"build", &BundleManifest::build},
    {"executable", &BundleManifest::executable},
    {"engine", &BundleManifest::engine},
    {"source", &BundleManifest::source},
    {"journal", &BundleManifest::journal_uuid},
    {"recorded_by", &BundleManifest::recorded_by},
    {"command_line", &BundleManifest::command_line},
    {"range", &BundleManifest::range},
    {"recorded", &BundleManifest::recorded},
};

std::string OneLine(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"\n", " "}, {"\r", " "}});
}

absl::Status Wrong(absl::string_view line, absl::string_view expected) {
  return absl::DataLossError(
      absl::StrCat(kManifestName, ": '", line.substr(0, 120), "': expected ", expected));
}

// Returns the text without its last line, the hash. Errors: DATA_LOSS.
absl::StatusOr<absl::string_view> CheckHash(absl::string_view text) {
  const size_t at = text.rfind(absl::StrCat("\n", kHashKey));
  if (at == absl::string_view::npos) {
    return absl::DataLossError(absl::StrCat(kManifestName, ": expected a last line 'xxh3 ...'"));
  }
  const absl::string_view body = text.substr(0, at + 1);
  const std::string expected =
      absl::StrCat(kHashKey, engine::DigestOf(engine::AsBytes(body)).ToString(), "\n");
  if (text.substr(at + 1) == expected) return body;
  return absl::DataLossError(absl::StrCat(kManifestName, ": its last line is '",
                                          absl::StripAsciiWhitespace(text.substr(at + 1)),
                                          "'; expected ", expected));
}

absl::Status ParseFile(absl::string_view line, absl::string_view value, BundleManifest& into) {
  const std::vector<absl::string_view> words = absl::StrSplit(value, absl::MaxSplits(' ', 2));
  BundledFile file;
  if (words.size() != 3 || !engine::ParseInteger(words[0], file.bytes)) {
    return Wrong(line, "bytes, hash and name");
  }
  const auto hash = engine::Digest::Parse(words[1]);
  if (!hash.ok()) return Wrong(line, "a hash of 32 hexadecimal digits");
  if (!IsBundledName(words[2])) return Wrong(line, "journal/NAME or journal/snapshots/NAME");
  if (file.bytes > kFileBytesMax || into.files.size() == kFilesMax) {
    return Wrong(line, "at most 65536 files of at most 64 TiB");
  }
  file.hash = *hash;
  file.name = std::string(words[2]);
  into.files.push_back(std::move(file));
  return absl::OkStatus();
}

// Returns false if there is no such field, or the value is not such a number.
bool ParseNumber(absl::string_view key, absl::string_view value, BundleManifest& into) {
  if (key == "semantics") return engine::ParseInteger(value, into.results.semantics_version);
  if (key == "events") return engine::ParseInteger(value, into.results.output_count);
  uint64_t number = 0;
  if ((key != "first" && key != "last") || !engine::ParseInteger(value, number)) return false;
  (key == "first" ? into.first : into.last) = engine::SequenceNumber(number);
  return true;
}

absl::Status ParseLine(absl::string_view line, BundleManifest& into) {
  const std::pair<absl::string_view, absl::string_view> split =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const auto [key, value] = split;
  if (key == "file") return ParseFile(line, value, into);
  for (const TextField& field : kTextFields) {
    if (key != field.key) continue;
    into.*field.member = std::string(value);
    return absl::OkStatus();
  }
  if (key == "note") {
    into.notes.emplace_back(value);
  } else if (key == "machine") {
    const std::pair<std::string, std::string> fact =
        absl::StrSplit(value, absl::MaxSplits(": ", 1));
    into.machine.push_back(fact);
  } else if (key == "checkpoint") {
    if (!replay::ParseCheckpointText(value, into.results.checkpoints)) {
      return Wrong(line, "a later sequence number and three digests");
    }
  } else if (key == "marks") {
    if (!replay::ParseMarks(value, into.results.marks)) {
      return Wrong(line, "four hexadecimal digits a command");
    }
  } else if (!ParseNumber(key, value, into)) {
    return Wrong(line, "a known field");
  }
  return absl::OkStatus();
}

// Checks constraints that span several lines.
absl::Status CheckWhole(const BundleManifest& manifest) {
  if (manifest.first < engine::SequenceNumber::First() || manifest.last < manifest.first) {
    return absl::DataLossError(absl::StrCat(kManifestName, ": records ", manifest.first.value(),
                                            " to ", manifest.last.value(), "; expected some"));
  }
  std::set<absl::string_view> names;
  for (const BundledFile& file : manifest.files) {
    if (!names.insert(file.name).second) {
      return absl::DataLossError(absl::StrCat(kManifestName, ": ", file.name, " is there twice"));
    }
  }
  return absl::OkStatus();
}

// ---- Unpacking

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
  ASSIGN_OR_RETURN(const size_t bytes, archive.Read(std::as_writable_bytes(std::span(text))));
  if (bytes == text.size()) return text;
  return absl::DataLossError(absl::StrCat(path, ": ends in its manifest"));
}

absl::Status CheckSize(const std::string& path, uint64_t declared, uint64_t archive_bytes) {
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

uint64_t BundleManifest::file_bytes() const {
  uint64_t sum = 0;
  for (const BundledFile& file : files) sum += file.bytes;
  return sum;
}

bool IsBundledName(absl::string_view name) {
  if (name.size() > kArchiveNameBytesMax || !absl::ConsumePrefix(&name, "journal/")) return false;
  absl::ConsumePrefix(&name, "snapshots/");
  const auto is_fine = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '_';
  };
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), is_fine);
}

std::string FormatManifest(const BundleManifest& manifest) {
  std::string text = absl::StrCat(kTitle, kVersion, "\n");
  for (const TextField& field : kTextFields) {
    if ((manifest.*field.member).empty()) continue;
    absl::StrAppend(&text, field.key, " ", OneLine(manifest.*field.member), "\n");
  }
  absl::StrAppend(&text, "semantics ", manifest.results.semantics_version, "\nfirst ",
                  manifest.first.value(), "\nlast ", manifest.last.value(), "\nevents ",
                  manifest.results.output_count, "\n");
  for (const std::string& note : manifest.notes) {
    absl::StrAppend(&text, "note ", OneLine(note), "\n");
  }
  for (const auto& [name, value] : manifest.machine) {
    absl::StrAppend(&text, "machine ", OneLine(name), ": ", OneLine(value), "\n");
  }
  for (const journal::Checkpoint& checkpoint : manifest.results.checkpoints) {
    absl::StrAppend(&text, "checkpoint ", replay::CheckpointText(checkpoint), "\n");
  }
  replay::AppendMarks(text, manifest.results.marks, [](size_t) { return "marks "; });
  for (const BundledFile& file : manifest.files) {
    absl::StrAppend(&text, "file ", file.bytes, " ", file.hash.ToString(), " ", file.name, "\n");
  }
  return absl::StrCat(text, kHashKey, engine::DigestOf(engine::AsBytes(text)).ToString(), "\n");
}

absl::StatusOr<BundleManifest> ParseManifest(absl::string_view text) {
  absl::string_view title = text.substr(0, text.find('\n'));
  int version = 0;
  if (!absl::ConsumePrefix(&title, kTitle) || !engine::ParseInteger(title, version)) {
    return Wrong(title, absl::StrCat("'", kTitle, kVersion, "'"));
  }
  if (version != kVersion) {
    return absl::UnimplementedError(
        absl::StrCat("a bundle of version ", version, "; this build reads version ", kVersion));
  }
  ASSIGN_OR_RETURN(absl::string_view body, CheckHash(text));
  body.remove_prefix(body.find('\n') + 1);
  BundleManifest manifest;
  for (const absl::string_view line : absl::StrSplit(body, '\n', absl::SkipEmpty())) {
    RETURN_IF_ERROR(ParseLine(line, manifest));
  }
  RETURN_IF_ERROR(CheckWhole(manifest));
  return manifest;
}

absl::StatusOr<BundleManifest> UnpackBundle(const std::string& path, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ArchiveReader> archive, ArchiveReader::Open(path));
  ASSIGN_OR_RETURN(const std::string text, ReadManifestText(*archive, path));
  absl::StatusOr<BundleManifest> manifest = ParseManifest(text);
  if (!manifest.ok()) return ErrorIn(path, manifest.status());
  RETURN_IF_ERROR(CheckSize(path, manifest->file_bytes(), archive->archive_bytes()));
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
