// Generates lines of the text protocol as a fast client would send them, from a seed: the same
// bytes on every machine.
//
//   45 % SUBMIT near the mid price · 48 % CANCEL · 5 % MODIFY · 2 % MARKET
//
// Lifetimes are short: most cancels and modifies name recently placed orders. The generator does
// not see fills, so a few of its requests are late and rejected, as a real client's are.

#ifndef BENCH_TEXT_BENCH_LINES_H_
#define BENCH_TEXT_BENCH_LINES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/prng.h"

namespace bench {

// Not thread-safe: owned by its caller.
class TextBenchLines {
 public:
  struct Options {
    uint64_t seed = 1;
    uint32_t market_count = 1;           // Range [1, 10'000].
    size_t standing_order_count = 5000;  // Placed before the mix begins.
  };

  explicit TextBenchLines(Options options) : options_(options), prng_(options.seed) {}

  // Appends the next line to `out`, with its line ending.
  void Append(std::string& out);

 private:
  struct Placed {
    uint64_t id = 0;
    uint32_t market = 0;
    bool is_buy = false;
  };

  void AppendSubmit(std::string& out);
  void AppendMarket(std::string& out);
  void AppendSymbol(uint32_t market, std::string& out) const;
  void AppendPrice(bool is_buy, std::string& out);
  // Returns the index of an order that was not cancelled, mostly of a recent one.
  size_t AnyPlaced();

  const Options options_;
  engine::Prng prng_;
  int64_t mid_cents_ = 32'014;
  uint64_t next_id_ = 1;
  std::vector<Placed> placed_;
};

}  // namespace bench

#endif  // BENCH_TEXT_BENCH_LINES_H_
