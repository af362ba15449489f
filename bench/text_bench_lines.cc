#include "bench/text_bench_lines.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace bench {
namespace {

constexpr size_t kRecent = 256;  // The newest orders, which most changes name.

}  // namespace

void TextBenchLines::Append(std::string& out) {
  const uint64_t kind = prng_.Below(100);
  if (next_id_ <= options_.standing_order_count || placed_.empty() || kind < 45) {
    return AppendSubmit(out);
  }
  if (kind < 47) return AppendMarket(out);
  const size_t at = AnyPlaced();
  if (kind < 52) {
    absl::StrAppend(&out, "MODIFY ", placed_[at].id, " ");
    AppendPrice(placed_[at].is_buy, out);
    absl::StrAppend(&out, " ", 1 + prng_.Below(100), "\n");
    return;
  }
  absl::StrAppend(&out, "CANCEL ", placed_[at].id, "\n");
  placed_.erase(placed_.begin() + static_cast<std::ptrdiff_t>(at));
}

void TextBenchLines::AppendSubmit(std::string& out) {
  if (prng_.Chance(10)) mid_cents_ = std::max<int64_t>(mid_cents_ + prng_.Between(-1, 1), 10'000);
  const Placed placed{.id = next_id_++,
                      .market = static_cast<uint32_t>(prng_.Below(options_.market_count)),
                      .is_buy = prng_.Chance(50)};
  absl::StrAppend(&out, "SUBMIT ", placed.id, " ");
  AppendSymbol(placed.market, out);
  absl::StrAppend(&out, placed.is_buy ? " BUY " : " SELL ");
  AppendPrice(placed.is_buy, out);
  absl::StrAppend(&out, " ", 1 + prng_.Below(100), "\n");
  placed_.push_back(placed);
}

void TextBenchLines::AppendMarket(std::string& out) {
  absl::StrAppend(&out, "MARKET ", next_id_++, " ");
  AppendSymbol(static_cast<uint32_t>(prng_.Below(options_.market_count)), out);
  absl::StrAppend(&out, prng_.Chance(50) ? " BUY " : " SELL ", 1 + prng_.Below(100), "\n");
}

void TextBenchLines::AppendSymbol(uint32_t market, std::string& out) const {
  absl::StrAppend(&out, "SYM", market);
}

// Some ticks on the order's own side of the mid price; smaller distances are more likely.
void TextBenchLines::AppendPrice(bool is_buy, std::string& out) {
  const auto depth = static_cast<int64_t>(1 + std::min(prng_.Below(20), prng_.Below(20)));
  const int64_t cents = is_buy ? mid_cents_ - depth : mid_cents_ + depth;
  absl::StrAppend(&out, cents / 100, cents % 100 < 10 ? ".0" : ".", cents % 100);
}

size_t TextBenchLines::AnyPlaced() {
  const size_t recent = prng_.Chance(90) ? std::min(kRecent, placed_.size()) : placed_.size();
  return placed_.size() - 1 - prng_.Below(recent);
}

}  // namespace bench
