#include "tools/cli/show/market_data.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "engine/base/bytes.h"
#include "engine/types/decimal.h"
#include "engine/wire/dbn/metadata.h"

namespace tools {
namespace {

using engine::OrderAction;
using engine::Side;
using engine::TopLevels;

constexpr size_t kPieceBytes = 64 << 10;
constexpr absl::string_view kDataset = "TICKTAPE";

char ActionLetter(OrderAction::Kind kind) {
  switch (kind) {
    case OrderAction::Kind::kAdd:
      return engine::kDbnAdd;
    case OrderAction::Kind::kCancel:
      return engine::kDbnCancel;
    case OrderAction::Kind::kModify:
      return engine::kDbnModify;
    case OrderAction::Kind::kTrade:
      return engine::kDbnTrade;
    case OrderAction::Kind::kFill:
      return engine::kDbnFill;
  }
  return engine::kDbnNoAction;
}

char SideLetter(Side side) {
  if (!IsValid(side)) return engine::kDbnNoSide;
  return side == Side::kBid ? engine::kDbnBid : engine::kDbnAsk;
}

// 20200130.
uint32_t DateOf(engine::Timestamp time, int days_later) {
  const absl::CivilDay day =
      absl::ToCivilDay(absl::FromUnixNanos(time.nanos()), absl::UTCTimeZone()) + days_later;
  return static_cast<uint32_t>(day.year() * 10'000 + day.month() * 100 + day.day());
}

std::string SymbolText(absl::string_view symbol, MarketDataFormat format) {
  return format == MarketDataFormat::kJsonLines ? engine::DbnJsonSymbol(symbol)
                                                : engine::DbnCsvSymbol(symbol);
}

int64_t PriceFactor(const engine::MarketDefinition& market) {
  int64_t factor = 1;
  for (int i = market.price_decimals; i < engine::kDbnPriceDecimals; ++i) factor *= 10;
  return factor;
}

}  // namespace

MarketDataRows::MarketDataRows(const Options& options, const engine::MarketDirectory& markets,
                               Sink sink)
    : options_(options), markets_(markets), sink_(std::move(sink)) {}

void MarketDataRows::Begin(engine::Timestamp first, engine::Timestamp last) {
  if (options_.format == MarketDataFormat::kJsonLines) return;
  if (options_.format == MarketDataFormat::kCsv) {
    out_ = options_.what == MarketData::kBook     ? engine::DbnCsvHeader(engine::DbnMbp10())
           : options_.what == MarketData::kTrades ? engine::DbnCsvHeader(engine::DbnTrade())
                                                  : engine::DbnCsvHeader(engine::DbnMbo());
    return;
  }
  engine::DbnMetadata metadata = {
      .dataset = std::string(kDataset),
      .schema = options_.what == MarketData::kBook     ? engine::DbnSchema::kMbp10
                : options_.what == MarketData::kTrades ? engine::DbnSchema::kTrades
                                                       : engine::DbnSchema::kMbo,
      .start = TimeOf(first),
      .end = TimeOf(last) + 1};
  for (const auto& [id, definition] : markets_.all()) {
    if (options_.market.has_value() && *options_.market != id) continue;
    metadata.symbols.push_back(definition.symbol);
    metadata.mappings.push_back({.symbol = definition.symbol,
                                 .intervals = {{.start_date = DateOf(first, 0),
                                                .end_date = DateOf(last, 1),
                                                .symbol = absl::StrCat(id.value())}}});
  }
  if (status_.ok()) out_ = engine::EncodeDbnMetadata(metadata);
}

void MarketDataRows::Know(engine::OrderId order, engine::MarketId market, Side side,
                          engine::Price price, engine::Quantity remaining,
                          engine::SequenceNumber at, engine::Timestamp time) {
  if (!Concerns(market)) return;
  Market& known = MarketOf(market);
  OrderAction action = {.kind = OrderAction::Kind::kAdd,
                        .side = side,
                        .market = market,
                        .order = order,
                        .price = price,
                        .size = remaining,
                        .sequence = at,
                        .time = time,
                        .quantity_change = static_cast<int64_t>(remaining.units()),
                        .order_count_change = 1};
  at_ = at;
  if (options_.what == MarketData::kBook) ChangeLevels(action, known);
  if (options_.what != MarketData::kOrders) return;
  if (!std::exchange(known.is_announced, true)) {
    engine::DbnMbo clear;
    Fill(action, known, clear);
    clear.order_id = 0;
    clear.price = engine::kDbnNoPrice;
    clear.size = 0;
    clear.flags = engine::kDbnSnapshot;
    clear.action = engine::kDbnClear;
    clear.side = engine::kDbnNoSide;
    Put(clear, known, at);
  }
  TakeForOrders(action, known, engine::kDbnSnapshot);
}

void MarketDataRows::Take(const OrderAction& action) {
  if (!Concerns(action.market)) return;
  at_ = action.sequence;
  Market& market = MarketOf(action.market);
  switch (options_.what) {
    case MarketData::kBook:
      return TakeForBook(action, market);
    case MarketData::kOrders:
      return TakeForOrders(action, market, 0);
    case MarketData::kTrades:
      if (action.kind != OrderAction::Kind::kTrade) return;
      engine::DbnTrade trade;
      Fill(action, market, trade);
      return Put(trade, market, action.sequence);
  }
}

absl::Status MarketDataRows::Finish() {
  if (pending_market_ != nullptr) WritePending(/*is_last=*/true);
  pending_market_ = nullptr;
  Flush(1);
  return status_;
}

MarketDataRows::Market& MarketDataRows::MarketOf(engine::MarketId id) {
  const uint32_t place = places_.Find(id.value());
  if (place != engine::IdTable::kNone) [[likely]]
    return books_[place];
  places_.Set(id.value(), static_cast<uint32_t>(books_.size()));
  const engine::MarketDefinition* const definition = markets_.Find(id);
  CHECK(definition != nullptr) << "market " << id << " is not defined";
  return books_.emplace_back(Market{.id = id,
                                    .definition = definition,
                                    .price_factor = PriceFactor(*definition),
                                    .symbol = SymbolText(definition->symbol, options_.format),
                                    .bids = TopLevels(Side::kBid, options_.depth),
                                    .asks = TopLevels(Side::kAsk, options_.depth)});
}

void MarketDataRows::TakeForOrders(const OrderAction& action, Market& market, uint8_t flags) {
  engine::DbnMbo record;
  Fill(action, market, record);
  record.order_id = action.order.value();
  record.flags = flags;
  Put(record, market, action.sequence);
}

void MarketDataRows::TakeForBook(const OrderAction& action, Market& market) {
  if (action.kind == OrderAction::Kind::kFill) return;
  size_t at = 0;
  if (action.kind != OrderAction::Kind::kTrade) {
    at = ChangeLevels(action, market);
    if (at == TopLevels::kBeyond) return;
  }
  Fill(action, market, market.book);
  market.book.depth = static_cast<uint8_t>(at);
  Put(market.book, market, action.sequence);
}

// Returns the level that changed, or kBeyond.
size_t MarketDataRows::ChangeLevels(const OrderAction& action, Market& market) {
  TopLevels& side = action.side == Side::kBid ? market.bids : market.asks;
  const size_t count_before = side.levels().size();
  const size_t at = side.Change(action.price, action.quantity_change, action.order_count_change);
  if (at == TopLevels::kBeyond) return at;
  const engine::DbnLevel& shown = market.book.levels[at];
  const int64_t price_before = action.side == Side::kBid ? shown.bid_px : shown.ask_px;
  UpdateLevel(market, action.side, at);
  // A level that joined or left moves those after it.
  if (price_before == (action.side == Side::kBid ? shown.bid_px : shown.ask_px)) return at;
  const size_t count = std::max(count_before, side.levels().size());
  for (size_t i = at + 1; i < count; ++i) UpdateLevel(market, action.side, i);
  return at;
}

void MarketDataRows::UpdateLevel(Market& market, Side side, size_t at) {
  const auto levels = (side == Side::kBid ? market.bids : market.asks).levels();
  engine::DbnLevel& shown = market.book.levels[at];
  const bool is_there = at < levels.size();
  const int64_t price = is_there ? PriceOf(levels[at].price, market) : engine::kDbnNoPrice;
  const uint32_t size = is_there ? SizeOf(levels[at].quantity.units(), market) : 0;
  const uint32_t count = is_there ? static_cast<uint32_t>(levels[at].order_count) : 0;
  if (side == Side::kBid) {
    shown.bid_px = price;
    shown.bid_sz = size;
    shown.bid_ct = count;
  } else {
    shown.ask_px = price;
    shown.ask_sz = size;
    shown.ask_ct = count;
  }
}

template <typename Record>
void MarketDataRows::Fill(const OrderAction& action, const Market& market, Record& record) {
  record.header = {.length = sizeof(Record) / 4,
                   .rtype = Record::kType,
                   .instrument_id = action.market.value(),
                   .ts_event = TimeOf(action.time)};
  record.price = PriceOf(action.price, market);
  record.size = SizeOf(action.size.units(), market);
  record.action = ActionLetter(action.kind);
  record.side = SideLetter(action.side);
  record.ts_recv = record.header.ts_event;
  record.sequence = static_cast<uint32_t>(action.sequence.value());
}

template <typename Record>
void MarketDataRows::Put(const Record& record, const Market& market,
                         engine::SequenceNumber sequence) {
  if (!status_.ok()) return;
  if (pending_market_ != nullptr) {
    WritePending(pending_sequence_ != sequence || pending_market_ != &market);
  }
  pending_ = record;
  pending_market_ = &market;
  pending_sequence_ = sequence;
}

void MarketDataRows::WritePending(bool is_last) {
  std::visit(
      [&](auto& record) {
        if (is_last) record.flags |= engine::kDbnLast;
        Write(record);
      },
      pending_);
  ++row_count_;
  Flush(kPieceBytes);
}

template <typename Record>
void MarketDataRows::Write(const Record& record) {
  switch (options_.format) {
    case MarketDataFormat::kCsv:
      return text_.AppendCsv(record, pending_market_->symbol, out_);
    case MarketDataFormat::kJsonLines:
      return text_.AppendJson(record, pending_market_->symbol, out_);
    case MarketDataFormat::kDbn:
      const absl::string_view bytes = engine::AsText(engine::AsBytes(record));
      out_.append(bytes.data(), bytes.size());
  }
}

int64_t MarketDataRows::PriceOf(engine::Price price, const Market& market) {
  int64_t result = 0;
  if (__builtin_mul_overflow(price.units(), market.price_factor, &result) ||
      result == engine::kDbnNoPrice) [[unlikely]] {
    Refuse(absl::StrCat("the price ", engine::FormatPrice(price, market.definition->price_decimals),
                        " of ", market.definition->symbol,
                        " is too large: Databento's rows have 64 bits for counts of 10^-9"));
  }
  return result;
}

uint32_t MarketDataRows::SizeOf(uint64_t units, const Market& market) {
  if (units > std::numeric_limits<uint32_t>::max()) [[unlikely]] {
    Refuse(absl::StrCat("a quantity of ", units, " units of ", market.definition->symbol,
                        " is too large: Databento's rows have 32 bits for it"));
  }
  return static_cast<uint32_t>(units);
}

uint64_t MarketDataRows::TimeOf(engine::Timestamp time) {
  if (time.nanos() < 0) [[unlikely]] {
    Refuse(absl::StrCat("the time ", time.ToString(), " is before 1970, where Databento's begin"));
  }
  return static_cast<uint64_t>(time.nanos());
}

void MarketDataRows::Refuse(const std::string& why) {
  if (!status_.ok()) return;
  status_ = absl::InvalidArgumentError(absl::StrCat("@", at_.value(), ": ", why));
}

void MarketDataRows::Flush(size_t at_least) {
  if (out_.size() < at_least) return;
  sink_(out_);
  out_.clear();
}

}  // namespace tools
