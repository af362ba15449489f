// ticktape trade: a strategy at a venue.

#include <map>
#include <span>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/machine_journal.h"
#include "tools/cli/base/strategy_application.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/trade/live_run.h"
#include "tools/cli/trade/venue_options.h"
#include "tools/client/client.h"
#include "tools/client/signatures/signatures.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/entropy.h"
#include "tools/os/signals.h"
#include "tools/strategy/desk.h"
#include "tools/strategy/parameters.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {
namespace {

constexpr char kExamples[] =
    R"(  ticktape trade market_maker --venue http://127.0.0.1:8080 --key-id ID --key me.pem --market KXDEMO-A
  ticktape trade ladder --venue https://demo-api.kalshi.co --key-id ID --key me.pem --market T --dry-run
  ticktape trade market_maker ... --set size=5 --set limit.loss=20 --for 10m -o run.tape
  ticktape replay run.tape                         every decision again
  ticktape trade ... --latencies day && ticktape backtest ... --data-latency day-data.hdr
  ticktape cancel-orders ... --when-silent run.tape   in another terminal: a dead man's switch

'ticktape serve --demo' is such a venue, and prints an address, key ids and files.
Limits are parameters: limit.position, limit.order, limit.requests, limit.loss.
All orders of the account are cancelled when the run ends, by Ctrl-C or --for, when the strategy
stops, and, unless --on-disconnect keep, when the connection is lost.
What the strategy hears is recorded; what it decides follows from that.)";

constexpr int64_t kTurnNanos = 100'000'000;
constexpr int64_t kHeartbeatNanos = 1'000'000'000;

enum class OnDisconnect { kCancel, kKeep };

class TradeVerb final : public Verb {
 public:
  TradeVerb() : Verb("trade", "Run a strategy at a venue that speaks Kalshi's API", kExamples) {}

