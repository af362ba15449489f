#include "tools/serve/reply_lag.h"

#include <algorithm>

namespace tools {

void ReplyLag::OnWritten(engine::SequenceNumber released, engine::SteadyTime now) {
  while (!unwritten_.empty() && unwritten_.front().applied <= released) {
    const int64_t lag = now - unwritten_.front().read_at;
    unwritten_.pop_front();
    histogram_.Record(static_cast<uint64_t>(lag));
    longest_ = std::max(longest_, lag);
  }
}

}  // namespace tools
