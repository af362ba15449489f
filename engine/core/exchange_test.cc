// Cases that transcripts cannot express: CHECK failures, hostile bytes, long runs.

#include "engine/core/exchange.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/note_codec.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

class ExchangeTest : public testing::Test {
 protected:
  // Stamps and applies; returns the kind of the first event.
  EventKind Apply(Command command, Bytes attachment = {}) {
    command.sequence = exchange_.last_applied().Next();
    command.timestamp = exchange_.now();
    exchange_.Apply(command, attachment, events_);
    return events_.events().empty() ? EventKind{} : events_.events().front().kind;
  }

  static MarketDefinition Market(uint32_t id) {
    return {.id = MarketId(id),
            .symbol = absl::StrCat("M", id),
            .price_decimals = 2,
            .quantity_decimals = 0,
            .tick = Price::FromUnits(1),
            .price_min = Price::FromUnits(1),
            .price_max = Price::FromUnits(1000),
            .lot = Quantity::FromUnits(1)};
  }
  EventKind Define(MarketId id, Bytes attachment) {
    Command command;
    command.kind = CommandKind::kDefineMarket;
    command.market = id;
    return Apply(command, attachment);
  }
  EventKind Define(uint32_t id) { return Define(MarketId(id), EncodeMarketDefinition(Market(id))); }

  static Command SoundOrder(Prng& prng);
  void KeepTheExchangeAlive(Prng& prng);

  Exchange exchange_;
  EventBuffer events_;
};

TEST_F(ExchangeTest, SequenceNumbersAreDense) {
  Command command;
  command.kind = CommandKind::kAdvanceTime;
  command.sequence = SequenceNumber(2);
  EXPECT_DEATH(exchange_.Apply(command, {}, events_), "J1");
  command.sequence = SequenceNumber(0);
  EXPECT_DEATH(exchange_.Apply(command, {}, events_), "J1");
}

TEST_F(ExchangeTest, TimeDoesNotGoBack) {
  Command command;
  command.kind = CommandKind::kAdvanceTime;
  command.sequence = SequenceNumber(1);
  command.timestamp = Timestamp::FromNanos(100);
  exchange_.Apply(command, {}, events_);
  command.sequence = SequenceNumber(2);
  command.timestamp = Timestamp::FromNanos(99);
  EXPECT_DEATH(exchange_.Apply(command, {}, events_), "venue_.now");
}

TEST_F(ExchangeTest, TheFirstTimestampMayBeAny) {
  Command command;
  command.kind = CommandKind::kAdvanceTime;
  command.sequence = SequenceNumber(1);
  command.timestamp = Timestamp::FromNanos(std::numeric_limits<int64_t>::min());
  exchange_.Apply(command, {}, events_);
  EXPECT_EQ(exchange_.now(), command.timestamp);
}

TEST_F(ExchangeTest, DamagedDefinitionsAreRefused) {
  const std::vector<std::byte> sound = EncodeMarketDefinition(Market(1));
  for (size_t length = 0; length < sound.size(); ++length) {
    Define(MarketId(1), Bytes(sound).first(length));
    ASSERT_TRUE(exchange_.markets().all().empty()) << "length " << length;
  }
  Prng prng(1);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> damaged = sound;
    for (uint64_t n = 1 + prng.Below(3); n > 0; --n) {
      damaged[prng.Below(damaged.size())] = static_cast<std::byte>(prng.Next());
    }
    Define(MarketId(1), damaged);
    ASSERT_EQ(events_.events().size(), 1u);
  }
  const std::vector<std::byte> huge(1 << 20, std::byte{0xff});
  EXPECT_EQ(Define(MarketId(2), huge), EventKind::kRejected);
  exchange_.CheckInvariants();
}

TEST_F(ExchangeTest, TheDigestIsOfTheDefinitionNotOfItsBytes) {
  std::vector<std::byte> padded = EncodeMarketDefinition(Market(1));
  padded.resize(padded.size() + 8);  // Legal, and not canonical.
  ASSERT_EQ(Define(MarketId(1), padded), EventKind::kMarketDefined);
  const Digest digest = exchange_.StateDigest();

  Exchange other;
  Command command;
  command.kind = CommandKind::kDefineMarket;
  command.market = MarketId(1);
  command.sequence = SequenceNumber(1);
  other.Apply(command, EncodeMarketDefinition(Market(1)), events_);
  EXPECT_EQ(digest, other.StateDigest());
}

