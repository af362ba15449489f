// ticktape stats: counts and rates of a journal's commands. Never starts an engine.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "engine/messages/names.h"
#include "journal/journal_info.h"
#include "journal/record.h"
#include "tools/cli/base/bar.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report_row.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/log_statistics.h"
#include "tools/cli/read/record_walk.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/verbs.h"

namespace tools {
namespace {

using journal::JournalInfo;

enum class By { kKind, kMarket, kAccount, kSecond };

// Names of table rows, and their numbers of commands.
using Counts = std::vector<std::pair<std::string, uint64_t>>;

class StatsVerb final : public Verb {
 public:
  const char* name() const override { return "stats"; }
  const char* summary() const override { return "Count and time the commands of a journal"; }
  const char* examples() const override {
    return "  ticktape stats a.tape\n"
           "  ticktape stats a.tape @-100000.. --by market --top 50\n"
           "  ticktape stats a.tape --by second --json\n"
           "\n"
           "Sizes and blocks are those of the whole journal, whatever the range. Percentiles are\n"
           "exact to one part in 32.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  // Keeps the first `top_` rows, and adds the number of the others as a last row.
  Counts Top(Counts counts) const;
  Counts Kinds() const;
  Counts Markets() const;
  Counts Accounts() const;
  Counts Seconds() const;

  void Print(Console& console, const JournalInfo& info, const SequenceRange& range) const;
  void PrintJson(Console& console, const JournalInfo& info, const SequenceRange& range) const;

  std::string path_;
  std::string range_;
  std::optional<By> by_;
  size_t top_ = 10;

  MarketFollower markets_;
  LogStatistics statistics_;
};

void StatsVerb::Declare(Options& options) {
  const std::map<std::string, By> keys = {{"kind", By::kKind},
                                          {"market", By::kMarket},
                                          {"account", By::kAccount},
                                          {"second", By::kSecond}};
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("range", range_, "Which records, e.g. @-1000..").Type("RANGE");
  options
      .AddChoice("--by", by_, keys,
                 "One table: kind, market, account or second; otherwise kinds and markets")
      .Type("KEY");
  options.Add("--top", top_, "Rows of a table of markets or accounts")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 10'000'000);
}

// ---- Tables

Counts StatsVerb::Top(Counts counts) const {
  if (counts.size() <= top_) return counts;
  uint64_t others = 0;
  for (size_t i = top_; i < counts.size(); ++i) others += counts[i].second;
  const size_t hidden = counts.size() - top_;
  counts.resize(top_);
  counts.emplace_back(absl::StrCat(WithCommas(hidden), hidden == 1 ? " other" : " others"), others);
  return counts;
}

Counts StatsVerb::Kinds() const {
  Counts counts;
  for (const auto& [kind, count] : statistics_.kinds()) {
    counts.emplace_back(engine::NameOf(kind), count);
  }
  return counts;
}

Counts StatsVerb::Markets() const {
  Counts counts;
  for (const auto& [id, count] : statistics_.Markets()) {
    counts.emplace_back(
        id == engine::MarketId() ? "none" : MarketText(id, markets_.markets().Find(id)), count);
  }
  return Top(std::move(counts));
}

Counts StatsVerb::Accounts() const {
  Counts counts;
  for (const auto& [id, count] : statistics_.Accounts()) {
    counts.emplace_back(absl::StrCat(id.value()), count);
  }
  return Top(std::move(counts));
}

Counts StatsVerb::Seconds() const {
  Counts counts;
  for (const LogStatistics::Second& second : statistics_.seconds()) {
    // Whole seconds: the fraction is always zero.
    counts.emplace_back(absl::StrCat(second.time.ToString().substr(0, 19), "Z"), second.count);
  }
  return counts;
}

// ---- Sizes

struct Sizes {
  double bytes_per_command = 0;
  double rows_to_stored = 0;
  uint64_t block_count = 0;
  double commands_per_block = 0;
};

Sizes SizesOf(const JournalInfo& info) {
  Sizes sizes;
  for (const journal::SegmentInfo& segment : info.segments)
    sizes.block_count += segment.block_count;
  const auto records = static_cast<double>(info.readable_count());
  const auto bytes = static_cast<double>(info.file_bytes());
  if (records > 0) sizes.bytes_per_command = bytes / records;
  if (bytes > 0) sizes.rows_to_stored = records * sizeof(journal::Row) / bytes;
  if (sizes.block_count > 0)
    sizes.commands_per_block = records / static_cast<double>(sizes.block_count);
  return sizes;
}

// ---- For people

void PrintCounts(Console& console, absl::string_view title, const Counts& counts, uint64_t total) {
  constexpr size_t kBarWidth = 32;
  size_t width = title.size();
  uint64_t largest = 0;
  for (const auto& [name, count] : counts) {
    width = std::max(width, name.size());
    largest = std::max(largest, count);
  }
  console.PrintLine();
  console.PrintLine(console.Styled(
      Style::kDim, absl::StrFormat("  %-*s %15s %8s", width, title, "commands", "share")));
  for (const auto& [name, count] : counts) {
    const double percent = 100 * static_cast<double>(count) / static_cast<double>(total);
    console.PrintLine(absl::StrFormat("  %-*s %15s %6.1f %%  %s", width, name, WithCommas(count),
                                      percent, Bar(count, largest, kBarWidth)));
  }
}

double Seconds(uint64_t nanos) { return static_cast<double>(nanos) / 1e9; }

void PrintTimes(Console& console, const LogStatistics& statistics) {
  const LogStatistics::Second busiest = statistics.BusiestSecond();
  const SizeHistogram& gaps = statistics.gaps();
  PrintRow(
      console, "time",
      absl::StrCat(statistics.first_time().ToString(), " to ", statistics.last_time().ToString()));
  PrintRow(console, "rate",
           absl::StrCat("mean ", HumanCount(statistics.MeanRate()), "/s, busiest second ",
                        HumanCount(static_cast<double>(busiest.count)), " at ",
                        busiest.time.ToString()));
  if (gaps.count() == 0) return;
  PrintRow(console, "gaps",
           absl::StrCat("half below ", HumanSeconds(Seconds(gaps.Percentile(50))), ", 99 % below ",
                        HumanSeconds(Seconds(gaps.Percentile(99))), ", longest ",
                        HumanSeconds(Seconds(gaps.largest()))));
}

void StatsVerb::Print(Console& console, const JournalInfo& info, const SequenceRange& range) const {
  console.PrintLine(console.Styled(Style::kBold, path_),
                    range.empty()
                        ? ", which is empty"
                        : absl::StrCat(", @", range.first.value(), "..@", range.last.value()));
  const uint64_t total = statistics_.command_count();
  if (total == 0) return;
  PrintRow(console, "commands", WithCommas(total));
  PrintTimes(console, statistics_);
  PrintRow(console, "markets", WithCommas(statistics_.Markets().size()));
  PrintRow(console, "accounts", WithCommas(statistics_.Accounts().size()));
  PrintRow(console, "attachments",
           absl::StrCat(WithCommas(statistics_.attachment_count()), ", ",
                        HumanBytes(statistics_.attachment_bytes())));
  const Sizes sizes = SizesOf(info);
  PrintRow(
      console, "stored",
      absl::StrFormat("%s, %.1f bytes per command, a row having %u", HumanBytes(info.file_bytes()),
                      sizes.bytes_per_command, sizeof(journal::Row)));
  PrintRow(console, "blocks",
           absl::StrFormat("%s, %.1f commands each", WithCommas(sizes.block_count),
                           sizes.commands_per_block));
  if (!by_.has_value() || by_ == By::kKind) PrintCounts(console, "kind", Kinds(), total);
  if (!by_.has_value() || by_ == By::kMarket) PrintCounts(console, "market", Markets(), total);
  if (by_ == By::kAccount) PrintCounts(console, "account", Accounts(), total);
  if (by_ == By::kSecond) PrintCounts(console, "second", this->Seconds(), total);
}

// ---- JSON

void AddCounts(JsonObject& json, absl::string_view name, const Counts& counts) {
  json.BeginArray(name);
  for (const auto& [row, count] : counts) {
    json.BeginElement();
    json.Field("name", row);
    json.Field("commands", count);
    json.EndElement();
  }
  json.EndArray();
}

void AddTimes(JsonObject& json, const LogStatistics& statistics) {
  const LogStatistics::Second busiest = statistics.BusiestSecond();
  json.Field("first_time", statistics.first_time().ToString());
  json.Field("last_time", statistics.last_time().ToString());
  json.Field("commands_per_second_mean", statistics.MeanRate());
  json.Field("commands_per_second_max", busiest.count);
  json.Field("busiest_second", busiest.time.ToString());
  json.BeginObject("gap_ns");
  json.Field("p50", statistics.gaps().Percentile(50));
  json.Field("p99", statistics.gaps().Percentile(99));
  json.Field("max", statistics.gaps().largest());
  json.EndObject();
}

void StatsVerb::PrintJson(Console& console, const JournalInfo& info,
                          const SequenceRange& range) const {
  JsonObject json("ticktape.stats/1");
  json.Field("path", path_);
  json.Field("first_sequence", range.first.value());
  json.Field("last_sequence", range.last.value());
  json.Field("commands", statistics_.command_count());
  AddTimes(json, statistics_);
  json.Field("market_count", statistics_.Markets().size());
  json.Field("account_count", statistics_.Accounts().size());
  json.Field("attachments", statistics_.attachment_count());
  json.Field("attachment_bytes", statistics_.attachment_bytes());
  const Sizes sizes = SizesOf(info);
  json.BeginObject("journal");
  json.Field("bytes", info.file_bytes());
  json.Field("bytes_per_command", sizes.bytes_per_command);
  json.Field("rows_to_stored", sizes.rows_to_stored);
  json.Field("blocks", sizes.block_count);
  json.Field("commands_per_block", sizes.commands_per_block);
  json.EndObject();
  AddCounts(json, "kinds", Kinds());
  AddCounts(json, "markets", Markets());
  AddCounts(json, "accounts", Accounts());
  if (by_ == By::kSecond) AddCounts(json, "seconds", this->Seconds());
  console.PrintLine(json.Take());
}

absl::StatusOr<ExitCode> StatsVerb::Run(Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  WarnOfMissingBeginning(opened.reader->info(), console);
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(range_, *opened.reader));
  {
    Progress progress(console, "stats", "records", range.record_count());
    RETURN_IF_ERROR(WalkCommands(*opened.reader, range, markets_,
                                 [&](const engine::Command& command, engine::Bytes attachment) {
                                   statistics_.Add(command, attachment.size());
                                   progress.Update(statistics_.command_count());
                                   return true;
                                 }));
  }
  if (console.json()) {
    PrintJson(console, opened.reader->info(), range);
  } else {
    Print(console, opened.reader->info(), range);
  }
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeStatsVerb() { return std::make_unique<StatsVerb>(); }

}  // namespace tools
