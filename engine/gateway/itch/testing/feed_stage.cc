#include "engine/gateway/itch/testing/feed_stage.h"

#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/testing/packets.h"

namespace engine {
namespace {

constexpr MarketId kMarket = MarketId(3);
constexpr char kSession[] = "SESSION-1";

}  // namespace

FeedStage::FeedStage(const ItchPublisherOptions& its_options) : options(its_options) {
  Start();
  Command define;
  define.kind = CommandKind::kDefineMarket;
  define.market = kMarket;
  MarketDefinition definition;
  definition.id = kMarket;
  definition.symbol = "ACME";
  definition.price_decimals = 2;
  CHECK_OK(venue->Submit(define, EncodeMarketDefinition(definition), {}).status());
}

void FeedStage::Start() {
  publisher.reset();
  venue = std::make_unique<Venue>();
  FeedLines& lines = *this;
  publisher = std::make_unique<ItchPublisher>(*venue, lines, options);
  for (const ToyExchange::Outcome& outcome : exchange.outcomes()) {
    publisher->OnHistory(outcome.command, outcome.attachment, outcome.events);
  }
  exchange.ListenWith(venue.get());
  venue->Connect(exchange, SequenceNumber(exchange.outcomes().size()));
  publisher->Start(kSession, now);
}

void FeedStage::Restart() {
  is_silent_ = true;
  exchange.Release();
  is_silent_ = false;
  Start();
}

void FeedStage::Order(Side side, int64_t price, uint64_t quantity) {
  Command command;
  command.kind = CommandKind::kNewOrder;
  command.account = AccountId(1);
  command.market = kMarket;
  command.side = side;
  command.price = Price::FromUnits(price);
  command.quantity = Quantity::FromUnits(quantity);
  command.tif = TimeInForce::kGoodTillCancelled;
  CHECK_OK(venue->Submit(command, {}, {}).status());
}

void FeedStage::TradeFor(int commands, uint64_t seed) {
  Prng prng(seed);
  for (int i = 0; i < commands; ++i) {
    if (prng.Below(4) == 0) {
      Command cancel;
      cancel.kind = CommandKind::kCancel;
      cancel.account = AccountId(1);
      cancel.market = kMarket;
      cancel.order_id = OrderId(1 + prng.Below(exchange.outcomes().size()));
      CHECK_OK(venue->Submit(cancel, {}, {}).status());
    } else {
      const Side side = prng.Below(2) == 0 ? Side::kBid : Side::kAsk;
      const auto price = static_cast<int64_t>(1'000 + prng.Below(20));
      Order(side, price, 1 + prng.Below(50));
    }
    if (prng.Below(3) != 0) continue;
    Release();
    Act();
  }
  Release();
  Act();
}

void FeedStage::Send(Bytes packet) {
  if (is_silent_) return;
  const absl::StatusOr<MoldPacket> parsed = ParseMoldPacket(packet);
  CHECK_OK(parsed.status());
  CHECK_EQ(parsed->session.substr(0, sizeof(kSession) - 1), kSession);
  std::string text = absl::StrCat(parsed->sequence);
  if (parsed->kind == MoldPacket::Kind::kEndOfSession) absl::StrAppend(&text, " end");
  if (parsed->kind == MoldPacket::Kind::kMessages) text.push_back(' ');
  absl::StrAppend(&sent_, AsText(parsed->messages));
  for (Bytes rest = parsed->messages; !rest.empty(); rest = WithoutFirst(rest, 1)) {
    text.push_back(static_cast<char>(rest[kMoldLengthBytes]));
  }
  packets_.push_back(std::move(text));
}

std::vector<std::string> FeedStage::TakePackets() { return std::exchange(packets_, {}); }

std::string FeedStage::Retransmitted() {
  std::string messages;
  for (uint64_t next = 1; next < publisher->next_sequence();) {
    const absl::StatusOr<MoldPacket> answer =
        ParseMoldPacket(publisher->Answer(AsBytes(MoldBytes(kSession, next, 1'000))));
    CHECK_OK(answer.status());
    absl::StrAppend(&messages, AsText(answer->messages));
    next = answer->next_sequence();
  }
  return messages;
}

std::string FeedStage::SnapshotNow() const {
  std::string messages;
  publisher->Snapshot([&](Bytes frame) { absl::StrAppend(&messages, AsText(frame)); });
  return messages;
}

}  // namespace engine
