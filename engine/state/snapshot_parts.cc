#include "engine/state/snapshot_parts.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
#include "engine/messages/canonical_message.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/state/snapshot.capnp.h"

namespace engine {
namespace {

// ---- One entity

void Write(const FeeSchedule& fees, schema::SnapshotFees::Builder out) {
  out.setTakerCoefficient(fees.taker_coefficient);
  out.setMakerCoefficient(fees.maker_coefficient);
  out.setMultiplier(fees.multiplier);
}

FeeSchedule Read(schema::SnapshotFees::Reader in) {
  return {.taker_coefficient = in.getTakerCoefficient(),
          .maker_coefficient = in.getMakerCoefficient(),
          .multiplier = in.getMultiplier()};
}

void Write(const SnapshotSummary& summary, schema::SnapshotSummary::Builder out) {
  out.setLastApplied(summary.last_applied.value());
  out.setNow(summary.now.nanos());
  out.setHeld(summary.exchange.held.micros());
  out.setFeesCollected(summary.exchange.fees_collected.micros());
  out.setExchangeState(static_cast<uint8_t>(summary.exchange.state));
  Write(summary.exchange.default_fees, out.initDefaultFees());
}

SnapshotSummary Read(schema::SnapshotSummary::Reader in) {
  return {.last_applied = SequenceNumber(in.getLastApplied()),
          .now = Timestamp::FromNanos(in.getNow()),
          .exchange = {.state = static_cast<ExchangeState>(in.getExchangeState()),
                       .default_fees = Read(in.getDefaultFees()),
                       .held = Money::FromMicros(in.getHeld()),
                       .fees_collected = Money::FromMicros(in.getFeesCollected())}};
}

void Write(const SnapshotMarket& market, schema::SnapshotMarket::Builder out) {
  const std::vector<std::byte> definition = EncodeMarketDefinition(market.definition);
  out.setDefinition({reinterpret_cast<const capnp::byte*>(definition.data()), definition.size()});
  out.setSettlementValue(market.status.settlement_value.units());
  Write(market.status.fees, out.initFees());
  out.setState(static_cast<uint8_t>(market.status.state));
}

absl::StatusOr<SnapshotMarket> Read(schema::SnapshotMarket::Reader in) {
  const auto bytes = in.getDefinition();
  ASSIGN_OR_RETURN(MarketDefinition definition,
                   DecodeMarketDefinition(std::as_bytes(std::span(bytes.begin(), bytes.size()))));
  const MarketId id = definition.id;
  return SnapshotMarket{.definition = std::move(definition),
                        .status = {.market = id,
                                   .state = static_cast<MarketState>(in.getState()),
                                   .settlement_value = Price::FromUnits(in.getSettlementValue()),
                                   .fees = Read(in.getFees())}};
}

void Write(const AccountStatus& account, schema::SnapshotAccount::Builder out) {
  out.setAccount(account.account.value());
  out.setIsOpen(account.is_open);
  out.setBalance(account.balance.micros());
  out.setOpenOrdersMax(account.limits.open_orders_max);
  out.setOrderQuantityMax(account.limits.order_quantity_max.units());
  out.setOrderNotionalMax(account.limits.order_notional_max.micros());
  out.setOrdersPerSecondMax(account.limits.orders_per_second_max);
  out.setRateSecond(account.rate_second);
  out.setRateCount(account.rate_count);
  out.setIsSuspended(account.standing == AccountStanding::kSuspended);
}

AccountStatus Read(schema::SnapshotAccount::Reader in) {
  return {.account = AccountId(in.getAccount()),
          .is_open = in.getIsOpen(),
          .balance = Money::FromMicros(in.getBalance()),
          .limits = {.open_orders_max = in.getOpenOrdersMax(),
                     .order_quantity_max = Quantity::FromUnits(in.getOrderQuantityMax()),
                     .order_notional_max = Money::FromMicros(in.getOrderNotionalMax()),
                     .orders_per_second_max = in.getOrdersPerSecondMax()},
          .rate_second = in.getRateSecond(),
          .rate_count = in.getRateCount(),
          .standing = in.getIsSuspended() ? AccountStanding::kSuspended : AccountStanding::kActive};
}

void Write(const SnapshotPosition& position, schema::SnapshotPosition::Builder out) {
  out.setAccount(position.account.value());
  out.setMarket(position.market.value());
  out.setPosition(position.position);
}

SnapshotPosition Read(schema::SnapshotPosition::Reader in) {
  return {.account = AccountId(in.getAccount()),
          .market = MarketId(in.getMarket()),
          .position = in.getPosition()};
}

void Write(const PositionLimitStatus& limit, schema::SnapshotPositionLimit::Builder out) {
  out.setAccount(limit.account.value());
  out.setMarket(limit.market.value());
  out.setLimit(limit.limit.units());
  out.setTraded(limit.traded);
}

PositionLimitStatus Read(schema::SnapshotPositionLimit::Reader in) {
  return {.account = AccountId(in.getAccount()),
          .market = MarketId(in.getMarket()),
          .limit = Quantity::FromUnits(in.getLimit()),
          .traded = in.getTraded()};
}

template <typename Builder>
void SetGroup(GroupId group, Builder& out) {
  out.setGroup(static_cast<uint16_t>(group.value()));
  out.setGroupHigh(static_cast<uint8_t>(group.value() >> 16));
}

template <typename Reader>
GroupId GroupOf(const Reader& in) {
  return GroupId(uint32_t{in.getGroupHigh()} << 16 | in.getGroup());
}

void Write(const GroupStatus& group, schema::SnapshotGroup::Builder out) {
  out.setAccount(group.account.value());
  SetGroup(group.group, out);
  out.setIsTripped(group.is_tripped);
  out.setLimit(group.limit.units());
  out.setWindowNanos(group.window_nanos);
}

GroupStatus Read(schema::SnapshotGroup::Reader in) {
  return {.account = AccountId(in.getAccount()),
          .group = GroupOf(in),
          .limit = Quantity::FromUnits(in.getLimit()),
          .window_nanos = in.getWindowNanos(),
          .is_tripped = in.getIsTripped()};
}

void Write(const SnapshotGroupFill& fill, schema::SnapshotGroupFill::Builder out) {
  out.setAccount(fill.account.value());
  SetGroup(fill.group, out);
  out.setTime(fill.time.nanos());
  out.setQuantity(fill.quantity.units());
}

SnapshotGroupFill Read(schema::SnapshotGroupFill::Reader in) {
  return {.account = AccountId(in.getAccount()),
          .group = GroupOf(in),
          .time = Timestamp::FromNanos(in.getTime()),
          .quantity = Quantity::FromUnits(in.getQuantity())};
}

void Write(const RestingOrder& order, schema::SnapshotOrder::Builder out) {
  out.setId(order.id.value());
  out.setPriority(order.priority.value());
  out.setPrice(order.price.units());
  out.setQuantityRemaining(order.quantity_remaining.units());
  out.setQuantityFilled(order.quantity_filled.units());
  out.setExpiresAt(order.expires_at.nanos());
  out.setCredit(order.credit.micros());
  out.setAccount(order.account.value());
  out.setMarket(order.market.value());
  SetGroup(order.group, out);
  out.setSide(static_cast<uint8_t>(order.side));
  out.setTif(static_cast<uint8_t>(order.tif));
  out.setFlags(order.flags.bits());
}

RestingOrder Read(schema::SnapshotOrder::Reader in) {
  return {.id = OrderId(in.getId()),
          .priority = SequenceNumber(in.getPriority()),
          .price = Price::FromUnits(in.getPrice()),
          .quantity_remaining = Quantity::FromUnits(in.getQuantityRemaining()),
          .quantity_filled = Quantity::FromUnits(in.getQuantityFilled()),
          .account = AccountId(in.getAccount()),
          .market = MarketId(in.getMarket()),
          .side = static_cast<Side>(in.getSide()),
          .tif = static_cast<TimeInForce>(in.getTif()),
          .flags = OrderFlags::FromBits(in.getFlags()),
          .group = GroupOf(in),
          .expires_at = Timestamp::FromNanos(in.getExpiresAt()),
          .credit = Money::FromMicros(in.getCredit())};
}

void Write(const SnapshotEnd& end, schema::SnapshotEnd::Builder out) {
  out.setMarkets(end.counts[0]);
  out.setAccounts(end.counts[1]);
  out.setPositions(end.counts[2]);
  out.setPositionLimits(end.counts[3]);
  out.setGroups(end.counts[4]);
  out.setGroupFills(end.counts[5]);
  out.setOrders(end.counts[6]);
}

SnapshotEnd Read(schema::SnapshotEnd::Reader in) {
  return {{in.getMarkets(), in.getAccounts(), in.getPositions(), in.getPositionLimits(),
           in.getGroups(), in.getGroupFills(), in.getOrders()}};
}

// ---- Lists of them

template <typename Entity, typename ListReader>
absl::Status ReadEach(ListReader in, SnapshotPart& part) {
  if (in.size() > kSnapshotPartEntities) {
    return absl::DataLossError(
        absl::StrCat("a list of ", in.size(), "; expected at most ", kSnapshotPartEntities));
  }
  std::vector<Entity> list(in.size());
  for (unsigned i = 0; i < in.size(); ++i) {
    ASSIGN_OR_RETURN(list[i], absl::StatusOr<Entity>(Read(in[i])));
  }
  part = std::move(list);
  return absl::OkStatus();
}

template <typename Entity>
using List = std::vector<Entity>;

struct Writer {
  using Part = schema::SnapshotPart::Builder;
  Part out;

