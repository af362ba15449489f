// ticktape inspect: shows the exchange at a position, what changed between two positions,
// everything that happened to one entity, or an interactive view in the terminal.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "replay/engines.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/inspect_diff.h"
#include "tools/cli/replay/inspect_watch.h"
#include "tools/cli/replay/inspection.h"
#include "tools/cli/replay/verbs.h"
#include "tools/cli/travel/travel_in_terminal.h"

namespace tools {
namespace {

using engine::MarketDefinition;
using engine::SequenceNumber;

// Returns the previous position, or `place` if there is none.
SequenceNumber Before(SequenceNumber place) {
  return place == SequenceNumber() ? place : place - 1;
}

// "bid@320.14". Errors: INVALID_ARGUMENT that shows what is expected. `market` may be null.
absl::StatusOr<std::pair<engine::Side, engine::Price>> ParseQueue(
    const std::string& queue, const engine::MarketDefinition* market) {
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(queue, absl::MaxSplits('@', 1));
  if (words.first != "bid" && words.first != "ask") {
    return absl::InvalidArgumentError(
        absl::StrCat("--queue '", queue, "': expected a side and a price, e.g. bid@320.14"));
  }
  if (market == nullptr) {
    return absl::InvalidArgumentError("--queue: no market is defined up to there");
  }
  const auto price = engine::ParsePrice(words.second, market->price_decimals);
  if (!price.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--queue '", queue, "': ", price.status().message(), "; expected e.g. bid@320.14"));
  }
  return std::pair{words.first == "bid" ? engine::Side::kBid : engine::Side::kAsk, *price};
}

// "4711", also written as a position, because an order's number is the sequence number of its
// command. Errors: INVALID_ARGUMENT that shows what is expected.
absl::StatusOr<engine::OrderId> ParseOrderNumber(const std::string& words) {
  const auto position = ParsePosition(words);
  if (!position.ok() || position->kind != Position::Kind::kSequence) {
    return absl::InvalidArgumentError(
        absl::StrCat("--order '", words, "' is not an order's number; expected e.g. 4711"));
  }
  return engine::OrderId(position->number);
}

class InspectVerb final : public Verb {
 public:
  const char* name() const override { return "inspect"; }
  const char* summary() const override {
    return "Show the exchange at a position: book, queue, order, account; or walk through the log";
  }
  const char* examples() const override {
    return "  ticktape inspect a.tape\n"
           "  ticktape inspect a.tape @50000 --market AAPL --depth 5\n"
           "  ticktape inspect a.tape @2020-01-30T09:30:00Z --order 4711 --life\n"
           "  ticktape inspect a.tape @order:4711 --market AAPL --queue bid@320.14\n"
           "  ticktape inspect a.tape @50000 --account 17\n"
           "  ticktape inspect a.tape --diff @50000 @+5s --market AAPL\n"
           "  ticktape inspect a.tape --watch order:4711\n"
           "  ticktape inspect a.tape 1000..2000 --watch level:AAPL:bid:320.14\n"
           "  ticktape inspect a.tape @50000 -i\n"
           "\n"
           "Replays up to and including the position, by default the last record, from the "
           "nearest\n"
           "snapshot. Shows what that command did, then a book: of the market that is named, else\n"
           "of the order's, else of that command's, else, and without a position, of the busiest.\n"
           "In the terminal (-i), ? shows the keys.";
  }
  void Declare(Options& options) override;
  absl::StatusOr<ExitCode> Run(Console& console) override;

 private:
  absl::Status CheckTogether() const;
  absl::StatusOr<ExitCode> Show(Console& console, const OpenedJournal& opened);
  absl::StatusOr<ExitCode> ShowDiff(Console& console, const OpenedJournal& opened);
  absl::StatusOr<ExitCode> ShowWatched(Console& console, const OpenedJournal& opened);
  absl::StatusOr<ExitCode> Travel(Console& console, const OpenedJournal& opened);

  absl::StatusOr<InspectRequest> MakeRequest(journal::Reader& reader) const;
  absl::StatusOr<const MarketDefinition*> ChooseMarket(const Inspection& inspection) const;
  absl::StatusOr<InspectTopic> ChooseTopic(const Inspection& inspection) const;

