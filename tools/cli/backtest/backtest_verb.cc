// ticktape backtest: a strategy in a recorded market.

#include <atomic>
#include <map>
#include <span>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/types/decimal.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/money.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "tools/backtest/backtest.h"
#include "tools/backtest/captured_levels.h"
#include "tools/backtest/latency.h"
#include "tools/backtest/level_orders.h"
#include "tools/backtest/market_simulation.h"
#include "tools/backtest/run_market.h"
#include "tools/cli/backtest/backtest_report.h"
#include "tools/cli/backtest/sweep.h"
#include "tools/cli/base/machine_journal.h"
#include "tools/cli/base/strategy_application.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/os/thread.h"
#include "tools/strategy/desk.h"
#include "tools/strategy/input.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy_machine.h"
#include "tools/strategy/vocabulary.h"

namespace tools {
namespace {

constexpr char kExamples[] = R"(  ticktape backtest --list
  ticktape backtest market_maker nasdaq.tape --market AAPL --data-latency 50us --order-latency 80us
  ticktape backtest market_maker nasdaq.tape --set size=200 --set half_spread=0.02 -o run.tape
  ticktape backtest ladder day.tape --impact displace --fills fills.csv --html report.html
  ticktape backtest market_maker day.tape --sweep size=50,100 --sweep half_spread=0.01..0.05/0.01
  ticktape backtest market_maker --from live.tape --set size=50     what a run received, with its latency
  ticktape diff run.tape --engine-a ./before --engine-b ./after     which decision differs first

The market is a journal of an exchange. The orders of the strategy join its commands when they
arrive, and the exchange matches them: queues, fills in part and fees are those of the rules.
What recorded orders do that find less than they did is a choice, --impact:
  none      they trade as recorded, also where the strategy was before them
  displace  they take what the strategy has left, and the rest of them is dropped
A mirrored market (record --mode mirror, --from dbn, lobster, kalshi-capture) stays as recorded, also
crossed. There an execution fills first what the strategy has before the order that it names, and the
strategy's orders take recorded ones that they cross. Levels, as of a capture, lose at the front what is
traded, at the end what is cancelled. Fees of matched markets are in the journal; --fees charges those of
mirrored binary markets, coefficient x C x P x (1 - P): 0.07/0.0175.
With --from the market is what a run of a strategy received (trade, backtest -o), when it did: data
take no time, orders as long as the run's requests to their answers. Its own orders are left out.
Latencies: 250us, 250us+100us (up to 100 more, drawn), a file (HdrHistogram's text, as
'retime' writes it), each with ,burst=5ms/200ms/10s (5 ms more, for 200 ms, every 10 s).)";

constexpr char kLatency[] = "50us";
constexpr size_t kHistogramBytesMax = size_t{1} << 20;

class BacktestVerb final : public Verb {
 public:
  BacktestVerb() : Verb("backtest", "Run a strategy in a recorded market", kExamples) {}

