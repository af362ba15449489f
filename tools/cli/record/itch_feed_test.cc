// Engine, ITCH feed, handler: the books that a mirror makes of the feed's messages are those of the
// engine after every command, of random commands and of Nasdaq's session. So are the levels of
// FeedBooks, and both of a handler that joins late.

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/differential/differential.h"
#include "engine/messages/book_update.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/parser.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/translator.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/machine.h"
#include "tools/cli/record/testing/applied_directly.h"

namespace tools {
namespace {

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";

// The exchange's own price in units of 0.0001 dollar; nullopt if it is none of ITCH's.
std::optional<int64_t> ItchPriceOf(const engine::RestingOrder& order,
                                   const engine::MarketDefinition& market) {
  __int128 price = order.price.units();
  for (int i = market.price_decimals; i < 4; ++i) price *= 10;
  for (int i = market.price_decimals; i > 4; --i) {
    if (price % 10 != 0) return std::nullopt;
    price /= 10;
  }
  if (price < 1 || price > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<int64_t>(price);
}

// From the worst price to the best.
struct LevelsOfTest {
  std::vector<engine::FeedBooks::Level> bids = {};
  std::vector<engine::FeedBooks::Level> asks = {};
};

LevelsOfTest LevelsOf(const BookOfTest& book) {
  LevelsOfTest levels;
  for (const auto& [at, orders] : book) {
    engine::FeedBooks::Level level = {.price = engine::Price::FromUnits(at.second),
                                      .order_count = orders.size()};
    for (const uint64_t quantity : orders) level.quantity += engine::Quantity::FromUnits(quantity);
    (at.first == engine::Side::kBid ? levels.bids : levels.asks).push_back(level);
  }
  std::ranges::reverse(levels.asks);
  return levels;
}

// An exchange that repeats what the messages of a feed say, and the books of levels.
struct Handler {
  engine::ManualClock clock;
  AppliedDirectly exchange{clock, nullptr};
  engine::ItchTranslator translator{exchange, clock, engine::Timestamp(),
                                    engine::ItchMode::kMirror};

  engine::FeedBooks levels;

  void Take(engine::Bytes frame, const engine::ItchMessage& message) {
    EXPECT_TRUE(translator.Translate(message).ok());
    engine::ItchBookUpdates updates(frame);
    engine::BookUpdate update;
    while (updates.Next(update)) levels.Apply(update);
    EXPECT_TRUE(updates.status().ok()) << updates.status();
  }

  // Whether both have this book.
  bool Has(engine::MarketId locate, const BookOfTest& book, const LevelsOfTest& book_levels) const {
    const auto number = static_cast<uint16_t>(locate.value());
    return exchange.BookOf(locate) == book &&
           std::ranges::equal(levels.levels(number, engine::Side::kBid), book_levels.bids) &&
           std::ranges::equal(levels.levels(number, engine::Side::kAsk), book_levels.asks);
  }

  // What a sound feed never has.
  uint64_t oddities() const {
    const engine::ItchCounters& counters = translator.counters();
    return exchange.rejected() + counters.TotalUnknownReferences() + counters.references_repeated +
           counters.quantities_exceeded + counters.orders_without_market +
           counters.markets_repeated + counters.markets_defined_by_orders +
           levels.counters().unknown_references + levels.counters().duplicates +
           levels.counters().quantities_exceeded + levels.counters().invalid +
           levels.counters().beyond_limit;
  }
};

engine::ItchMessage Parsed(engine::Bytes frame) {
  engine::ItchFrameReader reader;
  reader.Feed(frame);
  engine::ItchFrame found;
  const auto has_frame = reader.Next(found);
  EXPECT_TRUE(has_frame.ok() && *has_frame) << has_frame.status();
  const auto message = engine::ParseItchMessage(found);
  EXPECT_TRUE(message.ok()) << message.status();
  return message.ok() ? *message : engine::ItchMessage();
}

// An exchange, its feed, a handler of all messages, and one that joins late by a snapshot.
class FedExchange final : public engine::CommandSink, public engine::Candidate {
 public:
  explicit FedExchange(engine::Clock& clock) : clock_(&clock) {}
  // The late handler joins after the command `join_at`.
  explicit FedExchange(engine::SequenceNumber join_at) : join_at_(join_at) {}

  // The commands of a translator.
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    engine::Command sequenced = command;
    sequenced.sequence = driver_.last_applied().Next();
    sequenced.timestamp = clock_->Now();
    Take(sequenced, attachment);
    CheckBook(command.market);
    return sequenced.sequence;
  }

  // Those of a random session.
  void Apply(const engine::Command& command, engine::Bytes attachment,
             engine::EventBuffer& events) override {
    events.Begin(command.sequence);
    for (const engine::Event& event : Take(command, attachment)) events.Append(event.kind) = event;
    if (command.sequence == join_at_) JoinLate();
    for (const auto& [id, market] : exchange().markets().all()) CheckBook(id);
  }
  engine::Digest StateDigest() const override { return machine_->StateDigest(); }
  void CheckInvariants() const override {}

  // From here on there is a second handler.
  void JoinLate() {
    late_ = std::make_unique<Handler>();
    std::string next;
    feed_.Snapshot([&](engine::Bytes frame) {
      const absl::string_view message = engine::AsText(frame).substr(engine::kItchLengthBytes);
      EXPECT_EQ(next, "") << "a message after the end";
      if (message.front() == engine::ItchSnapshotEnd::kType) {
        next = std::string(absl::StripTrailingAsciiWhitespace(message.substr(1)));
      } else {
        late_->Take(frame, Parsed(frame));
      }
    });
    EXPECT_EQ(next, absl::StrCat(feed_.counters().messages + 1));
  }

  // What the feed has sent, in order.
  const std::vector<engine::ItchMessage>& messages() const { return messages_; }
  const engine::ItchFeed::Counters& counters() const { return feed_.counters(); }
  uint64_t books_compared() const { return books_compared_; }
  uint64_t books_unequal() const { return books_unequal_; }
  uint64_t handler_oddities() const {
    return handler_.oddities() + (late_ == nullptr ? 0 : late_->oddities());
  }

 private:
  std::span<const engine::Event> Take(const engine::Command& command, engine::Bytes attachment) {
    const journal::Row row = replay::ToRow(command);
    const auto events = replay::AsEvents(driver_.Apply({.row = &row, .attachment = attachment}));
    const auto handle = [this](engine::Bytes frame) { Handle(frame); };
    feed_.Take(command, attachment, events, handle);
    feed_.CompleteCommand(handle);
    for (const engine::Event& event : events) {
      if (event.kind != engine::EventKind::kMarketDefined) continue;
      const auto locate = static_cast<uint32_t>(locates_.size() + 1);
      locates_[event.market] = engine::MarketId(locate);
    }
    return events;
  }

  void Handle(engine::Bytes frame) {
    const engine::ItchMessage message = messages_.emplace_back(Parsed(frame));
    if (const auto* const add = std::get_if<engine::ItchAddOrder>(&message)) {
      EXPECT_TRUE(shown_.insert(add->order_reference).second);
    } else if (const auto* const replace = std::get_if<engine::ItchOrderReplace>(&message)) {
      EXPECT_TRUE(shown_.insert(replace->new_order_reference).second);
    }
    handler_.Take(frame, message);
    if (late_ != nullptr) late_->Take(frame, message);
  }

  // The engine's book without the orders that ITCH cannot express.
  BookOfTest ShownBookOf(const engine::MarketDefinition& market) const {
    BookOfTest book;
    exchange().VisitOrdersOf(market.id, [&](const engine::RestingOrder& order) {
      const std::optional<int64_t> price = ItchPriceOf(order, market);
      if (shown_.contains(order.priority.value())) {
        book[{order.side, price.value_or(0)}].push_back(order.quantity_remaining.units());
      } else {
        EXPECT_TRUE(!price.has_value() ||
                    order.quantity_total().units() > std::numeric_limits<uint32_t>::max())
            << "order " << order.id;
      }
    });
    return book;
  }

  void CheckBook(engine::MarketId id) {
    const engine::MarketDefinition* const market = exchange().markets().Find(id);
    if (market == nullptr) return;
    ++books_compared_;
    const BookOfTest shown = ShownBookOf(*market);
    const engine::MarketId locate = locates_.at(id);
    const LevelsOfTest levels = LevelsOf(shown);
    const bool is_equal = handler_.Has(locate, shown, levels) &&
                          (late_ == nullptr || late_->Has(locate, shown, levels));
    if (!is_equal) ++books_unequal_;
  }

  const replay::ExchangeState& exchange() const { return replay::ExchangeOf(*machine_); }

  engine::Clock* const clock_ = nullptr;
  const engine::SequenceNumber join_at_;
  const std::unique_ptr<replay::Machine> machine_ = replay::MakeEngine(replay::EngineKind::kFast);
  replay::Driver driver_{*machine_};
  engine::ItchFeed feed_{engine::Timestamp()};
  std::map<engine::MarketId, engine::MarketId> locates_;
  std::set<uint64_t> shown_;  // References.
  std::vector<engine::ItchMessage> messages_;

  Handler handler_;
  std::unique_ptr<Handler> late_;
  uint64_t books_compared_ = 0;
  uint64_t books_unequal_ = 0;
};

TEST(ItchFeedOfExchange, TheHandlerHasTheBooksOfRandomCommands) {
  constexpr size_t kLength = 1'500;
  std::array<uint64_t, engine::kItchTypeCount> sent = {};
  uint64_t not_shown = 0;
  uint64_t trades_left_out = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    FedExchange exchange(engine::SequenceNumber(50 + 30 * seed));
    const engine::RandomRun run =
        engine::CompareRandom(seed, kLength, exchange, {.digest_every = kLength});
    EXPECT_FALSE(run.divergence.has_value());
    EXPECT_GT(exchange.books_compared(), kLength);
    EXPECT_EQ(exchange.books_unequal(), 0u);
    EXPECT_EQ(exchange.handler_oddities(), 0u);
    for (const engine::ItchMessage& message : exchange.messages()) ++sent[message.index()];
    not_shown += exchange.counters().orders_not_shown;
    trades_left_out += exchange.counters().trades_left_out;
  }
  for (const char type : {'S', 'R', 'H', 'A', 'E', 'C', 'X', 'D', 'U', 'P'}) {
    EXPECT_GT(sent[*engine::ItchTypeIndex(type)], 10u) << type;
  }
  EXPECT_GT(not_shown, 10u);
  EXPECT_GT(trades_left_out, 0u);
}

// The fields of a message that the feed of a mirror repeats. Of an F without its participant, which
// the engine does not keep: it is an A then.
std::string Repeated(const engine::ItchMessage& message) {
  return std::visit(
      []<typename T>(const T& m) -> std::string {
        const std::string begin = absl::StrCat(uint64_t{m.header.timestamp_ns}, " ");
        if constexpr (std::is_same_v<T, engine::ItchAddOrder> ||
                      std::is_same_v<T, engine::ItchAddOrderWithParticipant>) {
          return absl::StrCat(begin, "A ", std::string(1, m.side.letter()), " ", uint32_t{m.shares},
                              " ", absl::string_view(m.stock.data(), m.stock.size()), " ",
                              uint32_t{m.price});
        } else if constexpr (std::is_same_v<T, engine::ItchOrderExecuted>) {
          return absl::StrCat(begin, "E ", uint32_t{m.executed_shares});
        } else if constexpr (std::is_same_v<T, engine::ItchOrderCancel>) {
          return absl::StrCat(begin, "X ", uint32_t{m.cancelled_shares});
        } else if constexpr (std::is_same_v<T, engine::ItchOrderDelete>) {
          return absl::StrCat(begin, "D");
        } else if constexpr (std::is_same_v<T, engine::ItchOrderReplace>) {
          return absl::StrCat(begin, "U ", uint32_t{m.shares}, " ", uint32_t{m.price});
        } else {
          return "";
        }
      },
      message);
}

uint16_t LocateOf(const engine::ItchMessage& message) {
  return std::visit([](const auto& m) -> uint16_t { return m.header.stock_locate; }, message);
}

// The messages of one stock: those that Repeated() knows, and whether there are others of its book.
struct StockMessages {
  std::vector<std::string> repeated = {};
  bool has_others = false;