  void operator()(const SnapshotSummary& summary) { Write(summary, out.initSummary()); }
  void operator()(const List<SnapshotMarket>& list) { WriteEach(list, &Part::initMarkets); }
  void operator()(const List<AccountStatus>& list) { WriteEach(list, &Part::initAccounts); }
  void operator()(const List<SnapshotPosition>& list) { WriteEach(list, &Part::initPositions); }
  void operator()(const List<PositionLimitStatus>& list) {
    WriteEach(list, &Part::initPositionLimits);
  }
  void operator()(const List<GroupStatus>& list) { WriteEach(list, &Part::initGroups); }
  void operator()(const List<SnapshotGroupFill>& list) { WriteEach(list, &Part::initGroupFills); }
  void operator()(const List<RestingOrder>& list) { WriteEach(list, &Part::initOrders); }
  void operator()(const SnapshotEnd& end) { Write(end, out.initEnd()); }

  template <typename Entity, typename Init>
  void WriteEach(const List<Entity>& list, Init init) {
    auto to = (out.*init)(static_cast<unsigned>(list.size()));
    for (unsigned i = 0; i < list.size(); ++i) Write(list[i], to[i]);
  }
};

absl::Status ReadPart(schema::SnapshotPart::Reader in, SnapshotPart& part) {
  using Which = schema::SnapshotPart;
  switch (in.which()) {
    case Which::SUMMARY:
      part = Read(in.getSummary());
      return absl::OkStatus();
    case Which::MARKETS:
      return ReadEach<SnapshotMarket>(in.getMarkets(), part);
    case Which::ACCOUNTS:
      return ReadEach<AccountStatus>(in.getAccounts(), part);
    case Which::POSITIONS:
      return ReadEach<SnapshotPosition>(in.getPositions(), part);
    case Which::POSITION_LIMITS:
      return ReadEach<PositionLimitStatus>(in.getPositionLimits(), part);
    case Which::GROUPS:
      return ReadEach<GroupStatus>(in.getGroups(), part);
    case Which::GROUP_FILLS:
      return ReadEach<SnapshotGroupFill>(in.getGroupFills(), part);
    case Which::ORDERS:
      return ReadEach<RestingOrder>(in.getOrders(), part);
    case Which::END:
      part = Read(in.getEnd());
      return absl::OkStatus();
    case Which::NONE:
      break;
  }
  return absl::DataLossError(absl::StrCat("a part of kind ", static_cast<int>(in.which()),
                                          "; expected 1 to 9 (a newer build may know it)"));
}

}  // namespace

std::vector<std::byte> EncodeSnapshotPart(const SnapshotPart& part) {
  capnp::MallocMessageBuilder message;
  std::visit(Writer{message.initRoot<schema::SnapshotPart>()}, part);
  return ToBytes(capnp::messageToFlatArray(message));
}

absl::StatusOr<SnapshotPart> DecodeSnapshotPart(Bytes bytes) {
  ASSIGN_OR_RETURN(const auto words, ToWords("a part", bytes, kSnapshotPartBytesMax));
  SnapshotPart part;
  absl::Status status;
  RETURN_IF_ERROR(CatchKj([&] {
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 2 * words.size();
    capnp::FlatArrayMessageReader message(words, options);
    status = ReadPart(message.getRoot<schema::SnapshotPart>(), part);
  }));
  RETURN_IF_ERROR(status);
  return part;
}

absl::Status SnapshotWriter::Finish() {
  Flush();
  Put(end_);
  return status_;
}

void SnapshotWriter::Flush() {
  if (std::holds_alternative<SnapshotSummary>(part_)) return;
  Put(part_);
  part_ = SnapshotSummary();
}

void SnapshotWriter::Put(const SnapshotPart& part) {
  if (status_.ok()) status_ = sink_(EncodeSnapshotPart(part));
}

}  // namespace engine
