@0xb81e6f20c5d97a34;
# What a segment says about itself, in its preamble. FORMAT.md, section 2.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("journal::schema");

struct SegmentMeta {
  application @0 :Text;
  buildId @1 :Text;
  semanticsVersion @2 :UInt32;
  createdBy @3 :Text;
  rowSchemaId @4 :UInt64;
  rowSchema @5 :Data;             # As it is, or one zstd frame …
  rowSchemaRawBytes @6 :UInt32;   # … that decodes to this many bytes; 0: as it is.
}