  void Add(const engine::ItchMessage& message) {
    const std::string text = Repeated(message);
    if (!text.empty()) repeated.push_back(text);
    const char type = engine::kItchTypes[message.index()].letter;
    has_others |= absl::string_view("CPQB").find(type) != absl::string_view::npos;
  }
};

// Nasdaq's session through the exchange, and through the handler of its feed.
class NasdaqSession {
 public:
  explicit NasdaqSession(engine::ItchMode mode)
      : translator_(exchange_, clock_, engine::Timestamp(), mode) {
    std::ifstream file(kSession, std::ios::binary);
    const std::string stream(std::istreambuf_iterator<char>(file), {});
    engine::ItchStreamReader reader;
    reader.Feed(engine::AsBytes(stream));
    engine::ItchMessage message;
    while (true) {
      const auto more = reader.Next(message);
      EXPECT_TRUE(more.ok()) << more.status();
      if (!more.ok() || !*more) return;
      const uint64_t commands = translator_.counters().TotalCommands();
      if (commands == kJoinAt && !std::exchange(has_joined_, true)) exchange_.JoinLate();
      EXPECT_TRUE(translator_.Translate(message).ok());
      // Messages about orders from before the session are no commands.
      if (translator_.counters().TotalCommands() > commands)
        received_[LocateOf(message)].Add(message);
      if (const auto* const stock = std::get_if<engine::ItchStockDirectory>(&message)) {
        locate_of_[stock->stock] = stock->header.stock_locate;
      }
    }
  }

