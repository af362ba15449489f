// A capture of our own feed, imported: the book of the journal is that of the frames after every
// frame. The frames' book is made here, with std::map and a reader of texts of its own.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/capture_frame.h"
#include "engine/wire/kalshi/capture_translator.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/serve/testing/kalshi_venue.h"

namespace tools {
namespace {

// By side and price of the YES leg in 10^-4 dollar: hundredths of contracts.
using Book = std::map<std::pair<engine::Side, int64_t>, int64_t>;

// The text between `before` and the next quotation mark; empty if there is none.
std::string After(absl::string_view text, absl::string_view before) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(before, 1));
  return std::string(std::pair<absl::string_view, absl::string_view>(
                         absl::StrSplit(parts.second, absl::MaxSplits('"', 1)))
                         .first);
}

int64_t Units(absl::string_view decimal) {
  int64_t units = 0;
  EXPECT_TRUE(absl::SimpleAtoi(absl::StrReplaceAll(decimal, {{".", ""}}), &units)) << decimal;
  return units;
}

// What a client knows from the frames.
class ClientBook {
 public:
  void Take(const std::string& frame) {
    if (absl::StrContains(frame, R"("type":"orderbook_snapshot")")) {
      book_.clear();
      TakeSide(frame, "yes_dollars_fp", engine::Side::kBid);
      TakeSide(frame, "no_dollars_fp", engine::Side::kAsk);
    } else if (absl::StrContains(frame, R"("type":"orderbook_delta")")) {
      const bool is_yes = After(frame, R"("side":")") == "yes";
      Add(is_yes ? engine::Side::kBid : engine::Side::kAsk,
          Units(After(frame, R"("price_dollars":")")), Units(After(frame, R"("delta_fp":")")));
    } else if (absl::StrContains(frame, R"("type":"trade")")) {
      ++trades_;
    }
  }
  const Book& book() const { return book_; }
  uint64_t trades() const { return trades_; }

 private:
  void TakeSide(absl::string_view frame, absl::string_view name, engine::Side side) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(frame, absl::MaxSplits(absl::StrCat("\"", name, "\":["), 1));
    absl::string_view rest = parts.second;
    while (absl::StartsWith(rest, "[\"") || absl::StartsWith(rest, ",[\"")) {
      const std::vector<absl::string_view> words = absl::StrSplit(rest, absl::MaxSplits('"', 4));
      Add(side, Units(words[1]), Units(words[3]));
      rest = words[4].substr(1);
    }
  }
  void Add(engine::Side side, int64_t price, int64_t change) {
    const std::pair key(side, side == engine::Side::kBid ? price : 10'000 - price);
    if ((book_[key] += change) == 0) book_.erase(key);
  }

  Book book_;
  uint64_t trades_ = 0;
};

// Applies each command when it is submitted.
class AppliedDirectly final : public engine::CommandSink {
 public:
  explicit AppliedDirectly(engine::Clock& clock)
      : clock_(clock),
        machine_(replay::MakeEngine(replay::EngineKind::kFast)),
        driver_(*machine_) {}

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    engine::Command sequenced = command;
    sequenced.sequence = driver_.last_applied().Next();
    sequenced.timestamp = clock_.Now();
    const journal::Row row = replay::ToRow(sequenced);
    for (const engine::Event& event :
         replay::AsEvents(driver_.Apply({.row = &row, .attachment = attachment}))) {
      EXPECT_NE(event.kind, engine::EventKind::kRejected) << "@" << event.sequence;
      trades_ += event.kind == engine::EventKind::kTrade ? 1 : 0;
    }
    return sequenced.sequence;
  }

  Book BookOf(engine::MarketId market) const {
    Book book;
    replay::ExchangeOf(*machine_).VisitOrdersOf(market, [&](const engine::RestingOrder& order) {
      book[{order.side, order.price.units()}] +=
          static_cast<int64_t>(order.quantity_remaining.units());
    });
    return book;
  }
  uint64_t trades() const { return trades_; }

 private:
  engine::Clock& clock_;
  std::unique_ptr<replay::Machine> machine_;
  replay::Driver driver_;
  uint64_t trades_ = 0;
};