TEST_F(ExchangeTest, AttachmentsOfOtherCommandsAreNotRead) {
  Define(1);
  const std::vector<std::byte> noise(100, std::byte{0xff});
  Command command;
  command.kind = CommandKind::kAdvanceTime;
  EXPECT_EQ(Apply(command, noise), EventKind::kTimeAdvanced);
}

// Except for the number and the time of the last command, which the state digest includes.
TEST_F(ExchangeTest, ANoteLeavesTheStateThatAdvanceTimeLeaves) {
  Exchange other;
  Prng prng(1);
  const auto apply = [&](const Command& command, Bytes attachment, Command others,
                         Bytes others_attachment) {
    const EventKind kind = Apply(command, attachment);
    others.sequence = exchange_.last_applied();
    others.timestamp = exchange_.now();
    other.Apply(others, others_attachment, events_);
    ASSERT_EQ(exchange_.StateDigest(), other.StateDigest()) << "at " << exchange_.last_applied();
    if (command.kind == CommandKind::kNote) {
      ASSERT_EQ(kind, attachment.empty() ? EventKind::kRejected : EventKind::kNoted);
    }
  };
  Command define;
  define.kind = CommandKind::kDefineMarket;
  define.market = MarketId(1);
  const std::vector<std::byte> definition = EncodeMarketDefinition(Market(1));
  apply(define, definition, define, definition);
  Command note;
  note.kind = CommandKind::kNote;
  note.market = MarketId(1);
  note.account = AccountId(1);
  Command nothing;
  nothing.kind = CommandKind::kAdvanceTime;
  const std::vector<std::byte> bytes = EncodeNote(
      {.name_space = "venue", .version = 1, .bytes = std::vector<std::byte>(100, std::byte{0xff})});
  for (int i = 0; i < 1'000; ++i) {
    if (prng.Chance(50)) {
      apply(note, prng.Chance(80) ? Bytes(bytes) : Bytes(), nothing, {});
    } else {
      Command order = SoundOrder(prng);
      order.kind = CommandKind::kNewOrder;
      apply(order, {}, order, {});
    }
  }
  exchange_.CheckInvariants();
}

TEST_F(ExchangeTest, DamagedNotesAreRefused) {
  const std::vector<std::byte> sound = EncodeNote(
      {.name_space = "venue", .version = 1, .bytes = std::vector<std::byte>(100, std::byte{0xff})});
  Command note;
  note.kind = CommandKind::kNote;
  EXPECT_EQ(Apply(note, sound), EventKind::kNoted);
  for (size_t length = 0; length < sound.size(); ++length) {
    ASSERT_EQ(Apply(note, Bytes(sound).first(length)), EventKind::kRejected) << length;
  }
  const std::vector<std::byte> noise(1 << 20, std::byte{0xff});  // As long as a record carries.
  EXPECT_EQ(Apply(note, noise), EventKind::kRejected);
}

TEST_F(ExchangeTest, AnUnknownMarketHasNoOrders) {
  exchange_.VisitOrders(MarketId(7), Side::kBid, [](const RestingOrder&) { FAIL(); });
}

Command ExchangeTest::SoundOrder(Prng& prng) {
  Command command;
  command.market = MarketId(1);
  command.account = AccountId(1);
  command.side = prng.Chance(50) ? Side::kBid : Side::kAsk;
  command.type = OrderType::kLimit;
  command.tif = TimeInForce::kGoodTillCancelled;
  command.price = Price::FromUnits(prng.Between(1, 1000));
  command.quantity = Quantity::FromUnits(1 + prng.Below(100));
  return command;
}

// Random commands pause, halt and close; sometimes everything starts again.
void ExchangeTest::KeepTheExchangeAlive(Prng& prng) {
  if (!prng.Chance(20)) return;
  Command command;
  command.kind = CommandKind::kResumeExchange;
  Apply(command);
  command.kind = CommandKind::kOpenMarket;
  command.market = MarketId(1);
  Apply(command);
}

