// Frames of the native protocol as lines of text, for tests.

#ifndef ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_TEXT_H_
#define ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/native/frame_reader.h"
#include "engine/wire/native/frames.h"

namespace engine {

// The frame, as bytes, that a client sends:
//
//   login USER PASSWORD [number=N] [session=N] [version=N]
//   COMMAND [id=N] [order=N] [buy|sell] [quantity=N] [price=N] [market=N] [group=N] [ioc]
//   heartbeat | logout | frame TYPE
//
// COMMAND is the name of a kind, for example new_order; its market is 3 unless the line says
// another one.
std::string NativeBytes(absl::string_view line);

// What a client receives, numbered as it counts.
class NativeReceiver {
 public:
  // Returns a line for each frame: "#2 accepted id=7 order=1 bid price=100 quantity=5 waited=1
  // engine=1", "login accepted account=6 session=1 number=1 oldest=1 next=1". Zeros are left out,
  // and so are record, market and time of receipt.
  std::vector<std::string> Take(absl::string_view bytes);

  // The events so far, from `first_number` on, without their times.
  const std::vector<std::string>& events() const { return events_; }
  uint64_t first_number() const { return first_number_; }
  uint64_t next_number() const { return first_number_ + events_.size(); }

 private:
  std::string TextOf(Bytes bytes);

  native::FrameReader reader_;
  uint64_t first_number_ = 0;
  std::vector<std::string> events_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_NATIVE_TESTING_NATIVE_TEXT_H_
