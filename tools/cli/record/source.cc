#include "tools/cli/record/source.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "tools/cli/record/lobster_files.h"

namespace tools {

const std::map<std::string, Source>& SourceNames() {
  static const auto* const names = new std::map<std::string, Source>{
      {"itch", Source::kItch},         {"text", Source::kText},
      {"workload", Source::kWorkload}, {"csv", Source::kCsv},
      {"jsonl", Source::kJsonLines},   {"kalshi-capture", Source::kKalshiCapture},
      {"dbn", Source::kDbn},           {"lobster", Source::kLobster}};
  return *names;
}

std::string SourceChoices() {
  std::string choices;
  for (const auto& [name, source] : SourceNames()) {
    const bool is_last = source == SourceNames().rbegin()->second;
    absl::StrAppend(&choices, choices.empty() ? "" : is_last ? " or " : ", ", name);
  }
  return choices;
}

absl::StatusOr<Source> SourceOfFile(absl::string_view path) {
  if (IsLobsterName(path)) return Source::kLobster;
  const std::string lower = absl::AsciiStrToLower(path);
  absl::string_view name = lower;
  if (!absl::ConsumeSuffix(&name, ".gz")) absl::ConsumeSuffix(&name, ".zst");
  for (const auto& [ending, source] :
       {std::pair(".itch", Source::kItch), std::pair(".nasdaq_itch50", Source::kItch),
        std::pair(".pcap", Source::kItch), std::pair(".csv", Source::kCsv),
        std::pair(".jsonl", Source::kJsonLines), std::pair(".txt", Source::kText),
        std::pair(".dbn", Source::kDbn)}) {
    if (absl::EndsWith(name, ending)) return source;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      path == "-" ? "standard input" : absl::StrCat("'", path, "'"),
      " does not say by the end of its name what it is; expected --from ", SourceChoices()));
}

}  // namespace tools
