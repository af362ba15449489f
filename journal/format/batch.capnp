@0xd3a1c5f0b7e24986;
# The body of a data block. FORMAT.md, section 4.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("journal::schema");

struct Row {
  # Pure data, eight words. The application's own struct has the same layout and knows more names.
  sequence @0 :UInt64;
  timestamp @1 :Int64;  # Nanoseconds since 1970-01-01T00:00:00Z.
  word2 @2 :UInt64;
  word3 @3 :UInt64;
  word4 @4 :UInt64;
  word5 @5 :UInt64;
  word6 @6 :UInt64;
  word7 @7 :UInt64;
}

struct Attachment {
  sequence @0 :UInt64;  # Of the record it belongs to.
  bytes @1 :Data;
}

struct Batch {
  rows @0 :List(Row);
  attachments @1 :List(Attachment);  # Ascending by sequence, none empty.
}
