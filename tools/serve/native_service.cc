#include "tools/serve/native_service.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"

namespace tools {

NativeService::NativeService(const NativeConfig& config, engine::Venue& venue,
                             const engine::TextSessionHost& host)
    : host_(host),
      stamps_(system_),
      gateway_(venue, *this, {.logins = config.logins, .events_kept = config.events_kept}) {}

// Numbers of a journal that may lose its end are those of this start alone.
void NativeService::Start(const journal::Uuid& journal, journal::AckPolicy ack,
                          engine::Clock& clock) {
  const bool may_lose_tail = ack == journal::AckPolicy::kNone;
  const auto start = static_cast<uint64_t>(may_lose_tail ? clock.Now().nanos() : 0);
  std::array<std::byte, sizeof(journal.bytes) + sizeof(start)> name;
  std::ranges::copy(journal.bytes, name.begin());
  engine::StoreLittleEndian(start, name.data() + sizeof(journal.bytes));
  const uint64_t session = engine::DigestOf(name).low;
  gateway_.Start(session == 0 ? 1 : session);
}

}  // namespace tools
