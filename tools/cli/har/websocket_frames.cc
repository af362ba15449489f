#include "tools/cli/har/websocket_frames.h"

#include <wslay/wslay.h>

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"

namespace tools {
namespace {

struct FreeContext {
  void operator()(wslay_frame_context_ptr context) const { wslay_frame_context_free(context); }
};

}  // namespace

class WebSocketFrames::State {
 public:
  State() {
    wslay_frame_callbacks callbacks = {};
    callbacks.recv_callback = &Receive;
    wslay_frame_context_ptr context = nullptr;
    CHECK(wslay_frame_context_init(&context, &callbacks, this) == 0);
    context_.reset(context);
  }

  bool Take(absl::string_view bytes, bool is_missing, Visit visit) {
    input_ = bytes;
    while (!has_error_) {
      wslay_frame_iocb part = {};
      const ssize_t count = wslay_frame_recv(context_.get(), &part);
      if (count == WSLAY_ERR_WANT_READ && input_.empty()) break;
      has_error_ = count < 0;
      if (!has_error_) OnPart(part, is_missing, visit);
    }
    return !has_error_;
  }

  uint64_t payload_left() const { return has_error_ ? 0 : payload_left_; }

 private:
  static ssize_t Receive(uint8_t* to, size_t size, int /*flags*/, void* state) {
    absl::string_view& input = static_cast<State*>(state)->input_;
    const size_t count = std::min(size, input.size());
    if (count == 0) return -1;
    std::memcpy(to, input.data(), count);
    input.remove_prefix(count);
    return static_cast<ssize_t>(count);
  }

  // wslay gives a frame's payload in parts; an empty one in one part.
  void OnPart(const wslay_frame_iocb& part, bool is_missing, Visit visit) {
    const bool is_control = wslay_is_ctrl_frame(part.opcode) != 0;
    SeenMessage& message = is_control ? control_ : data_;
    if (!is_in_frame_) {
      payload_left_ = part.payload_length;
      if (part.opcode != WSLAY_CONTINUATION_FRAME) {
        message = SeenMessage();
        message.opcode = part.opcode;
      }
    }
    const size_t room = is_missing ? 0 : kMessageKeptMax - message.payload.size();
    message.payload.append(reinterpret_cast<const char*>(part.data),
                           std::min(room, part.data_length));
    message.is_cut |= part.data_length > room;
    payload_left_ -= part.data_length;
    is_in_frame_ = payload_left_ > 0;
    if (is_in_frame_ || part.fin == 0) return;
    visit(message);
    message = {};
  }

  std::unique_ptr<wslay_frame_context, FreeContext> context_;
  absl::string_view input_;  // During Take().
  bool is_in_frame_ = false;
  uint64_t payload_left_ = 0;
  SeenMessage data_;
  SeenMessage control_;
  bool has_error_ = false;
};

WebSocketFrames::WebSocketFrames() : state_(std::make_unique<State>()) {}
WebSocketFrames::~WebSocketFrames() = default;

bool WebSocketFrames::Take(absl::string_view bytes, Visit visit) {
  return state_->Take(bytes, false, visit);
}

bool WebSocketFrames::Skip(uint64_t count, Visit visit) {
  if (count > state_->payload_left()) return false;
  const std::string zeros(std::min<uint64_t>(count, 4096), '\0');
  while (count > 0) {
    const uint64_t piece = std::min<uint64_t>(count, zeros.size());
    if (!state_->Take(absl::string_view(zeros).substr(0, piece), true, visit)) return false;
    count -= piece;
  }
  return true;
}

}  // namespace tools
