#include "engine/differential/transcript.h"

#include <algorithm>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/account_view.h"
#include "engine/views/depth_view.h"

namespace engine {
namespace {

constexpr absl::string_view kDivider = "----";
constexpr absl::string_view kFirstTime = "2026-01-01T00:00:00Z";

// The market that `market ACME` defines: cents, whole units, 0.01 to 1000.00.
MarketDefinition StandardMarket(MarketId id, absl::string_view symbol) {
  return {.id = id,
          .symbol = std::string(symbol),
          .price_decimals = 2,
          .quantity_decimals = 0,
          .tick = Price::FromUnits(1),
          .price_min = Price::FromUnits(1),
          .price_max = Price::FromUnits(100'000),
          .lot = Quantity::FromUnits(1)};
}

// `market RAIN binary` and `market RAIN binary tapered`: contracts of one dollar, in hundredths,
// at cents; tapered, below 0.10 and above 0.90 at tenths of a cent.
MarketDefinition BinaryMarket(MarketId id, absl::string_view symbol, bool is_tapered) {
  const auto price = [](int64_t units) { return Price::FromUnits(units); };
  MarketDefinition market = {.id = id,
                             .symbol = std::string(symbol),
                             .price_decimals = 4,
                             .quantity_decimals = 2,
                             .tick = price(100),
                             .price_min = price(100),
                             .price_max = price(9'900),
                             .lot = Quantity::FromUnits(1),
                             .kind = MarketKind::kBinary};
  if (is_tapered) {
    market.price_min = price(10);
    market.price_max = price(9'990);
    market.bands = {{price(10), price(10)}, {price(1'000), price(100)}, {price(9'010), price(10)}};
  }
  return market;
}

// Whether the balances and positions computed from the events are the engine's.
bool AgreesWithAccounts(const AccountView& view, const TranscriptEngine& engine) {
  for (const auto& [id, account] : view.accounts()) {
    const std::optional<MoneyInTranscript> money = engine.FindAccount(id);
    if (!money.has_value() || money->balance != account.balance) return false;
    for (const auto& [market, definition] : engine.markets().all()) {
      if (engine.Position(id, market) != view.Position(id, market)) return false;
    }
  }
  return true;
}

// Whether the depth computed from the events is that of the engine's books.
bool AgreesWithBook(const DepthView& depth, const TranscriptEngine& engine) {
  struct Place {
    OrderId order;
    Price price;
    Quantity quantity_remaining;
    bool operator==(const Place&) const = default;
  };
  for (const auto& [id, definition] : engine.markets().all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      std::vector<Place> viewed;
      depth.VisitLevels(id, side, [&](Price price, const DepthView::Level& level) {
        Quantity sum;
        for (const DepthView::Place& place : level.queue) {
          viewed.push_back({place.order, price, place.quantity_remaining});
          sum += place.quantity_remaining;
        }
        if (sum != level.quantity) viewed.clear();
        return true;
      });
      std::vector<Place> booked;
      engine.VisitOrders(id, side, [&](const RestingOrder& order) {
        booked.push_back({order.id, order.price, order.quantity_remaining});
      });
      if (viewed != booked) return false;
    }
  }
  return true;
}

class Runner {
 public:
  Runner(absl::string_view file, const TranscriptEngines& engines)
      : file_(file), engines_(engines) {
    CHECK(!engines_.empty());
    now_ = *Timestamp::Parse(kFirstTime);
  }

  absl::StatusOr<TranscriptResult> Run(absl::string_view text) {
    if (!absl::StartsWith(text, "# ")) {
      line_number_ = 1;
      return Malformed("a transcript begins with '# ' and the rule it states");
    }
    bool is_answer = false;  // Between a divider and the next blank line.
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      ++line_number_;
      line = absl::StripTrailingAsciiWhitespace(line);
      if (line.empty()) {
        EndBlock();
        is_answer = false;
      } else if (is_answer) {
        if (line == kDivider || line.front() == '#') {
          return Malformed("'", line, "' within an answer; a blank line ends the block");
        }
      } else if (line == kDivider) {
        is_answer = true;
      } else {
        absl::StrAppend(&block_, line, "\n");
        RETURN_IF_ERROR(RunLine(line));
      }
    }
    EndBlock();
    return std::move(result_);
  }

 private:
  template <typename... What>
  absl::Status Malformed(const What&... what) const {
    return absl::InvalidArgumentError(absl::StrCat(file_, ":", line_number_, ": ", what...));
  }
  template <typename... What>
  absl::Status Disagreement(const What&... what) const {
    return absl::InternalError(absl::StrCat(file_, ":", line_number_, ": ", what...));
  }

  // Writes the commands, then, if there are answers, the divider and the answers.
  void EndBlock() {
    if (block_.empty()) return;
    if (!result_.text.empty()) result_.text += "\n";
    result_.text += block_;
    if (!answer_.empty()) absl::StrAppend(&result_.text, kDivider, "\n", answer_);
    block_.clear();
    answer_.clear();
  }

  absl::Status RunLine(absl::string_view line) {
    if (line.front() == '#') return absl::OkStatus();
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const std::span<const absl::string_view> arguments = std::span(words).subspan(1);
    if (words[0] == "market") return RunMarket(arguments);
    if (words[0] == "at") return RunAt(arguments);
    if (words[0] == "book") return RunBook(arguments);
    if (words[0] == "queue") return RunQueue(arguments);
    if (words[0] == "digest") return RunDigest(arguments);
    if (words[0] == "fund") return RunFund(arguments);
    if (words[0] == "account") return RunAccount(arguments);
    return RunCommand(line);
  }

  absl::Status RunMarket(std::span<const absl::string_view> arguments) {
    constexpr absl::string_view kUsage =
        "expected: market <symbol> [binary [tapered]] [mirrored] [unopened]";
    if (arguments.empty()) return Malformed(kUsage);
    const absl::string_view symbol = arguments[0];
    arguments = arguments.subspan(1);
    const auto take = [&](absl::string_view word) {
      const bool is_there = !arguments.empty() && arguments[0] == word;
      if (is_there) arguments = arguments.subspan(1);
      return is_there;
    };
    const auto id = MarketId(static_cast<uint32_t>(markets().all().size() + 1));
    MarketDefinition definition =
        take("binary") ? BinaryMarket(id, symbol, take("tapered")) : StandardMarket(id, symbol);
    definition.mirrored = take("mirrored");
    definition.starts_unopened = take("unopened");
    if (!arguments.empty()) return Malformed(kUsage);
    Command command;
    command.kind = CommandKind::kDefineMarket;
    command.market = id;
    RETURN_IF_ERROR(Apply(command, EncodeMarketDefinition(definition)));
    if (markets().Find(id) == nullptr) {
      return Malformed("market ", symbol, " cannot be defined");
    }
    return absl::OkStatus();
  }

  absl::Status RunFund(std::span<const absl::string_view> arguments) {
    Command command;
    ASSIGN_OR_RETURN(command.account, TakeAccount(arguments));
    const auto amount = arguments.empty() ? Money() : Money::Parse(arguments[0]);
    if (arguments.size() != 1 || !amount.ok()) {
      return Malformed("expected: fund <account> <dollars>");
    }
    command.kind = CommandKind::kOpenAccount;
    RETURN_IF_ERROR(Apply(command, {}));
    command.kind = CommandKind::kDeposit;
    command.set_amount(*amount);
    RETURN_IF_ERROR(Apply(command, {}));
    if (result_.events.back().kind != EventKind::kBalance) {
      return Malformed("account ", command.account.value(), " cannot be funded");
    }
    return absl::OkStatus();
  }

  absl::Status RunAccount(std::span<const absl::string_view> arguments) {
    ASSIGN_OR_RETURN(const AccountId id, TakeAccount(arguments));
    if (!arguments.empty()) return Malformed("expected: account <account>");
    const std::optional<MoneyInTranscript> money = engines_.front()->FindAccount(id);
    absl::StrAppend(&answer_, "account ", id.value());
    if (money.has_value()) {
      absl::StrAppend(&answer_, " balance=", money->balance.ToString(),
                      " reserved=", money->reserved.ToString(),
                      " available=", (money->balance - money->reserved).ToString());
    } else {
      absl::StrAppend(&answer_, " not open");
    }
    for (const auto& [market, definition] : markets().all()) {
      const int64_t position = engines_.front()->Position(id, market);
      if (position == 0) continue;
      absl::StrAppend(&answer_, " ", definition.symbol, "=",
                      FormatPrice(Price::FromUnits(position), definition.quantity_decimals));
    }
    answer_ += "\n";
    return absl::OkStatus();
  }

  // Removes the account from the front of `arguments` and returns it.
  absl::StatusOr<AccountId> TakeAccount(std::span<const absl::string_view>& arguments) {
    uint32_t number = 0;
    if (arguments.empty() || !ParseInteger(arguments[0], number)) {
      return Malformed("expected the number of an account");
    }
    arguments = arguments.subspan(1);
    return AccountId(number);
  }

  absl::Status RunAt(std::span<const absl::string_view> arguments) {
    if (arguments.size() != 1) return Malformed("expected: at <time>");
    const auto time = Timestamp::Parse(arguments[0]);
    if (!time.ok()) return Malformed(time.status().message());
    if (*time < now_) return Malformed("time does not go back; it is ", now_.ToString());
    now_ = *time;
    return absl::OkStatus();
  }

  absl::Status RunBook(std::span<const absl::string_view> arguments) {
    ASSIGN_OR_RETURN(const MarketDefinition* market, TakeMarket(arguments));
    if (!arguments.empty()) return Malformed("expected: book [market=<symbol>]");
    const size_t length_before = answer_.size();
    for (const Side side : {Side::kBid, Side::kAsk}) {
      depth_.VisitLevels(market->id, side, [&](Price price, const DepthView::Level& level) {
        absl::StrAppend(&answer_, NameOf(side), " ", FormatPrice(price, market->price_decimals),
                        " ", FormatQuantity(level.quantity, market->quantity_decimals), " (",
                        level.order_count(), ")\n");
        return true;
      });
    }
    if (answer_.size() == length_before) answer_ += "empty\n";
    return absl::OkStatus();
  }

  absl::Status RunQueue(std::span<const absl::string_view> arguments) {
    constexpr absl::string_view kUsage = "expected: queue bid|ask price=<price> [market=<symbol>]";
    ASSIGN_OR_RETURN(const MarketDefinition* market, TakeMarket(arguments));
    Side side = {};
    if (arguments.size() != 2 || !ParseName(arguments[0], side) || !IsValid(side)) {
      return Malformed(kUsage);
    }
    absl::string_view text = arguments[1];
    if (!absl::ConsumePrefix(&text, "price=")) return Malformed(kUsage);
    const auto price = ParsePrice(text, market->price_decimals);
    if (!price.ok()) return Malformed(price.status().message());
    const size_t length_before = answer_.size();
    engines_.front()->VisitOrders(market->id, side, [&](const RestingOrder& order) {
      if (order.price == *price) PrintOrder(order, *market);
    });
    if (answer_.size() == length_before) answer_ += "empty\n";
    return absl::OkStatus();
  }

  void PrintOrder(const RestingOrder& order, const MarketDefinition& market) {
    const int decimals = market.quantity_decimals;
    absl::StrAppend(&answer_, "order=", order.id.value(),
                    " remaining=", FormatQuantity(order.quantity_remaining, decimals));
    if (!order.quantity_filled.is_zero()) {
      absl::StrAppend(&answer_, " filled=", FormatQuantity(order.quantity_filled, decimals));
    }
    if (order.account != AccountId()) absl::StrAppend(&answer_, " account=", order.account.value());
    answer_ += "\n";
  }

  absl::Status RunDigest(std::span<const absl::string_view> arguments) {
    if (!arguments.empty()) return Malformed("expected: digest");
    absl::StrAppend(&answer_, "digest ", engines_.front()->StateDigest().ToString(), "\n");
    return absl::OkStatus();
  }

  absl::Status RunCommand(absl::string_view line) {
    const auto parsed = MessageText(markets(), DefaultMarket()).ParseCommand(line);
    if (!parsed.ok()) return Malformed(parsed.status().message());
    if (parsed->command.sequence != SequenceNumber()) {
      return Malformed("a transcript numbers its commands itself; times are set by 'at'");
    }
    const size_t first = result_.events.size();
    RETURN_IF_ERROR(Apply(parsed->command, parsed->attachment));
    const MessageText text(markets(), DefaultMarket());
    for (size_t i = first; i < result_.events.size(); ++i) {
      absl::StrAppend(&answer_, text.Format(result_.events[i]), "\n");
    }
    return absl::OkStatus();
  }

  // Sets the command's sequence number and time, applies it to all engines, and compares them and
  // the views.
  absl::Status Apply(Command command, Bytes attachment) {
    last_sequence_ = last_sequence_.Next();
    command.sequence = last_sequence_;
    command.timestamp = now_;
    engines_.front()->Apply(command, attachment, events_);
    const std::span<const Event> emitted = events_.events();
    depth_.OnEvents(command, emitted);
    accounts_.OnEvents(command, emitted);
    result_.commands.push_back(command);
    result_.events.insert(result_.events.end(), emitted.begin(), emitted.end());
    for (const auto& engine : engines_) {
      if (engine != engines_.front()) engine->Apply(command, attachment, other_events_);
      engine->CheckInvariants();
      if (!AgreesWithBook(depth_, *engine)) return Disagreement("the events tell another book");
      if (!AgreesWithAccounts(accounts_, *engine)) {
        return Disagreement("the events tell other balances or positions");
      }
      if (engine == engines_.front()) continue;
      if (!std::ranges::equal(other_events_.events(), emitted)) {
        return Disagreement("two engines say different things");
      }
      if (engine->StateDigest() != engines_.front()->StateDigest()) {
        return Disagreement("two engines are in different states");
      }
    }
    return absl::OkStatus();
  }

  // Removes market=<symbol> from the end of `arguments`, if it is there. Returns that market, else
  // the only one.
  absl::StatusOr<const MarketDefinition*> TakeMarket(
      std::span<const absl::string_view>& arguments) {
    const MarketDefinition* market = markets().Find(DefaultMarket());
    if (!arguments.empty()) {
      absl::string_view symbol = arguments.back();
      if (absl::ConsumePrefix(&symbol, "market=")) {
        market = markets().FindSymbol(symbol);
        arguments = arguments.first(arguments.size() - 1);
      }
    }
    if (market == nullptr) return Malformed("expected market=<symbol> of a defined market");
    return market;
  }

  const MarketDirectory& markets() const { return engines_.front()->markets(); }

  // The only market, which need not be named; zero if there are several.
  MarketId DefaultMarket() const {
    return markets().all().size() == 1 ? markets().all().begin()->first : MarketId();
  }

  const absl::string_view file_;
  const TranscriptEngines& engines_;

  DepthView depth_;
  AccountView accounts_;
  SequenceNumber last_sequence_;
  Timestamp now_;

  int line_number_ = 0;
  std::string block_;   // The commands since the last blank line.
  std::string answer_;  // The answers since then.
  TranscriptResult result_;

  EventBuffer events_;
  EventBuffer other_events_;
};

}  // namespace

absl::StatusOr<TranscriptResult> RunTranscript(absl::string_view file, absl::string_view text,
                                               const TranscriptEngines& engines) {
  return Runner(file, engines).Run(text);
}

}  // namespace engine
