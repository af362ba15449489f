#include "tools/serve/datagram_lines.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace tools {

DatagramLines::DatagramLines(size_t packet_bytes_max)
    : packet_bytes_max_(packet_bytes_max), places_(kBatchMax * packet_bytes_max) {
  batch_.reserve(kBatchMax);
}

absl::Status DatagramLines::Add(const Endpoint& destination, const DatagramSenderOptions& options) {
  ASSIGN_OR_RETURN(std::unique_ptr<DatagramSender> line,
                   DatagramSender::Open(destination, options));
  lines_.push_back(std::move(line));
  return absl::OkStatus();
}

void DatagramLines::Send(engine::Bytes packet) {
  CHECK_LE(packet.size(), packet_bytes_max_);
  if (batch_.size() == kBatchMax) Flush();
  std::byte* const place = &places_[batch_.size() * packet_bytes_max_];
  std::ranges::copy(packet, place);
  batch_.emplace_back(place, packet.size());
}

void DatagramLines::Flush() {
  for (const auto& line : lines_) line->Send(batch_);
  batch_.clear();
}

DatagramSender::Counters DatagramLines::counters() const {
  DatagramSender::Counters sum;
  for (const auto& line : lines_) {
    sum.sent += line->counters().sent;
    sum.dropped += line->counters().dropped;
    sum.calls += line->counters().calls;
  }
  return sum;
}

}  // namespace tools