  FedExchange& exchange() { return exchange_; }
  // By the stock locates of Nasdaq.
  const std::map<uint16_t, StockMessages>& received() const { return received_; }
  std::map<uint16_t, StockMessages> Sent() const {
    std::map<uint16_t, uint16_t> nasdaqs;  // By the feed's.
    std::map<uint16_t, StockMessages> sent;
    for (const engine::ItchMessage& message : exchange_.messages()) {
      if (const auto* const stock = std::get_if<engine::ItchStockDirectory>(&message)) {
        nasdaqs[stock->header.stock_locate] = locate_of_.at(stock->stock);
      }
      const uint16_t locate = LocateOf(message);
      if (locate != 0) sent[nasdaqs.at(locate)].Add(message);
    }
    return sent;
  }

 private:
  static constexpr uint64_t kJoinAt = 30'000;  // Commands.

  bool has_joined_ = false;
  engine::ManualClock clock_;
  FedExchange exchange_{clock_};
  engine::ItchTranslator translator_;
  std::map<engine::ItchStock, uint16_t> locate_of_;
  std::map<uint16_t, StockMessages> received_;
};

TEST(ItchFeedOfExchange, TheHandlerHasTheBooksOfNasdaqsSessionMatched) {
  NasdaqSession session(engine::ItchMode::kMatch);
  EXPECT_GT(session.exchange().books_compared(), 49'000u);
  EXPECT_EQ(session.exchange().books_unequal(), 0u);
  EXPECT_EQ(session.exchange().handler_oddities(), 0u);
}

TEST(ItchFeedOfExchange, TheFeedOfAMirrorRepeatsNasdaqsMessages) {
  NasdaqSession session(engine::ItchMode::kMirror);
  EXPECT_GT(session.exchange().books_compared(), 49'000u);
  EXPECT_EQ(session.exchange().books_unequal(), 0u);
  EXPECT_EQ(session.exchange().handler_oddities(), 0u);
  EXPECT_EQ(session.exchange().counters().orders_not_shown, 0u);
  std::map<uint16_t, StockMessages> sent = session.Sent();
  size_t stocks = 0;
  size_t messages = 0;
  for (const auto& [locate, received] : session.received()) {
    if (received.has_others) continue;
    EXPECT_EQ(sent[locate].repeated, received.repeated) << "stock locate " << locate;
    stocks += received.repeated.empty() ? 0 : 1;
    messages += received.repeated.size();
  }
  EXPECT_GT(stocks, 3'000u);
  EXPECT_GT(messages, 30'000u);
}

}  // namespace
}  // namespace tools