// Any 64 bytes are a command; with a sound kind and market every other field is reached too.
TEST_F(ExchangeTest, AnyBytesAreAnsweredByAtLeastOneEvent) {
  Define(1);
  Prng prng(2);
  std::map<EventKind, int> answers;
  OrderId latest;
  for (int i = 0; i < 200'000; ++i) {
    Command command;
    uint64_t words[8];
    for (uint64_t& word : words) word = prng.Next();
    std::memcpy(&command, words, sizeof(command));
    if (prng.Chance(80)) {
      command.kind =
          static_cast<CommandKind>(prng.Below(static_cast<uint64_t>(kLastCommandKind) + 2));
    }
    if (prng.Chance(80)) command.market = MarketId(1);
    if (prng.Chance(80)) command.flags = {};
    if (prng.Chance(80)) command.set_group({});
    if (prng.Chance(50)) command.side = static_cast<Side>(prng.Below(4));
    if (prng.Chance(50)) command.type = static_cast<OrderType>(prng.Below(4));
    if (prng.Chance(50)) command.tif = static_cast<TimeInForce>(prng.Below(7));
    if (prng.Chance(50)) command.price = Price::FromUnits(prng.Between(-1, 1002));
    if (prng.Chance(50)) command.quantity = Quantity::FromUnits(prng.Below(100));
    if (prng.Chance(50)) command.order_id = OrderId(prng.Below(static_cast<uint64_t>(i) + 5));
    if (prng.Chance(80)) command.account = AccountId(1);
    if (prng.Chance(30)) {
      command = SoundOrder(prng);
      command.kind = static_cast<CommandKind>(2 + prng.Below(7));
    }
    if (prng.Chance(50)) command.order_id = latest;
    const EventKind kind = Apply(command);
    if (kind == EventKind::kAccepted) latest = OrderIdOf(exchange_.last_applied());
    ASSERT_NE(kind, EventKind{});
    ++answers[kind];
    KeepTheExchangeAlive(prng);
    if (i % 1000 == 0) exchange_.CheckInvariants();
  }
  exchange_.CheckInvariants();
  for (const EventKind kind :
       {EventKind::kAccepted, EventKind::kCancelled, EventKind::kReduced, EventKind::kReplaced,
        EventKind::kAmended, EventKind::kMarketState, EventKind::kExchangeState,
        EventKind::kAccountOpened, EventKind::kGroupDefined, EventKind::kMassCancelled}) {
    EXPECT_GT(answers[kind], 0) << "event kind " << static_cast<int>(kind);
  }
}

// A busy day in many markets: the books stay sound and the digest is the same on every machine.
TEST_F(ExchangeTest, ALongRunIsValidAndReproducible) {
  constexpr uint32_t kMarkets = 50;
  for (uint32_t id = 1; id <= kMarkets; ++id) ASSERT_EQ(Define(id), EventKind::kMarketDefined);
  Prng prng(3);
  std::vector<Command> recent;
  uint64_t trades = 0;
  for (int i = 0; i < 100'000; ++i) {
    Command command;
    const bool is_new = recent.empty() || prng.Chance(50);
    if (is_new) {
      command.kind = CommandKind::kNewOrder;
      command.market = MarketId(static_cast<uint32_t>(1 + prng.Below(kMarkets)));
      command.account = AccountId(static_cast<uint32_t>(prng.Below(5)));
      command.side = prng.Chance(50) ? Side::kBid : Side::kAsk;
      command.type = OrderType::kLimit;
      command.tif = static_cast<TimeInForce>(prng.Chance(90) ? 1 : 2 + prng.Below(2));
    } else {
      command = recent[prng.Below(recent.size())];
      command.kind = static_cast<CommandKind>(3 + prng.Below(4));
    }
    command.price = Price::FromUnits(prng.Between(490, 510));
    command.quantity = Quantity::FromUnits(1 + prng.Below(100));
    Apply(command);
    trades += static_cast<uint64_t>(
        std::ranges::count(events_.events(), EventKind::kTrade, &Event::kind));
    const Event& first = events_.events().front();
    if (first.kind == EventKind::kAccepted || first.kind == EventKind::kReplaced) {
      command.order_id = first.order_id;
      recent.push_back(command);
      if (recent.size() > 1000) recent.erase(recent.begin());
    }
    if (i % 10'000 == 0) exchange_.CheckInvariants();
  }
  exchange_.CheckInvariants();
  EXPECT_GT(trades, 10'000u);
  EXPECT_EQ(exchange_.StateDigest().ToString(), "c76b86d5608cc41a4cf6a8e199332c28");
}

}  // namespace
}  // namespace engine
