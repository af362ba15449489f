// Runs a live client at a venue over loopback, from a tick to the trade that it causes.
//
//   mover: an ask ─► venue ─ tick ─► client: a bid that takes it ─► venue ─ reply ─► client
//                              └──── tick to trade ────────────────────────────────────┘
//   echo: a request of the same bytes ─► a server that returns its body ─► the same kind of client
//
// The client is that of `ticktape trade`, with its journal; the venue is `ticktape serve`; the
// server of the echo has the venue's network and reader of HTTP. Ticks and echoes take turns.

#ifndef BENCH_TICK_TO_TRADE_RUN_H_
#define BENCH_TICK_TO_TRADE_RUN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/latency_histogram.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/measuring.h"
#include "tools/os/network/testing/delaying_proxy.h"

namespace bench {

struct TickToTradeOptions {
  std::string ticktape;  // The program.
  tools::KeyKind key = tools::KeyKind::kRsa;
  bool is_tls = false;
  bool spins = false;  // The client never sleeps: it asks its sockets again and again.
  std::optional<tools::LinkTerms> link;  // Of a proxy before the venue and the echo; none: neither.
  uint64_t seed = 1;                     // Of the link.
  tools::MeasuringConditions conditions;  // Of the client's thread.
  size_t ticks = 5'000;                   // After as many again by ten, which are not counted.
};

// In ns.
struct TickToTradeResult {
  // From the arrival of the tick's frame at the client's socket, by the kernel's stamp, until the
  // reply to the order that it caused is handled.
  LatencyHistogram tick_to_trade;
  // Of it: from the order's bytes on, as the client measures it. The rest is from the tick to them.
  LatencyHistogram order_round_trip;
  // From the call that sends an echo's request until its reply is handled.
  LatencyHistogram echo;
  size_t request_bytes = 0;  // Of an echo's body, which is that of an order.
  std::vector<tools::ConditionReport> conditions;
};

// Takes the conditions for the calling thread, for good. Errors: those of the venue and the client;
// DEADLINE_EXCEEDED, if a tick or a reply does not come within some seconds.
absl::StatusOr<TickToTradeResult> MeasureTickToTrade(const TickToTradeOptions& options);

}  // namespace bench

#endif  // BENCH_TICK_TO_TRADE_RUN_H_
