// What the venue reports that the account has, and whether that is of one moment with the fills
// that were heard. A report stands between two lists of all fills: where these are equal, and
// nothing was heard meanwhile, it has exactly the fills of the list.

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

  // A fill was heard.
  void OnFill() { ++heard_; }

  // A report is asked for from now on, after so many fills were listed. All is flat that it does
  // not name.
  void BeginReport(uint64_t listed) {
    heard_before_ = heard_;
    listed_before_ = listed;
    std::ranges::fill(reported_, 0);
  }
  void Report(size_t market, int64_t hundredths) { reported_[market] = hundredths; }
  // So many were listed afterwards. Whether the report can be taken over.
  bool EndReport(uint64_t listed) const {
    return heard_ == heard_before_ && listed == listed_before_;
  }

  // Hundredths of a contract; negative: short.
  int64_t reported(size_t market) const { return reported_[market]; }

 private:
  std::vector<int64_t> reported_;
  uint64_t heard_ = 0;
  uint64_t heard_before_ = 0;
  uint64_t listed_before_ = 0;
};

}  // namespace client

#endif  // TOOLS_CLIENT_POSITIONS_H_
