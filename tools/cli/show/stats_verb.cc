// ticktape stats: counts and rates of a journal's commands. Starts an engine only for --replay.

#include <map>
#include <span>

#include "engine/messages/names.h"
#include "replay/checked_replay.h"
#include "replay/event_outputs.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/read/walk.h"
#include "tools/cli/show/log_statistics.h"

namespace tools {
namespace {

using journal::JournalInfo;

enum class By { kKind, kMarket, kAccount, kSecond };

// Names of table rows, and their numbers of commands.
using Counts = std::vector<std::pair<std::string, uint64_t>>;

template <typename Keys, typename Name>
Counts Named(const Keys& keys, const Name& name) {
  Counts counts;
  for (const auto& [key, count] : keys) counts.emplace_back(name(key), count);
  return counts;
}

// Adds the commands that name none as a last row.
Counts WithNone(Counts counts, uint64_t none) {
  if (none > 0) counts.emplace_back("none", none);
  return counts;
}

// Keeps the first `size` rows, and adds the number of the others as a last row.
Counts Top(Counts counts, size_t size) {
  if (counts.size() <= size) return counts;
  uint64_t others = 0;
  for (size_t i = size; i < counts.size(); ++i) others += counts[i].second;
  const size_t hidden = counts.size() - size;
  counts.resize(size);
  counts.emplace_back(Counted(hidden, "other"), others);
  return counts;
}

void AddCountRows(Report& report, absl::string_view title, const Counts& counts, uint64_t total) {
  constexpr size_t kBarWidth = 32;
  size_t width = title.size();
  uint64_t largest = 0;
  for (const auto& [name, count] : counts) {
    width = std::max(width, name.size());
    largest = std::max(largest, count);
  }
  report.Line();
  report.Line(
      Styled(Style::kDim, absl::StrFormat("  %-*s %15s %8s", width, title, "commands", "share")));
  for (const auto& [name, count] : counts) {
    const double percent = 100 * static_cast<double>(count) / static_cast<double>(total);
    report.Line(absl::StrFormat("  %-*s %15s %6.1f %%  %s", width, name, WithCommas(count), percent,
                                Bar(count, largest, kBarWidth)));
  }
}

void AddTimes(Report& report, const LogStatistics& statistics) {
  const LogStatistics::Second busiest = statistics.BusiestSecond();
  const SizeHistogram& gaps = statistics.gaps();
  report.Row("time", statistics.first_time(), " to ", statistics.last_time());
  report.Row("rate", "mean ", HumanCount(statistics.MeanRate()), "/s, busiest second ",
             HumanCount(static_cast<double>(busiest.count)), " at ", busiest.time);
  if (gaps.count() > 0) {
    report.Row("gaps", "half below ", HumanNanos(gaps.Percentile(50)), ", 99 % below ",
               HumanNanos(gaps.Percentile(99)), ", longest ", HumanNanos(gaps.largest()));
  }
  report.Field("first_time", statistics.first_time());
  report.Field("last_time", statistics.last_time());
  report.Field("commands_per_second_mean", statistics.MeanRate());
  report.Field("commands_per_second_max", busiest.count);
  report.Field("busiest_second", busiest.time);
  report.BeginObject("gap_ns");
  report.Field("p50", gaps.Percentile(50));
  report.Field("p99", gaps.Percentile(99));
  report.Field("max", gaps.largest());
  report.EndObject();
}

void AddSizes(Report& report, const JournalInfo& info) {
  uint64_t blocks = 0;
  for (const journal::SegmentInfo& segment : info.segments) blocks += segment.block_count;
  const auto records = static_cast<double>(info.readable_count());
  const auto bytes = static_cast<double>(info.file_bytes());
  const double bytes_per_command = records > 0 ? bytes / records : 0;
  const double commands_per_block = blocks > 0 ? records / static_cast<double>(blocks) : 0;
  report.Row("stored", HumanBytes(info.file_bytes()),
             absl::StrFormat(", %.1f bytes per command, a row having %u", bytes_per_command,
                             sizeof(journal::Row)));
  report.Row("blocks", WithCommas(blocks),
             absl::StrFormat(", %.1f commands each", commands_per_block));
  report.BeginObject("journal");
  report.Field("bytes", info.file_bytes());
  report.Field("bytes_per_command", bytes_per_command);
  report.Field("rows_to_stored", bytes > 0 ? records * sizeof(journal::Row) / bytes : 0);
  report.Field("blocks", blocks);
  report.Field("commands_per_block", commands_per_block);
  report.EndObject();
}

constexpr char kExamples[] = R"(  ticktape stats a.tape
  ticktape stats a.tape @-100000.. --by market --top 50
  ticktape stats a.tape --by second --json
  ticktape stats a.tape --replay

Sizes and blocks are those of the whole journal, not of the range. Percentiles are
exact to one part in 32. --replay counts the commands of the range that an exchange
rejects, and why.)";

class StatsVerb final : public Verb {
 public:
  StatsVerb() : Verb("stats", "Count and time the commands of a journal", kExamples) {}