  void Declare(Options& options) override {
    options.Add("strategy", strategy_, "Its name; --list prints all").Type("STRATEGY");
    options.Add("journal", path_, "The market: a journal of an exchange").Type("JOURNAL");
    options.Add("--from", run_, "The market: what a run of a strategy received").Type("RUN");
    options.AddFlag("--list", list_, "Print all strategies and their parameters");
    options.Add("--market", markets_, "Only these markets, by symbol; all without")
        .Type("SYMBOL")
        .TakesOneEachTime();
    options.Add("--set", parameters_, "A parameter's value").Type("NAME=VALUE").TakesOneEachTime();
    const std::map<std::string, Impact> impacts = {{"none", Impact::kNone},
                                                   {"displace", Impact::kDisplace}};
    options
        .AddChoice("--impact", impact_, impacts,
                   "What recorded orders do that find less than they did")
        .Type("none|displace");
    options
        .Add("--data-latency", data_latency_,
             "From the exchange to the strategy; 50us without, or 0s with --from")
        .Type("LATENCY");
    options
        .Add("--order-latency", order_latency_,
             "From the strategy to the exchange; 50us without, or as measured with --from")
        .Type("LATENCY");
    options.Add("--seed", seed_, "Of what is drawn").Type("NUMBER").ShowDefault();
    options.Add("--cash", cash_, "Dollars of its account, in binary markets")
        .Type("DOLLARS")
        .ShowDefault();
    options
        .Add("--fees", fees_,
             "Of its fills in mirrored binary markets: coefficients, as 0.07/0.0175")
        .Type("TAKER/MAKER");
    options.Add("-o,--output", output_, "Record the run: a new journal, for replay, diff, minimize")
        .Type("RUN");
    options
        .Add("--sweep", sweep_,
             "Run with each of these values: NAME=V,V or NAME=LOW..HIGH/STEP;\n"
             "several: every combination")
        .Type("NAME=VALUES")
        .TakesOneEachTime();
    options.AddCount("--threads", thread_count_, "Of a sweep: how many runs at the same time", 1,
                     256);
    options.Add("--fills", fills_, "Write each fill as CSV").Type("FILE");
    options.Add("--html", html_, "Write a page with plots").Type("FILE");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    if (list_) return List(console);
    if (strategy_.empty() || path_.empty() == run_.empty()) {
      return absl::InvalidArgumentError(
          "STRATEGY and either JOURNAL or --from RUN are required; --list prints strategies");
    }
    ASSIGN_OR_RETURN(const strategy::StrategyInfo* const info, StrategyNamed(strategy_));
    const std::unique_ptr<strategy::Strategy> strategy = info->make();
    const strategy::Desk desk(*strategy);  // It adds the limits.
    ASSIGN_OR_RETURN(BacktestTerms terms, Terms(strategy->parameters()));
    if (!sweep_.empty() && !(output_.empty() && fills_.empty() && html_.empty())) {
      return absl::InvalidArgumentError(
          "--sweep prints a table: it takes no -o, --fills or --html");
    }
    ASSIGN_OR_RETURN(const auto runs, ParseSweep(sweep_, strategy->parameters()));
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenMarket());
    if (!run_.empty()) RETURN_IF_ERROR(Measure(terms));
    return sweep_.empty() ? RunOnce(*info, terms, opened, console)
                          : Sweep(*info, terms, runs, opened.reader->info(), console);
  }

