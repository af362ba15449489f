// What the venue reports that the account has, and whether that is of one moment with the fills
// that were heard.

#ifndef TOOLS_CLIENT_POSITIONS_H_
#define TOOLS_CLIENT_POSITIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace client {

// Not thread-safe. Markets by index.
class Positions {
 public:
  explicit Positions(size_t market_count) : reported_(market_count, 0) {}

  // A report that was asked for before it says nothing any more.
  void OnFill() { ++fills_; }

  // A report is asked for from now on: all is flat that it does not name.
  void BeginReport() {
    fills_before_ = fills_;
    std::ranges::fill(reported_, 0);
  }
  void Report(size_t market, int64_t hundredths) { reported_[market] = hundredths; }
  bool IsReportUsable() const { return fills_ == fills_before_; }
  // Hundredths of a contract; negative: short.
  int64_t reported(size_t market) const { return reported_[market]; }

 private:
  std::vector<int64_t> reported_;
  uint64_t fills_ = 0;
  uint64_t fills_before_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_POSITIONS_H_
