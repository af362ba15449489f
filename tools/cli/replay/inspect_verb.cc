// ticktape inspect: shows the exchange at a position, what changed between two positions,
// everything that happened to one entity, or an interactive view in the terminal.

#include "engine/messages/market_directory.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "replay/compare/moments.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/replay/inspect.h"
#include "tools/cli/travel/travel_in_terminal.h"

namespace tools {

absl::StatusOr<engine::OrderId> ParseOrderNumber(const std::string& words) {
  const auto position = ParsePosition(words);
  if (!position.ok() || position->kind != Position::Kind::kSequence) {
    return absl::InvalidArgumentError(
        absl::StrCat("--order '", words, "' is not an order's number; expected e.g. 4711"));
  }
  return engine::OrderId(position->number);
}

std::string PositionText(int64_t position, const engine::MarketDefinition* market) {
  const std::string sign = position > 0 ? "+" : "";
  if (market == nullptr) return absl::StrCat(sign, position, " units");
  return absl::StrCat(
      sign, engine::FormatPrice(engine::Price::FromUnits(position), market->quantity_decimals));
}

void WriteMoney(JsonObject& json, const replay::AccountMoney& money,
                const engine::MarketDirectory& markets) {
  json.Field("is_open", money.is_open);
  json.Field("balance", money.balance);
  json.Field("reserved", money.reserved);
  json.Field("available", money.available());
  json.Objects("positions", money.positions, [&](const auto& entry) {
    const auto& [id, position] = entry;
    const engine::MarketDefinition* market = markets.Find(id);
    if (market != nullptr) json.Field("market", market->symbol);
    json.Field("market_id", id);
    if (market != nullptr) json.Field("position", PositionText(position, market));
    json.Field("position_units", position);
  });
}

namespace {

constexpr char kExamples[] = R"(  ticktape inspect a.tape
  ticktape inspect a.tape @50000 --market AAPL --depth 5
  ticktape inspect a.tape @2020-01-30T09:30:00Z --order 4711 --life
  ticktape inspect a.tape @order:4711 --market AAPL --queue bid@320.14
  ticktape inspect a.tape @50000 --account 17
  ticktape inspect a.tape --diff @50000 @+5s --market AAPL
  ticktape inspect a.tape --watch order:4711
  ticktape inspect a.tape 1000..2000 --watch level:AAPL:bid:320.14
  ticktape inspect run.tape @5000 --market AAPL --depth 3
  ticktape inspect a.tape @50000 -i

Replays up to and including the position, by default the last record, from the nearest
snapshot. Shows what that command did, then a book: of the market that is named, else
of the order's, else of that command's, else, and without a position, of the one with the
most orders. Of a strategy's run: the row, what was decided, and its parameters, books,
positions and live orders. In the terminal (-i), ? shows the keys.)";

class InspectVerb final : public Verb {
 public:
  InspectVerb()
      : Verb(
            "inspect",
            "Show the exchange at a position: book, queue, order, account; or walk through the log",
            kExamples) {}

  void Declare(Options& options) override {
    options.Add("journal", request_.path, "The journal's folder").Required().Type("JOURNAL");
    options
        .Add("position", request_.position,
             "Up to and including this record; with --watch, a range")
        .Type("POSITION");
    options
        .Add("--market", request_.market, "Which book: a symbol, or a market's number such as #7")
        .Type("SYMBOL");
    options
        .Add("--depth", request_.depth, "Price levels of each side; lines of each list of --diff")
        .Type("COUNT")
        .ShowDefault()
        .InRange(1, 1'000'000);
    options
        .Add("--order", request_.order,
             "Also this order: its life so far, and its place in the queue")
        .Type("ID");
    options.AddFlag("--life", request_.whole_life, "With --order: also what becomes of it later");
    options
        .Add("--account", request_.account,
             "Also this account: money, positions, orders in the book")
        .Type("ID");
    options.Add("--queue", request_.queue, "Instead of the book, who waits at that price")
        .Type("bid|ask@PRICE");
    options.Add("--diff", request_.diff, "What changed between two positions").Takes(2).Type("A B");
    options
        .Add("--watch", request_.watch,
             "Everything that happens to order:ID, level:SYMBOL:bid|ask:PRICE, account:ID or "
             "market:SYMBOL")
        .Type("TOPIC");
    options.AddFlag("-i,--interactive", is_interactive_, "Walk through the log in the terminal");
    AddEngineOption(options, request_.engine);
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    RETURN_IF_ERROR(CheckTogether());
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(request_.path));
    const bool is_of_exchange = IsOfExchange(opened.reader->info());
    if (!is_of_exchange) RETURN_IF_ERROR(ApplicationOf(opened.reader->info()).status());
    if (is_interactive_) RETURN_IF_ERROR(CheckIsOfExchange(opened.reader->info()));
    const auto show = !is_of_exchange           ? ShowRow
                      : !request_.diff.empty()  ? ShowDiff
                      : !request_.watch.empty() ? ShowWatched
                                                : ShowPlace;
    RETURN_IF_ERROR(is_interactive_ ? Travel(console, opened) : show(request_, opened, console));
    return ExitCode::kOk;
  }

 private:
  // Rejects combinations of options of which one would be ignored.
  absl::Status CheckTogether() const {
    const auto refuse = [](const char* message) { return absl::InvalidArgumentError(message); };
    const bool diffs = !request_.diff.empty();
    const bool watches = !request_.watch.empty();
    const bool names_entity =
        request_.order.has_value() || request_.account.has_value() || !request_.queue.empty();
    if (diffs + watches + is_interactive_ > 1) {
      return refuse("--diff, --watch and -i are three questions; ask one");
    }
    if (request_.whole_life && !request_.order.has_value()) return refuse("--life needs --order");
    if (diffs && request_.position.has_value()) {
      return refuse("--diff has two positions of its own; expected no other");
    }
    if ((diffs || watches) && names_entity) {
      return refuse(
          "--order, --account and --queue go with one position, not with --diff or --watch");
    }
    if (watches && !request_.market.empty()) {
      return refuse("--watch names its market itself: market:SYMBOL");
    }
    if (is_interactive_ &&
        (request_.account.has_value() || !request_.queue.empty() || request_.whole_life)) {
      return refuse("-i shows queues itself; --account, --queue and --life print");
    }
    return absl::OkStatus();
  }

  absl::Status Travel(Console& console, const OpenedJournal& opened) const {
    if (console.json()) return absl::InvalidArgumentError("-i and --json exclude each other");
    if (request_.order.has_value()) RETURN_IF_ERROR(ParseOrderNumber(*request_.order).status());
    return TravelInTerminal(opened, {.path = request_.path,
                                     .position = request_.position.value_or("@-1"),
                                     .shows_market_of_command = request_.position.has_value(),
                                     .market = request_.market,
                                     .order = request_.order.value_or(""),
                                     .time_zone = console.time_zone(),
                                     .engine = request_.engine});
  }

  InspectRequest request_;
  bool is_interactive_ = false;
};

}  // namespace

std::unique_ptr<Verb> MakeInspectVerb() { return std::make_unique<InspectVerb>(); }

}  // namespace tools