 private:
  static absl::StatusOr<ExitCode> List(Console& console) {
    Report report("ticktape.strategies/1");
    report.BeginArray("strategies");
    for (const strategy::StrategyInfo& info : strategy::AllStrategies()) {
      const strategy::StrategyMachine machine(std::string(info.name), info.make());
      report.Line(Styled(Style::kBold, info.name));
      report.BeginElement();
      report.Field("name", info.name);
      report.Objects(
          "parameters", machine.parameters().all(),
          [&](const strategy::Parameters::Entry& entry) { AddParameter(report, entry); });
      report.EndElement();
    }
    report.EndArray();
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  static void AddParameter(Report& report, const strategy::Parameters::Entry& entry) {
    const std::string value = ParameterText(entry, entry.terms.value);
    const std::string low = ParameterText(entry, entry.terms.low);
    const std::string high = ParameterText(entry, entry.terms.high);
    report.Row(entry.name, value, "  from ", low, " to ", high, ": ", entry.terms.summary);
    report.Field("name", entry.name);
    report.Field("value", value);
    report.Field("low", low);
    report.Field("high", high);
    report.Field("summary", entry.terms.summary);
  }

  absl::StatusOr<BacktestTerms> Terms(const strategy::Parameters& parameters) const {
    BacktestTerms terms{.impact = impact_, .seed = seed_, .markets = markets_};
    const std::string data_latency =
        data_latency_.empty() ? (run_.empty() ? kLatency : "0s") : data_latency_;
    const std::string order_latency = order_latency_.empty() ? kLatency : order_latency_;
    ASSIGN_OR_RETURN(terms.to_strategy, ParseLatency(data_latency, ReadHistogram));
    ASSIGN_OR_RETURN(terms.to_venue, ParseLatency(order_latency, ReadHistogram));
    ASSIGN_OR_RETURN(terms.cash, engine::Money::Parse(cash_));
    if (!fees_.empty()) {
      ASSIGN_OR_RETURN(terms.fees, ParseFees(fees_));
    }
    for (const std::string& text : parameters_) {
      ASSIGN_OR_RETURN(strategy::Parameters::Assignment set, parameters.Parse(text));
      terms.parameters.push_back(std::move(set));
    }
    return terms;
  }

  static absl::StatusOr<engine::FeeSchedule> ParseFees(const std::string& text) {
    constexpr int kDecimals = 4;  // Of a coefficient.
    constexpr int64_t kOne = 10'000;
    const std::vector<absl::string_view> parts = absl::StrSplit(text, '/');
    std::vector<uint32_t> coefficients;
    for (const absl::string_view part : parts) {
      const auto parsed = engine::ParsePrice(part, kDecimals);
      if (!parsed.ok() || parsed->units() < 0 || parsed->units() >= kOne) break;
      coefficients.push_back(static_cast<uint32_t>(parsed->units()));
    }
    if (parts.size() != 2 || coefficients.size() != 2) {
      return absl::InvalidArgumentError(
          absl::StrCat("--fees ", text,
                       ": expected two coefficients from 0 to 0.9999, of takers and makers, such "
                       "as 0.07/0.0175"));
    }
    return engine::FeeSchedule{.taker_coefficient = coefficients[0],
                               .maker_coefficient = coefficients[1]};
  }

  absl::StatusOr<OpenedJournal> OpenMarket() const {
    ASSIGN_OR_RETURN(OpenedJournal opened, OpenJournal(run_.empty() ? path_ : run_));
    if (run_.empty()) {
      RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    } else {
      RETURN_IF_ERROR(StrategyOfRun(opened.reader->info()).status());
    }
    RETURN_IF_ERROR(CheckBeginsWithFirst(opened.reader->info()));
    return opened;
  }

  // Whose run it is. Errors: UNIMPLEMENTED if it is no run, or of a strategy that this program does
  // not have.
  static absl::StatusOr<const strategy::StrategyInfo*> StrategyOfRun(
      const journal::JournalInfo& info) {
    absl::string_view name = info.metadata.application;
    if (!absl::ConsumePrefix(&name, strategy::kApplicationPrefix)) {
      return absl::UnimplementedError(
          absl::StrCat(info.path,
                       " is no run of a strategy, whose market data --from takes; a "
                       "journal of an exchange is named without --from"));
    }
    const strategy::StrategyInfo* const found = strategy::FindStrategy(name);
    if (found == nullptr) {
      return absl::UnimplementedError(
          absl::StrCat(info.path, " is a run of ", name,
                       ", which this program does not have, so its own orders are not known: use "
                       "the program of the strategy"));
    }
    return found;
  }

  // By the line that made it: of trade_verb.cc, or Origin() below.
  static RunOrders OrdersOf(const journal::JournalInfo& info) {
    const std::string& line = info.metadata.created_by;
    if (absl::EndsWith(line, kDryRun)) return RunOrders::kDry;
    return absl::StrContains(line, ImpactText(Impact::kNone)) ? RunOrders::kAdded
                                                              : RunOrders::kTraded;
  }
  static std::string ImpactText(Impact impact) {
    return absl::StrCat(" impact=", kImpactNames[static_cast<size_t>(impact)], " ");
  }

  // Takes the latency of orders from the run, if the options give none. Errors: NOT_FOUND if the
  // run has no market data.
  absl::Status Measure(BacktestTerms& terms) {
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenMarket());
    ASSIGN_OR_RETURN(const strategy::StrategyInfo* const info,
                     StrategyOfRun(opened.reader->info()));
    RunMarket market(std::string(info->name), info->make(), OrdersOf(opened.reader->info()),
                     [](const journal::Record&) { return absl::OkStatus(); });
    RETURN_IF_ERROR(TakeAll(*opened.reader, market, [](uint64_t) {}).status());
    if (market.market_rows() == 0) {
      return absl::NotFoundError(absl::StrCat(run_, " has no market data: no level, no trade"));
    }
    if (!order_latency_.empty() || market.answers().count() == 0) return absl::OkStatus();
    answers_ = market.answers().count();
    terms.to_venue = {.measured = market.answers(), .text = "as measured"};
    return absl::OkStatus();
  }

  static absl::StatusOr<std::string> ReadHistogram(const std::string& path) {
    return ReadFile(path, kHistogramBytesMax);
  }

