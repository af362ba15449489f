#include "engine/wire/kalshi/capture_translator.h"

#include <string_view>

#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/book_messages.h"

namespace engine::kalshi {
namespace {

Command CommandFor(CommandKind kind, MarketId market) {
  Command command;
  command.kind = kind;
  command.market = market;
  return command;
}

MarketDefinition DefinitionOf(MarketId id, absl::string_view ticker) {
  return {.id = id,
          .symbol = std::string(ticker),
          .price_decimals = kPriceDecimals,
          .quantity_decimals = 2,
          .price_max = Price::FromUnits(kOneDollar.units() - 1),
          .kind = MarketKind::kBinary,
          .mirrored = true};
}

}  // namespace

absl::Status CaptureTranslator::Take(const CaptureFrame& frame, uint64_t line) {
  ++counters_.frames;
  CountType(frame.type_name);
  if (frame.time.has_value()) clock_.Set(*frame.time);
  RETURN_IF_ERROR(CheckSequence(frame, line));
  if (frame.type == CaptureType::kOther) return absl::OkStatus();
  ASSIGN_OR_RETURN(Market* const market, MarketOf(frame.ticker));
  if (market == nullptr) {
    ++counters_.refused_frames;
    return absl::OkStatus();
  }
  switch (frame.type) {
    case CaptureType::kSnapshot:
      return Snapshot(frame, *market);
    case CaptureType::kDelta:
      return Delta(frame, *market);
    default:
      return Trade(frame, *market);
  }
}

void CaptureTranslator::CountType(absl::string_view type) {
  const auto found = counters_.types.find(std::string(type));
  if (found != counters_.types.end()) {
    ++found->second;
  } else if (counters_.types.size() < CaptureCounters::kTypesMax) {
    counters_.types.emplace(type, 1);
  } else {
    ++counters_.other_types;
  }
}

// After a gap, or on a new connection, the books of the sid are not known until their snapshots.
absl::Status CaptureTranslator::CheckSequence(const CaptureFrame& frame, uint64_t line) {
  if (frame.sid == 0 || frame.seq == 0) return absl::OkStatus();
  const auto [last, is_first] = last_seq_.emplace(frame.sid, frame.seq);
  if (is_first) return absl::OkStatus();
  const int64_t expected = last->second + 1;
  last->second = frame.seq;
  if (frame.seq == expected) return absl::OkStatus();
  if (frame.seq == 1) {
    ++counters_.restarts;
  } else {
    ++counters_.gaps;
    if (counters_.first_gaps.size() < CaptureCounters::kGapsKept) {
      counters_.first_gaps.push_back(
          {.line = line, .sid = frame.sid, .expected = expected, .found = frame.seq});
    }
  }
  for (auto& [ticker, market] : markets_) {
    if (market.sid == frame.sid) RETURN_IF_ERROR(Forget(market));
  }
  return absl::OkStatus();
}

absl::Status CaptureTranslator::Forget(Market& market) {
  if (!market.is_known) return absl::OkStatus();
  market.is_known = false;
  market.is_paused = true;
  return Submit(CommandFor(CommandKind::kPauseMarket, market.id)).status();
}

absl::StatusOr<CaptureTranslator::Market*> CaptureTranslator::MarketOf(absl::string_view ticker) {
  const auto found = markets_.find(std::string_view(ticker.data(), ticker.size()));
  if (found != markets_.end()) return &found->second;
  const MarketDefinition definition = DefinitionOf(MarketId(market_count_ + 1), ticker);
  if (!Validate(definition).ok()) return nullptr;
  const Command command = CommandFor(CommandKind::kDefineMarket, definition.id);
  RETURN_IF_ERROR(sink_.Submit(command, EncodeMarketDefinition(definition)).status());
  ++counters_.commands;
  ++market_count_;
  Market& market = markets_[definition.symbol];
  market.id = definition.id;
  return &market;
}

absl::Status CaptureTranslator::Snapshot(const CaptureFrame& frame, Market& market) {
  if (market.is_paused) {
    RETURN_IF_ERROR(Submit(CommandFor(CommandKind::kOpenMarket, market.id)).status());
    market.is_paused = false;
  }
  market.is_known = true;
  market.sid = frame.sid;
  std::map<std::pair<Side, Price>, Quantity> wanted;
  for (const auto& [key, resting] : market.levels) wanted[key] = Quantity();
  for (const FeedLevel& level : frame.levels) {
    wanted[{level.side, level.price}] = level.count.ToQuantity();
  }
  for (const auto& [key, quantity] : wanted) {
    RETURN_IF_ERROR(SetLevel(market, key.first, key.second, quantity));
  }
  return absl::OkStatus();
}

absl::Status CaptureTranslator::Delta(const CaptureFrame& frame, Market& market) {
  if (!market.is_known || market.sid != frame.sid) {
    ++counters_.stale_deltas;
    return absl::OkStatus();
  }
  const FeedLevel& level = frame.levels.front();
  const auto found = market.levels.find({level.side, level.price});
  const Quantity before = found == market.levels.end() ? Quantity() : found->second.quantity;
  const Count after = Count::Of(before) + level.count;
  if (after < Count() || after.ToQuantity() > kQuantityMax) {
    ++counters_.impossible_deltas;
    return Forget(market);
  }
  return SetLevel(market, level.side, level.price, after.ToQuantity());
}

absl::Status CaptureTranslator::Trade(const CaptureFrame& frame, const Market& market) {
  if (frame.trade.count == Count()) return absl::OkStatus();
  Command command = CommandFor(CommandKind::kExecute, market.id);
  command.side = Opposite(frame.trade.side);
  command.price = frame.trade.price;
  command.quantity = frame.trade.count.ToQuantity();
  return Submit(command).status();
}

// The order of a level keeps its place when it loses quantity, and nothing has filled it, so its
// total is what remains.
absl::Status CaptureTranslator::SetLevel(Market& market, Side side, Price price,
                                         Quantity quantity) {
  const auto found = market.levels.find({side, price});
  const Quantity before = found == market.levels.end() ? Quantity() : found->second.quantity;
  if (quantity == before) return absl::OkStatus();
  Command command = CommandFor(CommandKind::kNewOrder, market.id);
  command.price = price;
  command.quantity = quantity;
  if (before.is_zero()) {
    command.side = side;
    command.type = OrderType::kLimit;
    command.tif = TimeInForce::kGoodTillCancelled;
    ASSIGN_OR_RETURN(const SequenceNumber sequence, Submit(command));
    market.levels[{side, price}] = {.order = OrderIdOf(sequence), .quantity = quantity};
    return absl::OkStatus();
  }
  command.order_id = found->second.order;
  if (quantity.is_zero()) {
    command.kind = CommandKind::kCancel;
    command.price = Price();
    market.levels.erase(found);
  } else {
    command.kind = quantity < before ? CommandKind::kReduceTo : CommandKind::kAmend;
    if (quantity < before) command.price = Price();
    found->second.quantity = quantity;
  }
  return Submit(command).status();
}

absl::StatusOr<SequenceNumber> CaptureTranslator::Submit(const Command& command) {
  ASSIGN_OR_RETURN(const SequenceNumber sequence, sink_.Submit(command, Bytes()));
  ++counters_.commands;
  return sequence;
}

}  // namespace engine::kalshi
