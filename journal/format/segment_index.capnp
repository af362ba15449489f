@0xe94c07a1836bd52f;
# What a sealed segment holds. Never authoritative: it can be rebuilt from the blocks.
# FORMAT.md, section 5.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("journal::schema");

struct BlockEntry {
  number @0 :UInt64;
  offset @1 :UInt64;
  firstSequence @2 :UInt64;
  firstTimestamp @3 :Int64;
  lastTimestamp @4 :Int64;
  recordCount @5 :UInt32;
  storedBytes @6 :UInt32;  # Header and padding included.
}

struct SegmentIndex {
  blocks @0 :List(BlockEntry);  # Data blocks only.
  nextSequence @1 :UInt64;      # Of the segment that follows.
  nextBlock @2 :UInt64;
  sealHash @3 :UInt64;          # header_hash of the SEAL block.
  incarnation @4 :UInt32;
  lastTimestamp @5 :Int64;
  logDigestLow @6 :UInt64;      # Over all records before nextSequence.
  logDigestHigh @7 :UInt64;
  logChainLow @8 :UInt64;       # L_k of the runs complete before nextSequence.
  logChainHigh @9 :UInt64;
  rawBytes @10 :UInt64;         # Of the bodies of all data blocks.
}
