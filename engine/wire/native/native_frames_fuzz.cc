// Any bytes are frames, which do not depend on the chunks; what is read as a frame is written as
// the same bytes, and a command as the same command.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/wire/native/frame_reader.h"
#include "engine/wire/native/frames.h"

namespace {

using engine::Bytes;
namespace native = engine::native;

template <typename Frame>
void CheckWritten(Bytes bytes) {
  CHECK(std::ranges::equal(engine::AsBytes(native::FrameFrom<Frame>(bytes)), bytes));
}

void CheckFrame(Bytes bytes) {
  CheckWritten<native::EventFrame>(bytes);
  const auto login = native::FrameFrom<native::Login>(bytes);
  CHECK(native::TextOf(login.user).size() <= login.user.size());
  CHECK(native::FieldOf<decltype(login.user)>(native::TextOf(login.user)) == login.user);
  const engine::AccountId account(7);
  const engine::Command command = native::CommandFrom(bytes, account);
  CHECK(command.account == account && command.sequence == engine::SequenceNumber());
  const native::CommandFrame again = native::FrameOf(command);
  CHECK(native::CommandFrom(engine::AsBytes(again), account) == command);
}

std::string Read(Bytes bytes, size_t chunk_bytes) {
  native::FrameReader reader;
  std::string read;
  while (!bytes.empty()) {
    const Bytes chunk = bytes.first(std::min(chunk_bytes, bytes.size()));
    bytes = bytes.subspan(chunk.size());
    reader.Feed(chunk);
    for (Bytes frame = reader.Next(); !frame.empty(); frame = reader.Next()) {
      CheckFrame(frame);
      absl::StrAppend(&read, engine::AsText(frame));
    }
  }
  return read;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const std::string frames = Read(bytes, bytes.size() + 1);
  CHECK(frames == Read(bytes, size_t{1} + data[0]));
  const size_t whole = bytes.size() - bytes.size() % native::kFrameBytes;
  CHECK(frames == engine::AsText(bytes.first(whole)));
  return 0;
}
