#include "engine/wire/mold/recent_messages.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"
#include "engine/wire/mold/packet.h"

namespace engine {

MoldRecentMessages::MoldRecentMessages(size_t count, size_t framed_bytes_max,
                                       uint64_t first_sequence)
    : count_(count),
      framed_bytes_max_(framed_bytes_max),
      first_(first_sequence),
      next_(first_sequence),
      places_(count * framed_bytes_max) {
  CHECK(count > 0 && framed_bytes_max >= kMoldLengthBytes);
}

void MoldRecentMessages::Add(Bytes framed) {
  CHECK(framed.size() >= kMoldLengthBytes && framed.size() <= framed_bytes_max_) << framed.size();
  std::memcpy(PlaceOf(next_), framed.data(), framed.size());
  ++next_;
}

void MoldRecentMessages::Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) {
  if (first < oldest()) return;
  for (uint64_t sequence = first; sequence < next_; ++sequence) {
    const std::byte* const place = PlaceOf(sequence);
    if (!take(Bytes(place, kMoldLengthBytes + LoadBigEndian<uint16_t>(place)))) return;
  }
}

uint64_t MoldRecentMessages::oldest() const {
  return next_ - std::min<uint64_t>(count_, next_ - first_);
}

}  // namespace engine
