// Any bytes of a client, before and after its login, are a conversation; what the venue sends does
// not depend on how they are cut, and is read again after the connection ends.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/gateway/native/testing/native_stage.h"
#include "engine/gateway/native/testing/native_text.h"

namespace {

// The events of the stream, after the client has sent its bytes.
std::vector<std::string> Converse(engine::Bytes bytes, size_t chunk_bytes, bool logs_in) {
  engine::NativeStage stage(/*waiting_max=*/3);
  stage.Connect('A');
  if (logs_in) stage.Send('A', engine::NativeBytes("login ONE one"));
  while (!bytes.empty() && stage.IsConnected('A')) {
    const engine::Bytes chunk = bytes.first(std::min(chunk_bytes, bytes.size()));
    bytes = bytes.subspan(chunk.size());
    stage.Send('A', engine::AsText(chunk));
    stage.Deliver();
  }
  stage.exchange.Release();
  stage.Deliver();
  const auto read_all = [&] {
    stage.Connect('B');
    stage.Send('B', engine::NativeBytes("login ONE one number=1"));
    stage.Deliver();
    return stage.ReceiverOf('B').events();
  };
  const std::vector<std::string> events = read_all();
  stage.Restart();
  CHECK(read_all() == events);
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const bool logs_in = data[0] % 4 != 0;
  CHECK(Converse(bytes, bytes.size() + 1, logs_in) ==
        Converse(bytes, size_t{1} + data[0] / 4, logs_in));
  return 0;
}