  void Declare(Options& options) override {
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
    options.AddCount("--top", top_, "Rows of a table of markets or accounts", 1, 10'000'000);
    options.AddFlag("--replay", replays_,
                    "Replay, to count the commands that are rejected, and why");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
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
    Report report = MakeReport(opened.reader->info(), range);
    if (replays_) {
      ASSIGN_OR_RETURN(const Rejections rejections, CountRejections(opened, range, console));
      rejections.AddTo(report);
    }
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  // Replays up to the end of the range.
  static absl::StatusOr<Rejections> CountRejections(const OpenedJournal& opened,
                                                    const SequenceRange& range, Console& console) {
    Rejections rejections;
    if (range.empty()) return rejections;
    Progress progress(console, "replay", "records", range.last.value());
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     StartFromSnapshot(*opened.directory, opened.reader->info(), range.first - 1,
                                       replay::EngineKind::kFast, console));
    const auto seen = [&](const journal::Record& record, std::span<const replay::Output> outputs) {
      progress.Update(record.sequence().value());
      if (record.sequence() >= range.first) rejections.Add(replay::AsEvents(outputs));
    };
    RETURN_IF_ERROR(
        replay::ReplayCheckedFrom(start, *opened.reader, {}, range.last, seen).status());
    return rejections;
  }

  struct Table {
    By by;
    const char* title;
    const char* field;
    Counts counts;
    bool is_shown_by_default;
  };

  std::vector<Table> Tables() const {
    const auto market = [&](engine::MarketId id) {
      return MarketText(id, markets_.markets().Find(id));
    };
    std::vector<Table> tables = {
        {By::kKind, "kind", "kinds",
         Named(statistics_.kinds(), [](auto kind) { return engine::NameOf(kind); }), true},
        {By::kMarket, "market", "markets",
         WithNone(Top(Named(statistics_.Markets(), market), top_), statistics_.without_market()),
         true},
        {By::kAccount, "account", "accounts",
         WithNone(
             Top(Named(statistics_.Accounts(), [](auto id) { return absl::StrCat(id.value()); }),
                 top_),
             statistics_.without_account()),
         false}};
    if (by_ == By::kSecond) {
      // Whole seconds: the fraction is always zero.
      const auto second = [](auto time) {
        return absl::StrCat(time.ToString().substr(0, 19), "Z");
      };
      tables.push_back(
          {By::kSecond, "second", "seconds", Named(statistics_.seconds(), second), false});
    }
    return tables;
  }

  Report MakeReport(const JournalInfo& info, const SequenceRange& range) const {
    Report report("ticktape.stats/1");
    const uint64_t total = statistics_.command_count();
    report.Line(Styled(Style::kBold, path_),
                range.empty()
                    ? ", which is empty"
                    : absl::StrCat(", @", range.first.value(), "..@", range.last.value()));
    if (total == 0) report.EndLines();
    report.Field("path", path_);
    report.Field("first_sequence", range.first);
    report.Field("last_sequence", range.last);
    report.Fact("commands", "commands", total);
    AddTimes(report, statistics_);
    report.Fact("markets", "market_count", statistics_.Markets().size());
    report.Fact("accounts", "account_count", statistics_.Accounts().size());
    report.Row("attachments", WithCommas(statistics_.attachment_count()), ", ",
               HumanBytes(statistics_.attachment_bytes()));
    report.Field("attachments", statistics_.attachment_count());
    report.Field("attachment_bytes", statistics_.attachment_bytes());
    AddSizes(report, info);
    for (const Table& table : Tables()) {
      report.Objects(table.field, table.counts, [&](const auto& row) {
        report.Field("name", row.first);
        report.Field("commands", row.second);
      });
      const bool is_shown = by_.has_value() ? by_ == table.by : table.is_shown_by_default;
      if (is_shown) AddCountRows(report, table.title, table.counts, total);
    }
    return report;
  }

  std::string path_;
  std::string range_;
  std::optional<By> by_;
  size_t top_ = 10;
  bool replays_ = false;

  replay::MarketFollower markets_;
  LogStatistics statistics_;
};

}  // namespace

std::unique_ptr<Verb> MakeStatsVerb() { return std::make_unique<StatsVerb>(); }

}  // namespace tools
