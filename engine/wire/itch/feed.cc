#include "engine/wire/itch/feed.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/wire/itch/encoder.h"

namespace engine {
namespace {

constexpr int64_t kDayNanos = int64_t{24} * 3600 * 1'000'000'000;
constexpr int kItchPriceDecimals = 4;
constexpr uint64_t kUint32Max = std::numeric_limits<uint32_t>::max();
constexpr std::array<int64_t, 6> kPowersOfTen = {1, 10, 100, 1'000, 10'000, 100'000};

// Start of messages, system hours and market hours; and their ends.
constexpr std::array<char, 3> kBegin = {'O', 'S', 'Q'};
constexpr std::array<char, 3> kEnd = {'M', 'E', 'C'};

constexpr char kHalted = 'H';
constexpr char kPaused = 'P';
constexpr char kTrading = 'T';

uint64_t TimeOfDay(Timestamp time, Timestamp midnight) {
  const int64_t nanos = (time.nanos() % kDayNanos - midnight.nanos() % kDayNanos) % kDayNanos;
  return static_cast<uint64_t>(nanos < 0 ? nanos + kDayNanos : nanos);
}

char TradingState(MarketState market, ExchangeState exchange) {
  if (exchange == ExchangeState::kHalted) return kHalted;
  const bool is_open = market == MarketState::kOpen;
  if (!is_open && market != MarketState::kPaused) return kHalted;
  return is_open && exchange == ExchangeState::kActive ? kTrading : kPaused;
}

// A symbol never begins with '#'.
ItchStock StockOf(const std::string& symbol, uint16_t locate) {
  ItchStock stock;
  stock.fill(' ');
  std::ranges::copy(symbol.size() <= stock.size() ? symbol : absl::StrCat("#", locate),
                    stock.begin());
  return stock;
}

ItchStockDirectory DirectoryOf(const MarketDefinition& definition, const ItchHeader& header) {
  const uint64_t lot = definition.lot.units();
  return {.header = header,
          .stock = StockOf(definition.symbol, header.stock_locate),
          .market_category = ' ',
          .financial_status_indicator = ' ',
          .round_lot_size = static_cast<uint32_t>(std::min(lot, kUint32Max)),
          .round_lots_only = lot > 1 ? 'Y' : 'N',
          .issue_classification = definition.kind == MarketKind::kBinary ? 'O' : 'C',
          .issue_sub_type = {'Z', ' '},
          .authenticity = 'P',
          .short_sale_threshold_indicator = ' ',
          .ipo_flag = ' ',
          .luld_reference_price_tier = ' ',
          .etp_flag = ' ',
          .etp_leverage_factor = 0,
          .inverse_indicator = 'N'};
}

// nullopt if ITCH has no such price.
std::optional<uint32_t> ItchPrice(Price price, int decimals) {
  int64_t units = price.units();
  if (decimals <= kItchPriceDecimals) {
    if (__builtin_mul_overflow(units, kPowersOfTen[kItchPriceDecimals - decimals], &units)) {
      return std::nullopt;
    }
  } else {
    const int64_t unit = kPowersOfTen[decimals - kItchPriceDecimals];
    if (units % unit != 0) return std::nullopt;
    units /= unit;
  }
  if (units < 1 || units > static_cast<int64_t>(kUint32Max)) return std::nullopt;
  return static_cast<uint32_t>(units);
}

std::optional<uint32_t> ItchShares(Quantity quantity) {
  if (quantity.units() > kUint32Max) return std::nullopt;
  return static_cast<uint32_t>(quantity.units());
}

template <typename T>
void SendFramed(const T& message, ItchFeed::Send send) {
  send(AsBytes(ItchFramed<T>{.message = message}));
}

}  // namespace

void ItchFeed::Take(const Command& command, Bytes attachment, std::span<const Event> events,
                    Send send) {
  if (command.sequence != sequence_) {
    CompleteCommand(send);
    sequence_ = command.sequence;
    time_ns_ = TimeOfDay(command.timestamp, midnight_);
    if (!std::exchange(has_begun_, true)) Begin(send);
  }
  for (const Event& event : events) TakeEvent(event, attachment, send);
}

void ItchFeed::CompleteCommand(Send send) {
  if (arrival_.id == OrderId()) return;
  const Arrival arrival = std::exchange(arrival_, Arrival());
  const bool rests = !arrival.remaining.is_zero();
  const Order order = rests ? Show(arrival, send) : Order();
  if (arrival.replaces != 0 && order.reference == 0) {
    Delete(arrival.replaces, *arrival.market, send);
  }
  if (rests) Add(arrival.id, order);
}

// An exchange has no hours: they begin and end with its journal.
void ItchFeed::Begin(Send send) {
  for (const char code : kBegin) Write(SystemEventOf(code), send);
}

void ItchFeed::End(Send send) {
  CompleteCommand(send);
  for (const char code : kEnd) Write(SystemEventOf(code), send);
}

void ItchFeed::TakeEvent(const Event& event, Bytes attachment, Send send) {
  if (event.kind == EventKind::kMarketDefined) return Define(attachment, send);
  if (event.kind == EventKind::kExchangeState) {
    return SetExchangeState(event.exchange_state(), send);
  }
  Market* const found = FindMarket(event.market);
  if (found == nullptr) return;
  Market& market = *found;
  switch (event.kind) {
    case EventKind::kMarketState:
      market.state = event.market_state();
      return ShowTradingState(market, send);
    case EventKind::kAccepted:
      return Arrive(event, market, 0);
    case EventKind::kReplaced:
      return Arrive(event, market, Remove(event.counter_order_id));
    case EventKind::kAmended:
      if (event.priority() == PriorityOutcome::kKept) {
        return Lower(event.order_id, event.quantity_remaining, market, send);
      }
      return Arrive(event, market, Remove(event.order_id));
    case EventKind::kTrade:
      return Trade(event, market, send);
    case EventKind::kCancelled:
    case EventKind::kReduced:
      if (event.order_id == arrival_.id) {
        arrival_.remaining = event.quantity_remaining;
      } else {
        Lower(event.order_id, event.quantity_remaining, market, send);
      }
      return;
    default:
      return;  // The event concerns no order in the book.
  }
}

void ItchFeed::Define(Bytes attachment, Send send) {
  const absl::StatusOr<MarketDefinition> definition = DecodeMarketDefinition(attachment);
  CHECK(definition.ok()) << definition.status();
  if (markets_.size() == kMarketsMax) {
    ++counters_.markets_left_out;
    return;
  }
  market_places_.Set(definition->id.value(), static_cast<uint32_t>(markets_.size()));
  const auto locate = static_cast<uint16_t>(markets_.size() + 1);
  Market& market = markets_.emplace_back(
      Market{.directory = DirectoryOf(*definition, HeaderOf(locate)),
             .price_decimals = definition->price_decimals,
             .state = definition->starts_unopened ? MarketState::kUnopened : MarketState::kOpen,
             .locate = locate});
  Write(market.directory, send);
  ShowTradingState(market, send);
}

void ItchFeed::SetExchangeState(ExchangeState state, Send send) {
  exchange_state_ = state;
  for (Market& market : markets_) ShowTradingState(market, send);
}

void ItchFeed::ShowTradingState(Market& market, Send send) {
  const char state = TradingState(market.state, exchange_state_);
  if (std::exchange(market.trading_state, state) == state) return;
  Write(TradingActionOf(market), send);
}

ItchStockTradingAction ItchFeed::TradingActionOf(const Market& market) const {
  return {.header = HeaderOf(market.locate),
          .stock = market.directory.stock,
          .trading_state = market.trading_state,
          .reserved = ' ',
          .reason = {' ', ' ', ' ', ' '}};
}

void ItchFeed::Arrive(const Event& event, const Market& market, uint64_t replaces) {
  CHECK_EQ(arrival_.id, OrderId()) << "two orders arrive in command " << event.sequence;
  arrival_ = {.id = event.order_id,
              .market = &market,
              .side = event.side,
              .price = event.price,
              .remaining = event.quantity_remaining,
              .replaces = replaces};
}

ItchFeed::Order ItchFeed::Show(const Arrival& arrival, Send send) {
  const Market& market = *arrival.market;
  const std::optional<uint32_t> price = ItchPrice(arrival.price, market.price_decimals);
  const std::optional<uint32_t> shares = ItchShares(arrival.remaining);
  if (!price.has_value() || !shares.has_value()) {
    ++counters_.orders_not_shown;
    return Order();
  }
  const Order order = {.reference = sequence_.value(),
                       .price = *price,
                       .remaining = *shares,
                       .locate = market.locate,
                       .side = arrival.side};
  if (arrival.replaces != 0) {
    Write(ItchOrderReplace{.header = HeaderOf(market.locate),
                           .original_order_reference = arrival.replaces,
                           .new_order_reference = order.reference,
                           .shares = *shares,
                           .price = *price},
          send);
  } else {
    Write(AddOrderOf(order), send);
  }
  return order;
}

ItchAddOrder ItchFeed::AddOrderOf(const Order& order) const {
  return {.header = HeaderOf(order.locate),
          .order_reference = order.reference,
          .side = order.side,
          .shares = order.remaining,
          .stock = markets_[order.locate - 1].directory.stock,
          .price = order.price};
}

void ItchFeed::Trade(const Event& event, const Market& market, Send send) {
  ++match_number_;
  // In a mirrored market no order arrives.
  if (arrival_.id != OrderId()) {
    CHECK_EQ(event.counter_order_id, arrival_.id) << "in command " << event.sequence;
    arrival_.remaining -= event.quantity;
    const uint64_t replaced = std::exchange(arrival_.replaces, 0);
    if (replaced != 0) Delete(replaced, market, send);
  }
  if (event.order_id == OrderId()) return Print(event, market, send);
  if (Find(event.order_id).reference != 0) return Execute(event, market, send);
  Print(event, market, send);
  Lower(event.order_id, event.quantity_remaining, market, send);
}

void ItchFeed::Execute(const Event& event, const Market& market, Send send) {
  Order& order = Find(event.order_id);
  const std::optional<uint32_t> price = ItchPrice(event.price, market.price_decimals);
  if (!price.has_value()) {
    ++counters_.trades_left_out;
    return Lower(event.order_id, event.quantity_remaining, market, send);
  }
  CHECK_EQ(event.quantity + event.quantity_remaining, Quantity::FromUnits(order.remaining));
  const auto shares = static_cast<uint32_t>(event.quantity.units());
  if (*price == order.price) {
    Write(ItchOrderExecuted{.header = HeaderOf(market.locate),
                            .order_reference = order.reference,
                            .executed_shares = shares,
                            .match_number = match_number_},
          send);
  } else {
    Write(ItchOrderExecutedWithPrice{.header = HeaderOf(market.locate),
                                     .order_reference = order.reference,
                                     .executed_shares = shares,
                                     .match_number = match_number_,
                                     .printable = 'Y',
                                     .execution_price = *price},
          send);
  }
  order.remaining -= shares;
  if (order.remaining == 0) Remove(event.order_id);
}

// As Nasdaq shows trades of orders that it does not display.
void ItchFeed::Print(const Event& event, const Market& market, Send send) {
  const std::optional<uint32_t> price = ItchPrice(event.price, market.price_decimals);
  const std::optional<uint32_t> shares = ItchShares(event.quantity);
  if (!price.has_value() || !shares.has_value()) {
    ++counters_.trades_left_out;
    return;
  }
  Write(ItchNonCrossTrade{.header = HeaderOf(market.locate),
                          .order_reference = 0,
                          .buy_sell_indicator = event.side == Side::kAsk ? 'S' : 'B',
                          .shares = *shares,
                          .stock = market.directory.stock,
                          .price = *price,
                          .match_number = match_number_},
        send);
}

void ItchFeed::Lower(OrderId id, Quantity remaining, const Market& market, Send send) {
  Order& order = Find(id);
  if (remaining.is_zero()) {
    const uint64_t reference = Remove(id);
    if (reference != 0) Delete(reference, market, send);
    return;
  }
  if (order.reference == 0) return;
  const Quantity less = Quantity::FromUnits(order.remaining) - remaining;
  if (less.is_zero()) return;
  Write(ItchOrderCancel{.header = HeaderOf(market.locate),
                        .order_reference = order.reference,
                        .cancelled_shares = static_cast<uint32_t>(less.units())},
        send);
  order.remaining = static_cast<uint32_t>(remaining.units());
}

void ItchFeed::Delete(uint64_t reference, const Market& market, Send send) {
  Write(ItchOrderDelete{.header = HeaderOf(market.locate), .order_reference = reference}, send);
}

ItchFeed::Market* ItchFeed::FindMarket(MarketId market) {
  const uint32_t at = market_places_.Find(market.value());
  return at == IdTable::kNone ? nullptr : &markets_[at];
}

ItchFeed::Order& ItchFeed::Find(OrderId order) {
  const uint32_t at = order_places_.Find(order.value());
  CHECK(at != DenseIdTable::kNone) << "order " << order << " does not rest";
  return pool_[at];
}

void ItchFeed::Add(OrderId id, const Order& order) {
  uint32_t at = free_first_;
  if (at == DenseIdTable::kNone) {
    CHECK_LT(pool_.size(), size_t{DenseIdTable::kNone});
    at = static_cast<uint32_t>(pool_.size());
    pool_.emplace_back();
  } else {
    free_first_ = pool_[at].next_free;
  }
  pool_[at] = order;
  order_places_.Insert(id.value(), at);
}

uint64_t ItchFeed::Remove(OrderId id) {
  Order& order = Find(id);
  order.next_free = std::exchange(free_first_, order_places_.Find(id.value()));
  order_places_.Erase(id.value());
  return std::exchange(order.reference, 0);
}

void ItchFeed::Snapshot(Send send) const {
  CHECK_EQ(arrival_.id, OrderId());
  if (has_begun_) {
    for (const char code : kBegin) SendFramed(SystemEventOf(code), send);
  }
  for (const Market& market : markets_) {
    SendFramed(market.directory, send);
    SendFramed(TradingActionOf(market), send);
  }
  std::vector<const Order*> shown;
  for (const Order& order : pool_) {
    if (order.reference != 0) shown.push_back(&order);
  }
  std::ranges::sort(shown, {}, &Order::reference);
  for (const Order* const order : shown) SendFramed(AddOrderOf(*order), send);
  ItchSnapshotEnd end;
  end.next_message.fill(' ');
  std::ranges::copy(absl::StrCat(counters_.messages + 1), end.next_message.begin());
  SendFramed(end, send);
}

template <typename T>
void ItchFeed::Write(const T& message, Send send) {
  ++counters_.messages;
  SendFramed(message, send);
}

}  // namespace engine
