# The recorded form of commands, events and their attachments.
#
# Command and Event are pure data, eight words, no pointers: their struct layout equals the C++ structs
# of command.h and event.h byte for byte (layout_test). Add fields only at the end; never renumber,
# never give a default other than zero.

@0xd6b3a1c5f0e84b27;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("engine::schema");

struct Command {
  sequence @0 :UInt64;
  timestamp @1 :Int64;       # Nanoseconds since 1970-01-01T00:00:00Z.
  orderId @2 :UInt64;
  price @3 :Int64;           # In the market's price unit.
  quantity @4 :UInt64;       # In the market's quantity unit.
  clientOrderId @5 :UInt64;
  account @6 :UInt32;
  market @7 :UInt32;
  kind @8 :CommandKind;      # The low byte; the high one is the group's third byte.
  side @9 :UInt8;            # 1 bid, 2 ask.
  type @10 :UInt8;           # 1 limit, 2 market.
  tif @11 :UInt8;            # 1 good till cancelled, 2 immediate or cancel, 3 fill or kill,
                             # 4 good till time (orderId is the time), 5 day.
  flags @12 :UInt8;          # 1 post only, 2 reduce only, 4 cancel on pause, 8/16/24 self-trade prevention.
  group @13 :UInt16;         # The two low bytes. With the third: 0 to 2^24 - 1.
}

enum CommandKind {
  none @0;
  defineMarket @1;
  newOrder @2;
  cancel @3;
  reduce @4;
  replace @5;
  amend @6;
  advanceTime @7;
  reduceTo @8;
  massCancel @9;
  openMarket @10;
  pauseMarket @11;
  closeMarket @12;
  determineMarket @13;
  settleMarket @14;
  resumeExchange @15;
  pauseExchange @16;
  haltExchange @17;
  openAccount @18;
  deposit @19;
  withdraw @20;
  setRiskLimits @21;
  setFees @22;
  defineGroup @23;
  resetGroup @24;
  suspendAccount @25;
  resumeAccount @26;
  note @27;
  setPositionLimit @28;
  triggerGroup @29;
  deleteGroup @30;
  setExpiry @31;
  execute @32;
}

struct Event {
  sequence @0 :UInt64;
  orderId @1 :UInt64;
  counterOrderId @2 :UInt64;
  price @3 :Int64;
  quantity @4 :UInt64;
  quantityRemaining @5 :UInt64;
  account @6 :UInt32;
  market @7 :UInt32;
  index @8 :UInt32;
  kind @9 :EventKind;
  side @10 :UInt8;
  detail @11 :UInt8;         # Reject reason, cancel reason or priority, by kind.
}

enum EventKind {
  none @0;
  marketDefined @1;
  accepted @2;
  trade @3;
  cancelled @4;
  reduced @5;
  replaced @6;
  amended @7;
  timeAdvanced @8;
  rejected @9;
  marketState @10;
  determined @11;
  exchangeState @12;
  accountOpened @13;
  balance @14;
  position @15;
  limitsSet @16;
  feesSet @17;
  groupDefined @18;
  groupReset @19;
  groupTripped @20;
  massCancelled @21;
  accountStanding @22;
  noted @23;
  positionLimitSet @24;
  groupDeleted @25;
  expirySet @26;
}

# The attachment of a define-market command.
struct MarketDefinition {
  id @0 :UInt32;
  symbol @1 :Text;
  priceDecimals @2 :UInt8;
  quantityDecimals @3 :UInt8;
  tick @4 :Int64;
  priceMin @5 :Int64;
  priceMax @6 :Int64;
  lot @7 :UInt64;
  kind @8 :UInt8;            # 0 equity, 1 binary.
  startsUnopened @9 :Bool;
  quantityMin @10 :UInt64;
  quantityMax @11 :UInt64;
  bands @12 :List(TickBand);
  fokBecomesIoc @13 :Bool;
  postOnlyChangeCancels @14 :Bool;
  mirrored @15 :Bool;
}

struct TickBand {
  from @0 :Int64;
  tick @1 :Int64;
}

# The attachment of a set-risk-limits command. Zero is no limit.
struct RiskLimits {
  openOrdersMax @0 :UInt64;
  orderQuantityMax @1 :UInt64;
  orderNotionalMax @2 :Int64;      # In 10^-6 dollar.
  ordersPerSecondMax @3 :UInt64;
}

# The attachment of a set-fees command.
struct FeeSchedule {
  takerCoefficient @0 :UInt32;     # In 10^-4.
  makerCoefficient @1 :UInt32;     # In 10^-4.
  multiplier @2 :UInt32;           # In 10^-2.
}

# The attachment of a note command.
struct Note {
  namespace @0 :Text;
  version @1 :UInt16;
  bytes @2 :Data;
}
