// The results of tick_to_trade_bench: for people, as JSON, and as a page with pictures.

#ifndef BENCH_TICK_TO_TRADE_REPORT_H_
#define BENCH_TICK_TO_TRADE_REPORT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/tick_to_trade_run.h"

namespace bench {

// All runs of one network, or of one setting.
struct TickToTradeRow {
  std::string name;    // "none", "wan"; "SCHED_FIFO".
  std::string remark;  // How the network was made; whether the setting was applied.
  TickToTradeResult result = {};
};

// Adds the times of a further run.
void Merge(const TickToTradeResult& more, TickToTradeResult& all);

// "name, remark", then a line for each kind of time, and the ratios to the echo.
void Print(const TickToTradeRow& row);
// A table with a line for each setting. REQUIRES: the first is without any.
void PrintSettings(const std::vector<TickToTradeRow>& rows);

// One line.
std::string ToJson(const TickToTradeRow& row);
// The times of a line by ToJson(), and the conditions. Errors: DATA_LOSS.
absl::StatusOr<TickToTradeResult> ParseTickToTrade(absl::string_view json);

// A self-contained page: for each row, the order's times in blue before the echo's in grey.
// `facts`: what was measured, and where.
std::string ToPage(const std::vector<TickToTradeRow>& rows, const std::vector<std::string>& facts);

}  // namespace bench

#endif  // BENCH_TICK_TO_TRADE_REPORT_H_
