#include "tools/cli/help/manual_entries.h"

#include <algorithm>
#include <array>
#include <span>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "tools/cli/base/exit_code.h"

namespace tools {
namespace {

struct Entry {
  const char* name;
  const char* meaning;
  const char* verbs = "";  // Separated by commas; empty: all.
};

constexpr char kJournalVerbs[] =
    "archive,backtest,bisect,bundle,cat,cut,demo,diff,export,golden,hold,info,inspect,merge,"
    "minimize,prune,"
    "record,repack,repair,replay,retime,seal,serve,shell,snapshot,split,stats,trade,"
    "verify";

constexpr std::array kVariables = {
    Entry{"NO_COLOR", "If set, a terminal gets no colours."},
    Entry{"TERM", "The kind of terminal; with dumb or without it, no colours and no progress."},
    Entry{"TZ", "The machine's time zone, for --tz local."},
    Entry{"XDG_CACHE_HOME", "Where bisect keeps states of engines; default ~/.cache.", "bisect"},
    Entry{"HOME", "The folder of .cache, if XDG_CACHE_HOME is not set.", "bisect"},
    Entry{"XDG_STATE_HOME", "Where the shell keeps typed lines; default ~/.local/state.", "shell"},
    Entry{"PATH", "Where python3 is, which makes Parquet.", "export"},
};

constexpr std::array kFiles = {
    Entry{"JOURNAL/segment-NNNNNN.tape", "The records, in files numbered from 000000.",
          kJournalVerbs},
    Entry{"JOURNAL/checkpoints.trace", "Digests of the log, the events and the state.",
          kJournalVerbs},
    Entry{"JOURNAL/*.torn.*", "Bytes that a recovery cut off; no part of the journal.",
          kJournalVerbs},
    Entry{"JOURNAL/NAME.hold", "Protects records from prune.", "hold,prune"},
    Entry{"JOURNAL/beginning", "Marks a journal whose first records were deleted.",
          "prune,cut,replay,verify"},
    Entry{"~/.local/state/ticktape/shell_history", "The lines that were typed at the prompt.",
          "shell"},
    Entry{"NAME.golden", "What a journal must replay to.", "golden"},
    Entry{"DIR/venue.json", "Accounts, markets, logins and keys; only for its user.",
          "serve,admin"},
    Entry{"DIR/keys/*.pem", "Private keys of Kalshi's API that --init has made.", "serve"},
    Entry{"DIR/admin.token", "What a request to /sim must name.", "serve"},
    Entry{"DIR/tls_certificate.pem", "The certificate that the first start with --tls makes.",
          "serve"},
    Entry{"NAME-data.hdr, NAME-order.hdr",
          "Latencies of a live run, which a backtest takes (HdrHistogram's text).",
          "backtest,trade"},
    Entry{"KEY.pem", "The private key that signs requests; only for its user.",
          "cancel-orders,trade"},
    Entry{"DIR/conversations/*.tape", "What --record-conversation keeps.", "serve,export"},
    Entry{"/usr/share/zoneinfo", "Time zones, for --tz and for the times of Nasdaq.",
          "feed,record,serve,split"},
};

bool IsOf(const char* verbs, absl::string_view verb) {
  if (*verbs == '\0' || verb.empty()) return true;
  const std::vector<absl::string_view> names = absl::StrSplit(verbs, ',');
  return std::ranges::count(names, verb) != 0;
}

std::vector<ManualEntry> Select(std::span<const Entry> entries, absl::string_view verb) {
  std::vector<ManualEntry> selected;
  for (const Entry& entry : entries) {
    if (IsOf(entry.verbs, verb)) selected.push_back({.name = entry.name, .meaning = entry.meaning});
  }
  return selected;
}

}  // namespace

std::vector<ManualEntry> ExitCodesOf(absl::string_view verb) {
  std::vector<ManualEntry> selected;
  for (const ExitCodeMeaning& one : kExitCodes) {
    if (!IsOf(one.verb, verb)) continue;
    const bool names_verb = verb.empty() && *one.verb != '\0';
    selected.push_back(
        {.name = absl::StrCat(static_cast<int>(one.code)),
         .meaning = names_verb ? absl::StrCat(one.verb, ": ", one.meaning) : one.meaning});
  }
  return selected;
}

std::vector<ManualEntry> VariablesOf(absl::string_view verb) { return Select(kVariables, verb); }

std::vector<ManualEntry> FilesOf(absl::string_view verb) { return Select(kFiles, verb); }

}  // namespace tools
