// ticktape stats: counts and rates of a journal's commands. Never starts an engine.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/messages/names.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/walk.h"
#include "tools/cli/show/log_statistics.h"
#include "tools/cli/show/verbs.h"

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
           "Sizes and blocks are those of the whole journal, not of the range. Percentiles are\n"
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

  Report MakeReport(const JournalInfo& info, const SequenceRange& range) const;

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

// ---- The report

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

void AddCountFields(Report& report, absl::string_view name, const Counts& counts) {
  report.Objects(name, counts, [&](const auto& row) {
    report.Field("name", row.first);
    report.Field("commands", row.second);
  });
}

std::string NanosText(uint64_t nanos) { return HumanSeconds(static_cast<double>(nanos) / 1e9); }

void AddTimes(Report& report, const LogStatistics& statistics) {
  const LogStatistics::Second busiest = statistics.BusiestSecond();
  const SizeHistogram& gaps = statistics.gaps();
  report.Row("time", statistics.first_time(), " to ", statistics.last_time());
  report.Row("rate", "mean ", HumanCount(statistics.MeanRate()), "/s, busiest second ",
             HumanCount(static_cast<double>(busiest.count)), " at ", busiest.time);
  if (gaps.count() > 0) {
    report.Row("gaps", "half below ", NanosText(gaps.Percentile(50)), ", 99 % below ",
               NanosText(gaps.Percentile(99)), ", longest ", NanosText(gaps.largest()));
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
  const Sizes sizes = SizesOf(info);
  report.Row("stored", HumanBytes(info.file_bytes()),
             absl::StrFormat(", %.1f bytes per command, a row having %u", sizes.bytes_per_command,
                             sizeof(journal::Row)));
  report.Row("blocks", WithCommas(sizes.block_count),
             absl::StrFormat(", %.1f commands each", sizes.commands_per_block));
  report.BeginObject("journal");
  report.Field("bytes", info.file_bytes());
  report.Field("bytes_per_command", sizes.bytes_per_command);
  report.Field("rows_to_stored", sizes.rows_to_stored);
  report.Field("blocks", sizes.block_count);
  report.Field("commands_per_block", sizes.commands_per_block);
  report.EndObject();
}

Report StatsVerb::MakeReport(const JournalInfo& info, const SequenceRange& range) const {
  Report report("ticktape.stats/1");
  const uint64_t total = statistics_.command_count();
  const Counts kinds = Kinds();
  const Counts markets = Markets();
  const Counts accounts = Accounts();
  const Counts seconds = by_ == By::kSecond ? Seconds() : Counts();
  report.Line(Styled(Style::kBold, path_),
              range.empty() ? ", which is empty"
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
  AddCountFields(report, "kinds", kinds);
  AddCountFields(report, "markets", markets);
  AddCountFields(report, "accounts", accounts);
  if (by_ == By::kSecond) AddCountFields(report, "seconds", seconds);

  if (!by_.has_value() || by_ == By::kKind) AddCountRows(report, "kind", kinds, total);
  if (!by_.has_value() || by_ == By::kMarket) AddCountRows(report, "market", markets, total);
  if (by_ == By::kAccount) AddCountRows(report, "account", accounts, total);
  if (by_ == By::kSecond) AddCountRows(report, "second", seconds, total);
  return report;
}

absl::StatusOr<ExitCode> StatsVerb::Run(Console& console) {
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
  MakeReport(opened.reader->info(), range).PrintTo(console);
  return ExitCode::kOk;
}

}  // namespace

std::unique_ptr<Verb> MakeStatsVerb() { return std::make_unique<StatsVerb>(); }

}  // namespace tools