  static Backtest::Apply DriveWith(replay::Driver& driver) {
    return [&driver](const strategy::Input& input,
                     engine::Bytes attachment) -> absl::StatusOr<std::span<const replay::Output>> {
      journal::Row row = strategy::ToRow(input);
      row.sequence = driver.last_applied().Next();
      return driver.Apply({.row = &row, .attachment = attachment});
    };
  }

  // Applies the whole journal. Returns the number of its records.
  absl::StatusOr<uint64_t> RunAll(journal::Reader& reader, Backtest& backtest,
                                  absl::FunctionRef<void(uint64_t)> progress) const {
    const LevelOrders::Emit emit = [&](const journal::Record& record) {
      return backtest.ApplyRecorded(record);
    };
    uint64_t records = 0;
    if (run_.empty()) {
      CapturedLevels market(emit);
      ASSIGN_OR_RETURN(records, TakeAll(reader, market, progress));
    } else {
      ASSIGN_OR_RETURN(const strategy::StrategyInfo* const info, StrategyOfRun(reader.info()));
      RunMarket market(std::string(info->name), info->make(), OrdersOf(reader.info()), emit);
      ASSIGN_OR_RETURN(records, TakeAll(reader, market, progress));
    }
    RETURN_IF_ERROR(backtest.Finish());
    RETURN_IF_ERROR(backtest.CheckMarkets());
    return records;
  }

  // Gives each record of the journal to `market`.
  template <typename Market>
  static absl::StatusOr<uint64_t> TakeAll(journal::Reader& reader, Market& market,
                                          absl::FunctionRef<void(uint64_t)> progress) {
    uint64_t records = 0;
    while (true) {
      ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
      if (batch.empty()) break;
      std::span<const journal::AttachmentView> attachments = batch.attachments;
      for (const journal::Row& row : batch.rows) {
        RETURN_IF_ERROR(market.Take(
            {.row = &row, .attachment = journal::TakeAttachment(attachments, row.sequence)}));
      }
      records += batch.rows.size();
      progress(records);
    }
    RETURN_IF_ERROR(reader.CheckEnd());
    RETURN_IF_ERROR(market.Finish());
    return records;
  }