class KalshiCaptureTest : public KalshiVenue {
 protected:
  KalshiCaptureTest() {
    Start();
    peer_ = Connect();
  }

  void Subscribe(absl::string_view params) {
    EXPECT_EQ(Send(*peer_, Upgrade(kOneKey)).status, 101);
    const std::string command =
        absl::StrCat(R"({"id":1,"cmd":"subscribe","params":{)", params, "}}");
    // A masked text frame with a mask of zeros.
    ASSERT_LT(command.size(), 126u);
    std::string frame = {'\x81', static_cast<char>(0x80 | command.size())};
    frame += std::string(4, '\0') + command;
    peer_->Send(engine::AsBytes(frame));
    Turn();
  }

  void Turn() {
    for (int i = 0; i < 4; ++i) {
      venue_->Turn();
      received_ += peer_->Receive();
    }
  }

  // The payloads of the text frames received, one a line.
  std::vector<std::string> TakeFrames() const {
    std::vector<std::string> frames;
    for (size_t at = 0; at + 2 <= received_.size();) {
      const auto byte = [&](size_t i) { return static_cast<uint8_t>(received_[at + i]); };
      size_t head = 2;
      size_t length = byte(1);
      if (length == 126) {
        head = 4;
        length = size_t{byte(2)} << 8 | byte(3);
      }
      if (byte(0) == 0x81) frames.push_back(received_.substr(at + head, length));
      at += head + length;
    }
    return frames;
  }

  // Orders and cancels of both accounts, within the seconds in which signatures hold and no ping
  // needs an answer.
  static constexpr int64_t kBetweenNanos = 90'000'000;
  void Trade(uint64_t seed, int count) {
    engine::Prng prng(seed);
    std::vector<std::pair<absl::string_view, std::string>> orders;
    for (int i = 0; i < count; ++i) {
      const absl::string_view key = prng.Chance(50) ? kOneKey : kTwoKey;
      if (!orders.empty() && prng.Chance(30)) {
        const auto& [owner, id] = orders[prng.Below(orders.size())];
        Ask(owner, "DELETE", absl::StrCat("/portfolio/events/orders/", id));
      } else {
        const absl::string_view side = prng.Chance(50) ? "bid" : "ask";
        const uint64_t contracts = 1 + prng.Below(5);
        const uint64_t cents = 48 + prng.Below(5);
        const KalshiAnswer answer =
            Ask(key, "POST", "/portfolio/events/orders",
                Order(side, absl::StrCat(contracts), absl::StrCat("0.", cents),
                      absl::StrCat("order-", i)));
        if (answer.status == 201) orders.emplace_back(key, IdIn(answer));
      }
      clock_.Set(engine::Timestamp::FromNanos(clock_.Now().nanos() + kBetweenNanos));
      steady_.Advance(kBetweenNanos);
      Turn();
    }
  }

  std::unique_ptr<MemoryPeer> peer_;
  std::string received_;
};

TEST_F(KalshiCaptureTest, TheBookIsThatOfTheFramesAfterEveryFrame) {
  Trade(1, 5);  // The first snapshot has something.
  Subscribe(R"("channels":["orderbook_delta","trade"],"market_ticker":"KXRAIN-26-NYC")");
  Trade(7, 90);
  engine::ManualClock clock;
  AppliedDirectly exchange(clock);
  engine::kalshi::CaptureReader reader(/*use_yes_price=*/false);
  engine::kalshi::CaptureTranslator translator(exchange, clock);
  ClientBook client;
  uint64_t line = 0;
  for (const std::string& text : TakeFrames()) {
    const auto frame = reader.Read(text);
    ASSERT_TRUE(frame.ok()) << frame.status() << "\n" << text;
    ASSERT_TRUE(translator.Take(*frame, ++line).ok());
    client.Take(text);
    ASSERT_EQ(exchange.BookOf(engine::MarketId(1)), client.book()) << text;
  }
  EXPECT_EQ(exchange.trades(), client.trades());
  EXPECT_GT(client.trades(), 5u);
  EXPECT_GT(line, 60u);
  EXPECT_EQ(translator.counters().gaps, 0u);
  EXPECT_EQ(translator.counters().stale_deltas, 0u);
}

}  // namespace
}  // namespace tools
