# The exchange's logical state as messages of bounded size: the entities of the state digest
# (engine/DESIGN.md, Digests), part by part, in the order of the union below.
#
# Add fields only at the end; never renumber, never give a default other than zero.

@0xb1f7c6a2d94e3058;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("engine::schema");

struct SnapshotPart {
  union {
    none @0 :Void;
    summary @1 :SnapshotSummary;         # Once, first.
    markets @2 :List(SnapshotMarket);    # By id.
    accounts @3 :List(SnapshotAccount);  # By id: those that are open or have limits.
    positions @4 :List(SnapshotPosition);  # By account, then market: those that are not zero.
    groups @5 :List(SnapshotGroup);      # By account, then group.
    groupFills @6 :List(SnapshotGroupFill);  # Of a group, oldest first: those within its window.
    orders @7 :List(SnapshotOrder);      # By market; bids, then asks; best price first; first in line first.
    end @8 :SnapshotEnd;                 # Once, last.
    positionLimits @9 :List(SnapshotPositionLimit);  # After the positions; by account, then market.
  }
}

struct SnapshotSummary {
  lastApplied @0 :UInt64;
  now @1 :Int64;
  held @2 :Int64;                # Money is in 10^-6 dollar.
  feesCollected @3 :Int64;
  exchangeState @4 :UInt8;
  defaultFees @5 :SnapshotFees;
}

struct SnapshotFees {
  takerCoefficient @0 :UInt32;
  makerCoefficient @1 :UInt32;
  multiplier @2 :UInt32;
}

struct SnapshotMarket {
  definition @0 :Data;           # As the attachment of its define-market command.
  settlementValue @1 :Int64;
  fees @2 :SnapshotFees;
  state @3 :UInt8;
}

struct SnapshotAccount {
  account @0 :UInt32;
  isOpen @1 :Bool;
  balance @2 :Int64;
  openOrdersMax @3 :UInt64;
  orderQuantityMax @4 :UInt64;
  orderNotionalMax @5 :Int64;
  ordersPerSecondMax @6 :UInt64;
  rateSecond @7 :Int64;
  rateCount @8 :UInt64;
  isSuspended @9 :Bool;          # Only if it is open.
}

struct SnapshotPosition {
  account @0 :UInt32;
  market @1 :UInt32;
  position @2 :Int64;
}

struct SnapshotPositionLimit {
  account @0 :UInt32;
  market @1 :UInt32;
  limit @2 :UInt64;              # Not zero.
  traded @3 :Int64;              # Bought less sold since the limit was set; zero where there is money.
}

struct SnapshotGroup {
  account @0 :UInt32;
  group @1 :UInt16;
  isTripped @2 :Bool;
  limit @3 :UInt64;
  windowNanos @4 :Int64;
  groupHigh @5 :UInt8;           # Of the group: 2^16 times this.
}

struct SnapshotGroupFill {
  account @0 :UInt32;
  group @1 :UInt16;
  time @2 :Int64;
  quantity @3 :UInt64;
  groupHigh @4 :UInt8;
}

struct SnapshotOrder {
  id @0 :UInt64;
  priority @1 :UInt64;
  price @2 :Int64;
  quantityRemaining @3 :UInt64;
  quantityFilled @4 :UInt64;
  expiresAt @5 :Int64;
  credit @6 :Int64;
  account @7 :UInt32;
  market @8 :UInt32;
  group @9 :UInt16;
  side @10 :UInt8;
  tif @11 :UInt8;
  flags @12 :UInt8;
  groupHigh @13 :UInt8;
}

# How many there were of each.
struct SnapshotEnd {
  markets @0 :UInt64;
  accounts @1 :UInt64;
  positions @2 :UInt64;
  groups @3 :UInt64;
  groupFills @4 :UInt64;
  orders @5 :UInt64;
  positionLimits @6 :UInt64;
}