  void Declare(Options& options) override {
    options.Add("strategy", strategy_, "Its name; 'ticktape backtest --list' prints all")
        .Type("STRATEGY")
        .Required();
    venue_.Declare(options);
    options.Add("--market", tickers_, "A market that it trades; several: once for each")
        .Type("TICKER")
        .Required()
        .TakesOneEachTime();
    options.Add("--set", parameters_, "A parameter's value").Type("NAME=VALUE").TakesOneEachTime();
    options.AddFlag("--dry-run", is_dry_, "Send no order: each is taken as accepted, and rests");
    const std::map<std::string, OnDisconnect> choices = {{"cancel", OnDisconnect::kCancel},
                                                         {"keep", OnDisconnect::kKeep}};
    options
        .AddChoice("--on-disconnect", on_disconnect_, choices,
                   "What becomes of orders when the connection is lost: cancel or keep")
        .Type("ACTION");
    options.Add("--for", seconds_, "End after so long")
        .Type("TIME")
        .TimeSpan(/*unit_is_required=*/true, "30s, 10m or 2h");
    options.Add("-o,--output", output_, "The journal of the run; by default its name has the time")
        .Type("RUN");
    options
        .Add(
            "--latencies", latencies_,
            "Write what was measured, for the options of 'backtest': NAME-data.hdr, NAME-order.hdr")
        .Type("NAME");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const strategy::StrategyInfo* const info, StrategyNamed(strategy_));
    ASSIGN_OR_RETURN(LiveTerms terms, Terms(info->make()));
    ASSIGN_OR_RETURN(const PrivateKey key, venue_.Key());
    SystemClock clock;
    const uint64_t random = RandomWord();
    terms.client.run = absl::StrFormat("tt%012x", random >> 16);
    terms.client.seed = random;
    if (output_.empty()) {
      output_ =
          absl::StrCat(strategy_, "-",
                       absl::FormatTime("%Y%m%d-%H%M%S", absl::FromUnixNanos(clock.Now().nanos()),
                                        absl::UTCTimeZone()),
                       ".tape");
    }
    strategy::StrategyMachine machine(strategy_, info->make());
    ASSIGN_OR_RETURN(const std::unique_ptr<MachineJournal> journal,
                     MachineJournal::Create(output_, StrategyMetadata(strategy_, Origin()),
                                            absl::StrCat("trade ", terms.client.run), machine));
    ASSIGN_OR_RETURN(const std::unique_ptr<client::Signatures> signatures,
                     client::Signatures::Make(key, clock, {}));
    Interrupt interrupt;
    Progress progress(console, "trade", "inputs", 0);
    LiveRun run(std::move(terms), machine, *journal, *signatures, clock,
                [&](absl::string_view line) {
                  progress.Clear();
                  console.Note(line);
                });
    console.Note("trading at ", venue_.venue(), ", recorded as ", output_,
                 "; Ctrl-C cancels all orders and ends");
    const absl::Status ended = Trade(run, machine, *journal, interrupt, clock, progress);
    progress.Clear();
    // A run that never saw a market leaves nothing; any other is kept, also after an error.
    if (!ended.ok() && machine.desk().markets().empty()) return ended;
    ASSIGN_OR_RETURN(const journal::Checkpoint last, journal->Seal());
    RETURN_IF_ERROR(journal->Finish());
    RETURN_IF_ERROR(WriteLatencies(run));
    PrintReport(run, machine, signatures->counts(), last, ended, console);
    if (!ended.ok()) return ended;
    return machine.desk().is_stopped() ? ExitCode::kDifferent : ExitCode::kOk;
  }

 private:
  absl::StatusOr<LiveTerms> Terms(std::unique_ptr<strategy::Strategy> strategy) const {
    LiveTerms terms;
    terms.key_id = venue_.key_id();
    terms.is_dry = is_dry_;
    ASSIGN_OR_RETURN(terms.web, venue_.Web());
    terms.client.tickers = tickers_;
    terms.client.cancels_on_disconnect = on_disconnect_ == OnDisconnect::kCancel;
    std::vector<std::string> sorted = tickers_;
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
      return absl::InvalidArgumentError(absl::StrCat("--market ", *twice, " is given twice"));
    }
    for (const std::string& ticker : sorted) {
      if (ticker.empty() || ticker.size() > size_t{engine::kSymbolBytesMax}) {
        return absl::InvalidArgumentError(
            absl::StrCat("--market: a ticker has 1 to ", engine::kSymbolBytesMax, " letters"));
      }
    }
    const strategy::Desk desk(*strategy);  // It adds the limits.
    for (const std::string& text : parameters_) {
      ASSIGN_OR_RETURN(strategy::Parameters::Assignment set, strategy->parameters().Parse(text));
      terms.parameters.push_back(std::move(set));
    }
    return terms;
  }

  // Runs until the end; the first error.
  absl::Status Trade(LiveRun& run, const strategy::StrategyMachine& machine,
                     MachineJournal& journal, const Interrupt& interrupt, engine::Clock& clock,
                     Progress& progress) const {
    RETURN_IF_ERROR(run.Begin());
    const engine::Timestamp began = clock.Now();
    engine::Timestamp written = began;
    absl::Status first_error;
    bool is_stopping = false;
    while (!run.is_over()) {
      absl::Status status = run.Turn(kTurnNanos);
      progress.Show(journal.last_sequence().value());
      const engine::Timestamp now = clock.Now();
      if (status.ok() && now.nanos() - written.nanos() >= kHeartbeatNanos) {
        written = now;
        run.RecordTime();
        status = journal.Write();
      }
      if (first_error.ok()) first_error = status;
      const bool is_time = seconds_ != 0 && now.nanos() - began.nanos() >=
                                                static_cast<int64_t>(seconds_) * 1'000'000'000;
      const bool ends =
          interrupt.raised() || is_time || machine.desk().is_stopped() || !first_error.ok();
      if (ends && !is_stopping) {
        is_stopping = true;
        run.Stop();
      }
    }
    return first_error;
  }

  void PrintReport(const LiveRun& run, const strategy::StrategyMachine& machine,
                   const client::SignatureCounts& counts, const journal::Checkpoint& last,
                   const absl::Status& ended, Console& console) const {
    Report report("ticktape.trade/1");
    report.Fact("strategy", "strategy", strategy_);
    report.Fact("run", "run", output_);
    report.Fact("inputs", "inputs", last.sequence.value());
    const strategy::Desk& desk = machine.desk();
    report.BeginArray("markets");
    for (const strategy::Desk::Market& market : desk.markets()) {
      report.BeginElement();
      report.Row(market.definition.symbol, "position ", PositionText(market), ", profit ",
                 market.profit.ToString());
      report.Field("market", market.definition.symbol);
      report.Field("position", PositionText(market));
      report.Field("profit", market.profit.ToString());
      report.EndElement();
    }
    report.EndArray();
    report.Fact("profit", "profit", desk.profit().ToString());
    if (desk.is_stopped()) report.Row("stopped", "by a limit of loss, or by the strategy itself");
    report.Field("is_stopped", desk.is_stopped());
    const client::Client& client = run.client();
    report.Fact("requests", "requests", client.counts().calls);
    report.Fact("failed", "requests_failed", client.counts().calls_failed);
    report.Fact("not sent", "requests_not_sent", client.counts().refused_here);
    report.Fact("disconnects", "disconnects", client.counts().disconnects);
    report.Fact("gaps", "gaps", client.feed().gaps());
    report.Fact("reconciled", "reconciliations", client.counts().listings);
    AddTimes(report, "round trip", "round_trip", run.round_trips());
    AddTimes(report, "data latency", "data_latency", run.data_latencies());
    const uint64_t all = counts.hits + counts.misses;
    report.Row("signatures", WithCommas(all), " used, ",
               absl::StrFormat("%.1f", all == 0 ? 0 : 100.0 * double(counts.hits) / double(all)),
               " % made ahead of time");
    report.Field("signatures", all);
    report.Field("signatures_ahead", counts.hits);
    report.Row("clock offset", absl::StrFormat("%.3f s", double(run.clock_offset_nanos()) / 1e9));
    report.Field("clock_offset_nanos", run.clock_offset_nanos());
    AddDigests(report, last);
    report.Field("error", ended.message());
    report.PrintTo(console);
  }

  static std::string PositionText(const strategy::Desk::Market& market) {
    return absl::StrFormat("%.2f", double(market.position.units()) / 100);
  }

  static void AddTimes(Report& report, absl::string_view title, absl::string_view name,
                       const replay::LatencyHistogram& times) {
    if (times.count() == 0) return;
    const uint64_t p50 = times.Percentile(500'000);
    const uint64_t p99 = times.Percentile(990'000);
    report.Row(title, "p50 ", HumanNanos(p50), ", p99 ", HumanNanos(p99));
    report.Field(absl::StrCat(name, "_p50_nanos"), p50);
    report.Field(absl::StrCat(name, "_p99_nanos"), p99);
  }

  // What a backtest takes as its latencies.
  absl::Status WriteLatencies(const LiveRun& run) const {
    if (latencies_.empty()) return absl::OkStatus();
    RETURN_IF_ERROR(WriteFile(absl::StrCat(latencies_, "-data.hdr"),
                              replay::EncodeHistogram(run.data_latencies()), /*replace=*/true));
    return WriteFile(absl::StrCat(latencies_, "-order.hdr"),
                     replay::EncodeHistogram(run.order_latencies()), /*replace=*/true);
  }

  std::string Origin() const {
    return absl::StrCat("trade ", strategy_, " at ", venue_.venue(),
                        " markets=", absl::StrJoin(tickers_, ","),
                        " set=", absl::StrJoin(parameters_, ","), is_dry_ ? kDryRun : "");
  }

  VenueOptions venue_;
  std::string strategy_;
  std::vector<std::string> tickers_;
  std::vector<std::string> parameters_;
  bool is_dry_ = false;
  OnDisconnect on_disconnect_ = OnDisconnect::kCancel;
  uint64_t seconds_ = 0;
  std::string output_;
  std::string latencies_;
};

}  // namespace

std::unique_ptr<Verb> MakeTradeVerb() { return std::make_unique<TradeVerb>(); }

}  // namespace tools
