// The numbers of records when others are inserted among them.

#ifndef TOOLS_BACKTEST_RENUMBERING_H_
#define TOOLS_BACKTEST_RENUMBERING_H_

#include <cstdint>
#include <vector>

namespace tools {

// The number of a recorded record among those that were inserted before it. Not thread-safe.
class Renumbering {
 public:
  // The next record that is inserted comes before `recorded`, the next one that was recorded.
  // REQUIRES: numbers do not decrease.
  void Insert(uint64_t recorded);
  // REQUIRES: everything that comes before `recorded` is inserted.
  uint64_t NumberOf(uint64_t recorded) const;
  uint64_t inserted() const { return inserted_before_.size(); }

 private:
  static constexpr int kChunkBits = 10;

  std::vector<uint64_t> inserted_before_;
  // By recorded number / 2^kChunkBits: how many were inserted before its first.
  std::vector<uint64_t> chunks_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_RENUMBERING_H_
