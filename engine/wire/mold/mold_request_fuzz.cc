// Any bytes as a request for messages: it is answered by one sound packet of the session, or not.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/retransmission.h"

namespace {

// Message n has n % 100 bytes; 200 to 1,000,000 are there.
class Endless final : public engine::MoldHistory {
 public:
  void Visit(uint64_t first, absl::FunctionRef<bool(engine::Bytes framed)> take) override {
    if (first < 200) return;
    for (uint64_t number = first; number <= 1'000'000; ++number) {
      std::string framed = {'\0', static_cast<char>(number % 100)};
      framed.append(number % 100, 'x');
      if (!take(engine::AsBytes(framed))) return;
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t kPayload = 1'472;
  const engine::Bytes payload(reinterpret_cast<const std::byte*>(data), size);
  Endless history;
  engine::MoldRetransmission server("FUZZ", kPayload, history);
  const engine::Bytes answer = server.Answer(payload);
  const auto request = engine::ParseMoldRequest(payload);
  CHECK(answer.empty() || request.ok());
  if (answer.empty()) return 0;
  CHECK(answer.size() <= kPayload);
  const auto packet = engine::ParseMoldPacket(answer);
  CHECK(packet.ok());
  CHECK(packet->session == "FUZZ      ");
  CHECK(packet->sequence == request->sequence);
  CHECK(packet->count >= 1 && packet->count <= request->count);
  return 0;
}