  // A run of a sweep.
  absl::StatusOr<BacktestResult> RunWith(const strategy::StrategyInfo& info, BacktestTerms terms,
                                         const std::vector<strategy::Parameters::Assignment>& sets,
                                         std::atomic<uint64_t>& records_done) const {
    terms.parameters.insert(terms.parameters.end(), sets.begin(), sets.end());
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenMarket());
    strategy::StrategyMachine machine(strategy_, info.make());
    replay::Driver driver(machine, engine::SequenceNumber());
    Backtest backtest(terms, machine, DriveWith(driver));
    uint64_t before = 0;
    ASSIGN_OR_RETURN(const uint64_t records, RunAll(*opened.reader, backtest, [&](uint64_t done) {
                       records_done += done - before;
                       before = done;
                     }));
    BacktestSetup setup = Setup(terms);
    for (const strategy::Parameters::Assignment& set : sets) {
      const strategy::Parameters::Entry& entry = *machine.parameters().Find(set.name);
      setup.parameters.push_back(absl::StrCat(set.name, "=", ParameterText(entry, set.value)));
    }
    return ResultOf(setup, backtest, machine, records);
  }

  absl::StatusOr<ExitCode> Sweep(
      const strategy::StrategyInfo& info, const BacktestTerms& terms,
      const std::vector<std::vector<strategy::Parameters::Assignment>>& runs,
      const journal::JournalInfo& market, Console& console) const {
    std::vector<absl::StatusOr<BacktestResult>> results(runs.size(), absl::UnknownError(""));
    std::atomic<uint64_t> done = 0;
    Progress progress(console, "backtest", "records", market.record_count() * runs.size());
    RunParallel(
        runs.size(), thread_count_,
        [&](size_t i) { results[i] = RunWith(info, terms, runs[i], done); },
        [&] { progress.Show(done); });
    progress.Clear();
    for (const auto& result : results) RETURN_IF_ERROR(result.status());
    std::vector<BacktestResult> all;
    for (auto& result : results) all.push_back(*std::move(result));
    Report report("ticktape.sweep/1");
    AddSweepTo(report, all);
    report.Note(Counted(all.size(), "run"), " in ", HumanSeconds(progress.Seconds()));
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  absl::StatusOr<ExitCode> RunOnce(const strategy::StrategyInfo& info, const BacktestTerms& terms,
                                   const OpenedJournal& opened, Console& console) const {
    strategy::StrategyMachine machine(strategy_, info.make());
    std::unique_ptr<MachineJournal> run;
    std::optional<replay::Driver> driver;
    Backtest::Apply apply;
    if (output_.empty()) {
      driver.emplace(machine, engine::SequenceNumber());
      apply = DriveWith(*driver);
    } else {
      // Equal runs are equal journals.
      const std::string origin =
          absl::StrCat("backtest ", opened.reader->info().uuid.ToString(), " ", Origin(terms));
      ASSIGN_OR_RETURN(
          run, MachineJournal::Create(output_, StrategyMetadata(strategy_, Origin(terms)), origin,
                                      machine));
      apply = [&run](const strategy::Input& input, engine::Bytes attachment) {
        return run->Append(strategy::ToRow(input), attachment);
      };
    }
    Backtest backtest(terms, machine, std::move(apply));
    Progress progress(console, "backtest", "records", opened.reader->info().last_sequence.value());
    ASSIGN_OR_RETURN(const uint64_t records,
                     RunAll(*opened.reader, backtest, [&](uint64_t done) { progress.Show(done); }));
    const double seconds = progress.Seconds();
    progress.Clear();

    const BacktestResult result = ResultOf(Setup(terms), backtest, machine, records);
    Report report("ticktape.backtest/1");
    AddTo(report, result);
    report.Note("ran in ", HumanSeconds(seconds), ", ",
                HumanCount(seconds > 0 ? double(records) / seconds : 0), " records/s");
    const engine::MarketDirectory& markets = backtest.market().markets();
    if (!fills_.empty()) {
      RETURN_IF_ERROR(WriteFile(fills_, FillsCsv(result.results, markets), /*replace=*/true));
    }
    if (!html_.empty()) {
      RETURN_IF_ERROR(WriteFile(html_, BacktestPage(result, markets), /*replace=*/true));
    }
    if (run != nullptr) {
      ASSIGN_OR_RETURN(const journal::Checkpoint last, run->Seal());
      RETURN_IF_ERROR(run->Finish());
      report.Row("run", output_, ", ", Counted(last.sequence.value(), "record"));
      report.Field("run", output_);
      AddDigests(report, last);
    }
    report.PrintTo(console);
    return ExitCode::kOk;
  }

  BacktestSetup Setup(const BacktestTerms& terms) const {
    return {.strategy = strategy_,
            .path = run_.empty() ? path_ : run_,
            .is_of_run = !run_.empty(),
            .impact = std::string(kImpactNames[static_cast<size_t>(terms.impact)]),
            .data_latency = terms.to_strategy.text,
            .order_latency = terms.to_venue.text,
            .answers = answers_,
            .seed = seed_,
            .fees = fees_,
            .parameters = parameters_};
  }

  // What, with the market, decides everything.
  std::string Origin(const BacktestTerms& terms) const {
    return absl::StrCat(strategy_, " markets=", absl::StrJoin(markets_, ","),
                        " set=", absl::StrJoin(parameters_, ","), ImpactText(impact_),
                        "data_latency=", terms.to_strategy.text,
                        " order_latency=", terms.to_venue.text, " seed=", seed_, " cash=", cash_,
                        fees_.empty() ? "" : " fees=", fees_);
  }

  std::string strategy_;
  std::string path_;
  std::string run_;
  bool list_ = false;
  std::vector<std::string> markets_;
  std::vector<std::string> parameters_;
  Impact impact_ = Impact::kNone;
  std::string data_latency_;
  std::string order_latency_;
  uint64_t answers_ = 0;  // Of the run, if they are the latency of orders.
  uint64_t seed_ = 1;
  std::string cash_ = "1000000";
  std::string fees_;
  std::vector<std::string> sweep_;
  size_t thread_count_ = ProcessorCount();
  std::string output_;
  std::string fills_;
  std::string html_;
};

}  // namespace

std::unique_ptr<Verb> MakeBacktestVerb() { return std::make_unique<BacktestVerb>(); }

}  // namespace tools
