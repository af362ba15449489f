#include "engine/state/snapshot_parts.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
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

absl::Status Read(schema::SnapshotMarket::Reader in, SnapshotMarket& market) {
  const auto bytes = in.getDefinition();
  ASSIGN_OR_RETURN(market.definition,
                   DecodeMarketDefinition(std::as_bytes(std::span(bytes.begin(), bytes.size()))));
  market.status = {.market = market.definition.id,
                   .state = static_cast<MarketState>(in.getState()),
                   .settlement_value = Price::FromUnits(in.getSettlementValue()),
                   .fees = Read(in.getFees())};
  return absl::OkStatus();
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

absl::Status Read(schema::SnapshotAccount::Reader in, AccountStatus& account) {
  account = {
      .account = AccountId(in.getAccount()),
      .is_open = in.getIsOpen(),
      .balance = Money::FromMicros(in.getBalance()),
      .limits = {.open_orders_max = in.getOpenOrdersMax(),
                 .order_quantity_max = Quantity::FromUnits(in.getOrderQuantityMax()),
                 .order_notional_max = Money::FromMicros(in.getOrderNotionalMax()),
                 .orders_per_second_max = in.getOrdersPerSecondMax()},
      .rate_second = in.getRateSecond(),
      .rate_count = in.getRateCount(),
      .standing = in.getIsSuspended() ? AccountStanding::kSuspended : AccountStanding::kActive};
  return absl::OkStatus();
}

void Write(const SnapshotPosition& position, schema::SnapshotPosition::Builder out) {
  out.setAccount(position.account.value());
  out.setMarket(position.market.value());
  out.setPosition(position.position);
}

absl::Status Read(schema::SnapshotPosition::Reader in, SnapshotPosition& position) {
  position = {.account = AccountId(in.getAccount()),
              .market = MarketId(in.getMarket()),
              .position = in.getPosition()};
  return absl::OkStatus();
}

void Write(const GroupStatus& group, schema::SnapshotGroup::Builder out) {
  out.setAccount(group.account.value());
  out.setGroup(group.group.value());
  out.setIsTripped(group.is_tripped);
  out.setLimit(group.limit.units());
  out.setWindowNanos(group.window_nanos);
}

absl::Status Read(schema::SnapshotGroup::Reader in, GroupStatus& group) {
  group = {.account = AccountId(in.getAccount()),
           .group = GroupId(in.getGroup()),
           .limit = Quantity::FromUnits(in.getLimit()),
           .window_nanos = in.getWindowNanos(),
           .is_tripped = in.getIsTripped()};
  return absl::OkStatus();
}

void Write(const SnapshotGroupFill& fill, schema::SnapshotGroupFill::Builder out) {
  out.setAccount(fill.account.value());
  out.setGroup(fill.group.value());
  out.setTime(fill.time.nanos());
  out.setQuantity(fill.quantity.units());
}

absl::Status Read(schema::SnapshotGroupFill::Reader in, SnapshotGroupFill& fill) {
  fill = {.account = AccountId(in.getAccount()),
          .group = GroupId(in.getGroup()),
          .time = Timestamp::FromNanos(in.getTime()),
          .quantity = Quantity::FromUnits(in.getQuantity())};
  return absl::OkStatus();
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
  out.setGroup(order.group.value());
  out.setSide(static_cast<uint8_t>(order.side));
  out.setTif(static_cast<uint8_t>(order.tif));
  out.setFlags(order.flags.bits());
}

absl::Status Read(schema::SnapshotOrder::Reader in, RestingOrder& order) {
  order.id = OrderId(in.getId());
  order.priority = SequenceNumber(in.getPriority());
  order.price = Price::FromUnits(in.getPrice());
  order.quantity_remaining = Quantity::FromUnits(in.getQuantityRemaining());
  order.quantity_filled = Quantity::FromUnits(in.getQuantityFilled());
  order.expires_at = Timestamp::FromNanos(in.getExpiresAt());
  order.credit = Money::FromMicros(in.getCredit());
  order.account = AccountId(in.getAccount());
  order.market = MarketId(in.getMarket());
  order.group = GroupId(in.getGroup());
  order.side = static_cast<Side>(in.getSide());
  order.tif = static_cast<TimeInForce>(in.getTif());
  order.flags = OrderFlags::FromBits(in.getFlags());
  return absl::OkStatus();
}

void Write(const SnapshotEnd& end, schema::SnapshotEnd::Builder out) {
  out.setMarkets(end.counts[0]);
  out.setAccounts(end.counts[1]);
  out.setPositions(end.counts[2]);
  out.setGroups(end.counts[3]);
  out.setGroupFills(end.counts[4]);
  out.setOrders(end.counts[5]);
}

SnapshotEnd Read(schema::SnapshotEnd::Reader in) {
  return {{in.getMarkets(), in.getAccounts(), in.getPositions(), in.getGroups(), in.getGroupFills(),
           in.getOrders()}};
}

// ---- Lists of them

template <typename Entity, typename ListBuilder>
void WriteEach(const std::vector<Entity>& list, ListBuilder out) {
  for (unsigned i = 0; i < list.size(); ++i) Write(list[i], out[i]);
}

template <typename Entity, typename ListReader>
absl::Status ReadEach(ListReader in, SnapshotPart& part) {
  if (in.size() > kSnapshotPartEntities) {
    return absl::DataLossError(
        absl::StrCat("a list of ", in.size(), "; expected at most ", kSnapshotPartEntities));
  }
  std::vector<Entity> list(in.size());
  for (unsigned i = 0; i < in.size(); ++i) RETURN_IF_ERROR(Read(in[i], list[i]));
  part = std::move(list);
  return absl::OkStatus();
}

struct Writer {
  schema::SnapshotPart::Builder out;

  void operator()(const SnapshotSummary& summary) { Write(summary, out.initSummary()); }
  void operator()(const std::vector<SnapshotMarket>& list) {
    WriteEach(list, out.initMarkets(static_cast<unsigned>(list.size())));
  }
  void operator()(const std::vector<AccountStatus>& list) {
    WriteEach(list, out.initAccounts(static_cast<unsigned>(list.size())));
  }
  void operator()(const std::vector<SnapshotPosition>& list) {
    WriteEach(list, out.initPositions(static_cast<unsigned>(list.size())));
  }
  void operator()(const std::vector<GroupStatus>& list) {
    WriteEach(list, out.initGroups(static_cast<unsigned>(list.size())));
  }
  void operator()(const std::vector<SnapshotGroupFill>& list) {
    WriteEach(list, out.initGroupFills(static_cast<unsigned>(list.size())));
  }
  void operator()(const std::vector<RestingOrder>& list) {
    WriteEach(list, out.initOrders(static_cast<unsigned>(list.size())));
  }
  void operator()(const SnapshotEnd& end) { Write(end, out.initEnd()); }
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
                                          "; expected 1 to 8 (a newer build may know it)"));
}

}  // namespace

std::vector<std::byte> EncodeSnapshotPart(const SnapshotPart& part) {
  capnp::MallocMessageBuilder message;
  std::visit(Writer{message.initRoot<schema::SnapshotPart>()}, part);
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.begin(), bytes.size());
  return result;
}

absl::StatusOr<SnapshotPart> DecodeSnapshotPart(Bytes bytes) {
  if (bytes.empty() || bytes.size() % sizeof(capnp::word) != 0 ||
      bytes.size() > kSnapshotPartBytesMax) {
    return absl::DataLossError(absl::StrCat("a part of ", bytes.size(),
                                            " bytes; expected whole words, at most ",
                                            kSnapshotPartBytesMax, " bytes"));
  }
  // A copy, because the part may lie at any alignment.
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), bytes.size());
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
