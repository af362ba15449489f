# What a venue remembers beside the exchange (venue_memory.h), part by part, in the order of the
# union below.
#
# Add fields only at the end; never renumber, never give a default other than zero.

@0xd3a1b65c90e7f412;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("engine::schema");

struct VenueMemoryPart {
  union {
    none @0 :Void;
    accounts @1 :List(RememberedAccount);  # By id.
    ids @2 :List(RememberedIds);           # By account, then block.
    actions @3 :List(RememberedAction);    # By market, then kind.
    end @4 :VenueMemoryEnd;                # Once, last.
    # After the accounts; by account, then market.
    positionLimits @5 :List(RememberedPositionLimit);
    logins @6 :List(RememberedLogin);      # After the actions; by name.
    texts @7 :List(RememberedText);        # After the ids; by account, then hash.
    fees @8 :List(RememberedFees);         # After the logins; by market.
  }
}

struct RememberedAccount {
  account @0 :UInt32;
  isOpen @1 :Bool;
  isFunded @2 :Bool;               # A deposit was made.
  openOrdersMax @3 :UInt64;
  orderQuantityMax @4 :UInt64;
  orderNotionalMax @5 :Int64;      # In 10^-6 dollar.
  ordersPerSecondMax @6 :UInt64;
  groupLast @7 :UInt32;            # The highest number of a group that was ever defined.
  groupCount @8 :UInt32;           # How many groups it has (venue_memory.h).
}

struct RememberedPositionLimit {
  account @0 :UInt32;
  market @1 :UInt32;
  limit @2 :UInt64;                # In quantity units; not zero.
}

struct RememberedIds {
  account @0 :UInt32;
  block @1 :UInt64;                # The first id divided by 512.
  bits @2 :Data;                   # 64 bytes: of id 512 block + n, bit n mod 8 of byte n / 8.
}

struct RememberedText {
  account @0 :UInt32;
  high @1 :UInt64;                 # Of the XXH3-128 of the client's id.
  low @2 :UInt64;
}

struct RememberedAction {
  market @0 :UInt32;
  kind @1 :UInt16;                 # The command's.
}

struct RememberedLogin {
  name @0 :Text;
  cancelsAtEnd @1 :Bool;           # As an operator set it last.
}

struct RememberedFees {
  market @0 :UInt32;               # Zero: the default.
  takerCoefficient @1 :UInt32;     # In 10^-4.
  makerCoefficient @2 :UInt32;
  multiplier @3 :UInt32;           # In 10^-2.
}

struct VenueMemoryEnd {
  accounts @0 :UInt64;             # How many there are.
  ids @1 :UInt64;
  actions @2 :UInt64;
  positionLimits @3 :UInt64;
  logins @4 :UInt64;
  texts @5 :UInt64;
  fees @6 :UInt64;
}
