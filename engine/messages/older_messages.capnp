# A Command as a shorter, older schema might have had it: for layout_test.

@0xe2c5a8f1b7d09346;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("engine::older_schema");

struct Command {
  sequence @0 :UInt64;
  timestamp @1 :Int64;
  orderId @2 :UInt64;
  price @3 :Int64;
}
