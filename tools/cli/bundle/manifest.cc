#include "tools/cli/bundle/manifest.h"

#include <algorithm>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/run_text.h"
#include "tools/cli/bundle/archive.h"

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

absl::Status ParseNumber(absl::string_view line, absl::string_view key, absl::string_view value,
                         BundleManifest& into) {
  uint64_t number = 0;
  if (!engine::ParseInteger(value, number)) return Wrong(line, "a known field");
  if (key == "semantics" && number <= UINT32_MAX) {
    into.semantics_version = static_cast<uint32_t>(number);
  } else if (key == "first") {
    into.first = engine::SequenceNumber(number);
  } else if (key == "last") {
    into.last = engine::SequenceNumber(number);
  } else if (key == "events") {
    into.event_count = number;
  } else {
    return Wrong(line, "a known field");
  }
  return absl::OkStatus();
}

absl::Status ParseLine(absl::string_view line, BundleManifest& into) {
  const std::pair<absl::string_view, absl::string_view> split =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const absl::string_view key = split.first;
  const absl::string_view value = split.second;
  for (const TextField& field : kTextFields) {
    if (key != field.key) continue;
    into.*field.member = std::string(value);
    return absl::OkStatus();
  }
  if (key == "note") {
    into.notes.emplace_back(value);
    return absl::OkStatus();
  }
  if (key == "machine") {
    const std::pair<std::string, std::string> fact =
        absl::StrSplit(value, absl::MaxSplits(": ", 1));
    into.machine.push_back(fact);
    return absl::OkStatus();
  }
  if (key == "checkpoint") {
    return ParseCheckpointText(value, into.checkpoints)
               ? absl::OkStatus()
               : Wrong(line, "a later sequence number and three digests");
  }
  if (key == "marks") {
    return ParseMarks(value, into.marks) ? absl::OkStatus()
                                         : Wrong(line, "four hexadecimal digits a command");
  }
  if (key == "file") return ParseFile(line, value, into);
  return ParseNumber(line, key, value, into);
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
  absl::StrAppend(&text, "semantics ", manifest.semantics_version, "\nfirst ",
                  manifest.first.value(), "\nlast ", manifest.last.value(), "\nevents ",
                  manifest.event_count, "\n");
  for (const std::string& note : manifest.notes) {
    absl::StrAppend(&text, "note ", OneLine(note), "\n");
  }
  for (const auto& [name, value] : manifest.machine) {
    absl::StrAppend(&text, "machine ", OneLine(name), ": ", OneLine(value), "\n");
  }
  for (const journal::Checkpoint& checkpoint : manifest.checkpoints) {
    absl::StrAppend(&text, "checkpoint ", CheckpointText(checkpoint), "\n");
  }
  AppendMarks(text, manifest.marks, [](size_t) { return "marks "; });
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

}  // namespace tools
