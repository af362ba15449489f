#include "tools/feed/line_faults.h"

namespace tools {

void LineFaults::Take(engine::Bytes packet, Send send) {
  ++counters_.packets;
  // Each is drawn for each packet, so that a rate changes only its own kind of fault.
  const bool is_lost = Happens(options_.lost);
  const bool is_repeated = Happens(options_.repeated);
  const bool is_overtaken = Happens(options_.overtaken);
  const uint64_t overtakers = 1 + prng_.Below(kOvertakersMax);
  if (is_lost) {
    ++counters_.lost;
    return;
  }
  if (is_overtaken && held_.empty() && !packet.empty()) {
    ++counters_.overtaken;
    held_ = std::string(engine::AsText(packet));
    overtakers_ = overtakers;
    return;
  }
  send(packet);
  if (is_repeated) {
    ++counters_.repeated;
    send(packet);
  }
  if (!held_.empty() && --overtakers_ == 0) Flush(send);
}

void LineFaults::Flush(Send send) {
  if (held_.empty()) return;
  send(engine::AsBytes(held_));
  held_.clear();
}

}  // namespace tools
