# The rows of a conversation journal (conversation.h), for programs that have never seen them.
#
# Add fields only at the end; never renumber, never give a default other than zero.

@0xc4e19a7052f8d36b;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("engine::schema");

# The data section is the row: 64 bytes.
struct TalkRow {
  sequence @0 :UInt64;
  timestamp @1 :Int64;       # Nanoseconds since 1970-01-01T00:00:00Z.
  applied @2 :UInt64;        # The last command of the command journal that was applied before,
  released @3 :UInt64;       # and the last one released.
  place @4 :UInt32;          # Of the session,
  generation @5 :UInt32;     # which differs for the sessions of one place.
  kind @6 :TalkKind;
  detail @7 :UInt16;         # The low byte, of a login: 1 accepted, 2 its end cancels; of a
                             # configuration: 1 faults are taken. The high byte: 0 the text
                             # protocol, 1 Kalshi's API.
  account @8 :UInt32;
  length @9 :UInt64;         # Of what was received or sent, in bytes; a steady time in
                             # nanoseconds; the number of a check.
  hash @10 :UInt64;          # Of what was sent: the low half of its XXH3-128.
}

enum TalkKind {
  none @0;
  started @1;
  opened @2;
  bytes @3;
  inputEnded @4;
  continued @5;
  login @6;
  released @7;
  refused @8;
  offered @9;
  sent @10;
  held @11;
  resumed @12;
  closed @13;
  worked @14;
  noRoom @15;
  ended @16;
  configured @17;
  time @18;
  unproven @19;
  injected @20;
}