  std::string path_;
  std::optional<std::string> position_;  // Nullopt: the last record.
  std::string market_;
  std::string queue_;
  std::optional<std::string> order_;
  bool whole_life_ = false;
  std::optional<uint64_t> account_;
  std::vector<std::string> diff_;
  std::string watch_;
  bool interactive_ = false;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
  size_t depth_ = 10;
};

void InspectVerb::Declare(Options& options) {
  options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
  options.Add("position", position_, "Up to and including this record; with --watch, a range")
      .Type("POSITION");
  options.Add("--market", market_, "Which book: a symbol, or a market's number such as #7")
      .Type("SYMBOL");
  options.Add("--depth", depth_, "Price levels of each side; lines of each list of --diff")
      .Type("COUNT")
      .ShowDefault()
      .InRange(1, 1'000'000);
  options.Add("--order", order_, "Also this order: its life so far, and its place in the queue")
      .Type("ID");
  options.AddFlag("--life", whole_life_, "With --order: also what becomes of it later");
  options.Add("--account", account_, "Also this account: money, positions, orders in the book")
      .Type("ID");
  options.Add("--queue", queue_, "Instead of the book, who waits at that price")
      .Type("bid|ask@PRICE");
  options.Add("--diff", diff_, "What changed between two positions").Takes(2).Type("A B");
  options
      .Add("--watch", watch_,
           "Everything that happens to order:ID, level:SYMBOL:bid|ask:PRICE, account:ID or "
           "market:SYMBOL")
      .Type("TOPIC");
  options.AddFlag("-i,--interactive", interactive_, "Walk through the log in the terminal");
  AddEngineOption(options, engine_);
}

// Rejects combinations of options of which one would be ignored.
absl::Status InspectVerb::CheckTogether() const {
  const auto refuse = [](const char* message) { return absl::InvalidArgumentError(message); };
  if (!diff_.empty() + !watch_.empty() + interactive_ > 1) {
    return refuse("--diff, --watch and -i are three questions; ask one");
  }
  if (whole_life_ && !order_.has_value()) return refuse("--life needs --order");
  if (!diff_.empty() && position_.has_value()) {
    return refuse("--diff has two positions of its own; expected no other");
  }
  const bool is_one_place = diff_.empty() && watch_.empty();
  if (!is_one_place && (order_.has_value() || account_.has_value() || !queue_.empty())) {
    return refuse(
        "--order, --account and --queue go with one position, not with --diff or --watch");
  }
  if (!watch_.empty() && !market_.empty()) {
    return refuse("--watch names its market itself: market:SYMBOL");
  }
  if (interactive_ && (account_.has_value() || !queue_.empty() || whole_life_)) {
    return refuse("-i shows queues itself; --account, --queue and --life print");
  }
  return absl::OkStatus();
}

absl::StatusOr<InspectRequest> InspectVerb::MakeRequest(journal::Reader& reader) const {
  InspectRequest request;
  ASSIGN_OR_RETURN(const Position position, ParsePosition(position_.value_or("@-1")));
  ASSIGN_OR_RETURN(request.last, Resolve(position, reader));
  request.whole_life = whole_life_;
  if (account_.has_value()) {
    request.account = engine::AccountId(static_cast<uint32_t>(*account_));
    if (request.account->value() != *account_) {
      return absl::InvalidArgumentError(
          absl::StrCat("--account ", *account_, " is not an account's number; expected e.g. 17"));
    }
  }
  if (order_.has_value()) {
    ASSIGN_OR_RETURN(request.order, ParseOrderNumber(*order_));
  }
  return request;
}

absl::StatusOr<const MarketDefinition*> InspectVerb::ChooseMarket(
    const Inspection& inspection) const {
  const engine::MarketDirectory& markets = inspection.markets.markets();
  if (!market_.empty()) return FindMarket(market_, markets);
  if (inspection.history.has_value() && !inspection.history->entries().empty()) {
    const auto* market = markets.Find(inspection.history->entries().front().event.market);
    if (market != nullptr) return market;
  }
  if (position_.has_value()) {
    const auto* market = markets.Find(inspection.command.market);
    if (market != nullptr) return market;
  }
  return inspection.BusiestMarket();
}

absl::StatusOr<InspectTopic> InspectVerb::ChooseTopic(const Inspection& inspection) const {
  InspectTopic topic{.path = path_, .depth = depth_};
  ASSIGN_OR_RETURN(topic.market, ChooseMarket(inspection));
  if (queue_.empty()) return topic;
  ASSIGN_OR_RETURN(topic.queue, ParseQueue(queue_, topic.market));
  return topic;
}

// If the first records were deleted, orders created by them cannot be shown.
absl::Status CheckIsWhole(const OpenedJournal& opened, engine::OrderId order) {
  ASSIGN_OR_RETURN(const SequenceNumber oldest,
                   OldestStart(*opened.directory, opened.reader->info()));
  if (order.value() > oldest.value() || oldest == SequenceNumber()) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("--order ", order.value(), ": this journal's records begin after @",
                   oldest.value(), ", and the order with command @", order.value()));
}

absl::StatusOr<ExitCode> InspectVerb::Show(Console& console, const OpenedJournal& opened) {
  ASSIGN_OR_RETURN(const InspectRequest request, MakeRequest(*opened.reader));
  std::unique_ptr<Inspection> inspection;
  {
    Progress progress(console, "inspect", "records", request.last.value());
    SequenceNumber before = Before(request.last);
    // The order's whole history is shown, so the replay starts before its command.
    if (request.order.has_value()) {
      RETURN_IF_ERROR(CheckIsWhole(opened, *request.order));
      before = std::min(before, Before(SequenceNumber(request.order->value())));
    }
    ASSIGN_OR_RETURN(
        replay::StartingPoint start,
        StartFromSnapshot(*opened.directory, opened.reader->info(), before, engine_, console));
    ASSIGN_OR_RETURN(inspection, Inspect(start, *opened.reader, request, progress));
  }
  ASSIGN_OR_RETURN(const InspectTopic topic, ChooseTopic(*inspection));
  MakeReport(*inspection, topic).PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> InspectVerb::ShowDiff(Console& console, const OpenedJournal& opened) {
  const auto resolve = [&](const std::string& text) -> absl::StatusOr<SequenceNumber> {
    ASSIGN_OR_RETURN(const Position position, ParsePosition(text));
    return Resolve(position, *opened.reader);
  };
  ASSIGN_OR_RETURN(const SequenceNumber from, resolve(diff_[0]));
  ASSIGN_OR_RETURN(const SequenceNumber to, resolve(diff_[1]));
  if (to < from) {
    return absl::InvalidArgumentError(absl::StrCat("--diff runs backwards: from @", from.value(),
                                                   " to @", to.value(), "; exchange them"));
  }
  Progress progress(console, "inspect", "records", to.value());
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, opened.reader->info(), from, engine_, console));
  const InspectDiffTopic topic = {
      .path = path_, .from = from, .to = to, .market = market_, .lines = depth_};
  ASSIGN_OR_RETURN(Report report, DiffMoments(start, *opened.reader, topic, progress));
  progress.Clear();
  report.PrintTo(console);
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> InspectVerb::ShowWatched(Console& console, const OpenedJournal& opened) {
  ASSIGN_OR_RETURN(const WatchTopic topic, ParseWatchTopic(watch_));
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(position_.value_or(""), *opened.reader));
  if (range.empty()) return absl::OutOfRangeError("the journal is empty");
  SequenceNumber after = Before(range.first);
  if (topic.kind == WatchTopic::Kind::kOrder) {
    if (topic.order.value() > opened.reader->info().last_sequence.value()) {
      return absl::OutOfRangeError(absl::StrCat("--watch ", watch_, ": the journal ends at @",
                                                opened.reader->info().last_sequence.value()));
    }
    // Nothing happens to an order before its own command.
    after = std::max(after, std::min(range.last, Before(SequenceNumber(topic.order.value()))));
  }
  Progress progress(console, "inspect", "records", range.last.value());
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, opened.reader->info(), after, engine_, console));
  uint64_t moment_count = 0;
  const auto show = [&](Report report) {
    if (++moment_count == 1) progress.Clear();
    report.PrintTo(console);
  };
  ASSIGN_OR_RETURN(const bool is_known,
                   Watch(start, *opened.reader, topic, after, range.last, progress, show));
  if (moment_count == 0) {
    console.Note(watch_, is_known ? ": nothing happens to it" : ": not found", " from @",
                 range.first.value(), " to @", range.last.value());
  }
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> InspectVerb::Travel(Console& console, const OpenedJournal& opened) {
  if (console.json()) return absl::InvalidArgumentError("-i and --json exclude each other");
  if (order_.has_value()) {
    RETURN_IF_ERROR(ParseOrderNumber(*order_).status());
  }
  RETURN_IF_ERROR(TravelInTerminal(*opened.directory, {.path = path_,
                                                       .position = position_.value_or("@-1"),
                                                       .market = market_,
                                                       .order = order_.value_or(""),
                                                       .engine = engine_}));
  return ExitCode::kOk;
}

absl::StatusOr<ExitCode> InspectVerb::Run(Console& console) {
  RETURN_IF_ERROR(CheckTogether());
  ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
  RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
  if (interactive_) return Travel(console, opened);
  if (!diff_.empty()) return ShowDiff(console, opened);
  if (!watch_.empty()) return ShowWatched(console, opened);
  return Show(console, opened);
}

}  // namespace

std::unique_ptr<Verb> MakeInspectVerb() { return std::make_unique<InspectVerb>(); }

}  // namespace tools
