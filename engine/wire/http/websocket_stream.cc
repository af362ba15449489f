#include "engine/wire/http/websocket_stream.h"

#include <simdjson.h>
#include <wslay/wslay.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/http/websocket_frame.h"

namespace engine {
namespace {

constexpr size_t kCodeBytes = 2;
// A message of more bytes gives its memory back.
constexpr size_t kKeptBytes = 512;

bool IsUtf8(absl::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

// RFC 6455, section 7.4, and the codes registered since.
bool IsCode(uint16_t code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

std::string CodeBytes(uint16_t code) {
  return {static_cast<char>(code >> 8), static_cast<char>(code & 0xFF)};
}

uint16_t CodeOf(absl::string_view payload) {
  return LoadBigEndian<uint16_t>(AsBytes(payload).data());
}

// The longest beginning of at most `size` bytes that does not cut a character.
absl::string_view CutText(absl::string_view text, size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

struct FreeContext {
  void operator()(wslay_frame_context_ptr context) const { wslay_frame_context_free(context); }
};

}  // namespace

class WebSocketStream::State {
 public:
  explicit State(const Options& options);

  size_t Take(Bytes bytes, std::string& out);
  bool has_message() const { return has_message_; }
  const WebSocketMessage& message() const { return message_; }
  void Next();
  void Close(uint16_t code, absl::string_view payload, std::string& out);
  bool is_closing() const { return is_closing_; }
  bool is_over() const { return is_over_; }
  uint16_t close_code() const { return code_; }

 private:
  static ssize_t Receive(uint8_t* to, size_t size, int flags, void* state);

  void OnPart(const wslay_frame_iocb& part, std::string& out);
  bool BeginFrame(const wslay_frame_iocb& part, std::string& out);
  void EndFrame(const wslay_frame_iocb& part, std::string& out);
  void EndMessage(std::string& out);
  void EndClose(std::string& out);
  void Report(WebSocketMessage::Kind kind, absl::string_view payload);
  bool Fail(WebSocketCode code, std::string& out);

  const Options options_;
  std::unique_ptr<wslay_frame_context, FreeContext> context_;
  Bytes input_;  // During Take().

  // The frame that is being received. Its head is fed byte by byte, its payload not beyond its
  // end, so that wslay never holds bytes of a later frame.
  bool is_in_payload_ = false;
  uint64_t payload_left_ = 0;

  bool is_in_message_ = false;
  WebSocketMessage::Kind kind_ = WebSocketMessage::Kind::kText;
  std::string text_;     // Of the message so far.
  std::string control_;  // Of the control frame so far.

  bool has_message_ = false;
  WebSocketMessage message_;
  bool is_closing_ = false;
  bool is_over_ = false;
  uint16_t code_ = 0;
};

WebSocketStream::State::State(const Options& options) : options_(options) {
  wslay_frame_callbacks callbacks = {};
  callbacks.recv_callback = &Receive;
  wslay_frame_context_ptr context = nullptr;
  CHECK(wslay_frame_context_init(&context, &callbacks, this) == 0);
  context_.reset(context);
}

ssize_t WebSocketStream::State::Receive(uint8_t* to, size_t size, int /*flags*/, void* state) {
  State& self = *static_cast<State*>(state);
  const uint64_t wanted = self.is_in_payload_ ? self.payload_left_ : 1;
  const size_t count = std::min({size, self.input_.size(), static_cast<size_t>(wanted)});
  if (count == 0) return -1;
  std::memcpy(to, self.input_.data(), count);
  self.input_ = self.input_.subspan(count);
  return static_cast<ssize_t>(count);
}

size_t WebSocketStream::State::Take(Bytes bytes, std::string& out) {
  input_ = bytes;
  while (!input_.empty() && !has_message_ && !is_over_) {
    wslay_frame_iocb part = {};
    const ssize_t count = wslay_frame_recv(context_.get(), &part);
    if (count >= 0) {
      OnPart(part, out);
    } else if (count != WSLAY_ERR_WANT_READ) {
      Fail(WebSocketCode::kProtocolError, out);
    }
  }
  return is_over_ ? bytes.size() : bytes.size() - input_.size();
}

void WebSocketStream::State::OnPart(const wslay_frame_iocb& part, std::string& out) {
  if (!is_in_payload_) {
    if (!BeginFrame(part, out)) return;
    is_in_payload_ = true;
    payload_left_ = part.payload_length;
  }
  const bool is_control = wslay_is_ctrl_frame(part.opcode) != 0;
  const char* const data = reinterpret_cast<const char*>(part.data);
  if (is_control) {
    control_.append(data, part.data_length);
  } else if (!is_closing_) {
    text_.append(data, part.data_length);
  }
  payload_left_ -= part.data_length;
  if (payload_left_ > 0) return;
  is_in_payload_ = false;
  EndFrame(part, out);
}

// Returns false if the frame may not begin here.
bool WebSocketStream::State::BeginFrame(const wslay_frame_iocb& part, std::string& out) {
  if (part.rsv != 0 || part.mask == 0) return Fail(WebSocketCode::kProtocolError, out);
  switch (part.opcode) {
    case WSLAY_CONNECTION_CLOSE:
    case WSLAY_PING:
    case WSLAY_PONG:
      return true;
    case WSLAY_CONTINUATION_FRAME:
      if (!is_in_message_) return Fail(WebSocketCode::kProtocolError, out);
      break;
    case WSLAY_TEXT_FRAME:
    case WSLAY_BINARY_FRAME:
      if (is_in_message_) return Fail(WebSocketCode::kProtocolError, out);
      is_in_message_ = true;
      kind_ = part.opcode == WSLAY_TEXT_FRAME ? WebSocketMessage::Kind::kText
                                              : WebSocketMessage::Kind::kBinary;
      break;
    default:
      return Fail(WebSocketCode::kProtocolError, out);
  }
  if (part.payload_length > options_.message_bytes_max - text_.size()) {
    return Fail(WebSocketCode::kMessageTooBig, out);
  }
  return true;
}

void WebSocketStream::State::EndFrame(const wslay_frame_iocb& part, std::string& out) {
  switch (part.opcode) {
    case WSLAY_CONNECTION_CLOSE:
      return EndClose(out);
    case WSLAY_PING:
      if (!is_closing_) AppendFrame(WebSocketOpcode::kPong, control_, out);
      control_.clear();
      return;
    case WSLAY_PONG:
      if (is_closing_) return control_.clear();
      return Report(WebSocketMessage::Kind::kPong, control_);
    default:
      if (part.fin != 0) EndMessage(out);
  }
}

void WebSocketStream::State::EndMessage(std::string& out) {
  is_in_message_ = false;
  if (is_closing_) return;
  if (kind_ == WebSocketMessage::Kind::kText && !IsUtf8(text_)) {
    Fail(WebSocketCode::kInvalidText, out);
    return;
  }
  Report(kind_, text_);
}

void WebSocketStream::State::EndClose(std::string& out) {
  if (control_.empty()) {
    Close(static_cast<uint16_t>(WebSocketCode::kNoStatus), "", out);
  } else if (control_.size() < kCodeBytes || !IsCode(CodeOf(control_))) {
    Fail(WebSocketCode::kProtocolError, out);
  } else if (!IsUtf8(absl::string_view(control_).substr(kCodeBytes))) {
    Fail(WebSocketCode::kInvalidText, out);
  } else {
    Close(CodeOf(control_), CodeBytes(CodeOf(control_)), out);
  }
  is_over_ = true;
}

void WebSocketStream::State::Report(WebSocketMessage::Kind kind, absl::string_view payload) {
  message_ = {.kind = kind, .payload = payload};
  has_message_ = true;
}

// A pong may come inside a message that is cut: each leaves the other's bytes alone.
void WebSocketStream::State::Next() {
  has_message_ = false;
  std::string& bytes = message_.kind == WebSocketMessage::Kind::kPong ? control_ : text_;
  bytes.clear();
  if (bytes.capacity() > kKeptBytes) bytes = std::string();
}

void WebSocketStream::State::Close(uint16_t code, absl::string_view payload, std::string& out) {
  if (is_closing_) return;
  AppendFrame(WebSocketOpcode::kClose, payload, out);
  is_closing_ = true;
  code_ = code;
  // The rest of a message is dropped; one that waits for Next() stays.
  if (!has_message_ || message_.kind == WebSocketMessage::Kind::kPong) text_ = std::string();
}

bool WebSocketStream::State::Fail(WebSocketCode code, std::string& out) {
  Close(static_cast<uint16_t>(code), CodeBytes(static_cast<uint16_t>(code)), out);
  is_over_ = true;
  return false;
}

WebSocketStream::WebSocketStream(const Options& options)
    : state_(std::make_unique<State>(options)) {}
WebSocketStream::WebSocketStream(WebSocketStream&&) noexcept = default;
WebSocketStream& WebSocketStream::operator=(WebSocketStream&&) noexcept = default;
WebSocketStream::~WebSocketStream() = default;

size_t WebSocketStream::Take(Bytes bytes, std::string& out) { return state_->Take(bytes, out); }

bool WebSocketStream::has_message() const { return state_->has_message(); }

const WebSocketMessage& WebSocketStream::message() const {
  CHECK(has_message());
  return state_->message();
}

void WebSocketStream::Next() {
  CHECK(has_message());
  state_->Next();
}

void WebSocketStream::SendText(absl::string_view text, std::string& out) const {
  if (!is_closing()) AppendTextFrame({text}, out);
}

void WebSocketStream::SendText(std::initializer_list<absl::string_view> pieces,
                               std::string& out) const {
  if (!is_closing()) AppendTextFrame(pieces, out);
}

void WebSocketStream::SendPing(absl::string_view payload, std::string& out) const {
  if (!is_closing()) AppendFrame(WebSocketOpcode::kPing, payload, out);
}

void WebSocketStream::Close(WebSocketCode code, absl::string_view reason, std::string& out) {
  const auto number = static_cast<uint16_t>(code);
  CHECK(IsCode(number));
  const size_t reason_bytes_max = kWebSocketControlBytesMax - kCodeBytes;
  state_->Close(number, absl::StrCat(CodeBytes(number), CutText(reason, reason_bytes_max)), out);
}

bool WebSocketStream::is_closing() const { return state_->is_closing(); }

bool WebSocketStream::is_over() const { return state_->is_over(); }

uint16_t WebSocketStream::close_code() const {
  CHECK(is_closing());
  return state_->close_code();
}

}  // namespace engine
