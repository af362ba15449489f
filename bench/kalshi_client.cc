#include "bench/kalshi_client.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "tools/os/clocks.h"

namespace bench {
namespace {

constexpr size_t kPieceBytes = 64 << 10;
constexpr double kPatienceSeconds = 60;
constexpr absl::string_view kHeadEnd = "\r\n\r\n";
constexpr absl::string_view kLength = "Content-Length: ";

// Of the whole reply at the beginning of `received`; 0 if it is not whole.
size_t ReplyBytes(absl::string_view received) {
  const size_t end = received.find(kHeadEnd);
  if (end == absl::string_view::npos) return 0;
  const absl::string_view head = received.substr(0, end + 2);
  const size_t at = head.find(kLength);
  uint64_t length = 0;
  if (at != absl::string_view::npos) {
    const absl::string_view rest = head.substr(at + kLength.size());
    if (!engine::ParseInteger(rest.substr(0, rest.find('\r')), length)) return 0;
  }
  const size_t size = end + kHeadEnd.size() + length;
  return received.size() < size ? 0 : size;
}

}  // namespace

int64_t NowNanos() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

absl::Status SendAll(absl::string_view bytes, tools::Peer& peer) {
  const tools::Stopwatch waiting;
  while (!bytes.empty()) {
    bytes.remove_prefix(peer.Send(bytes));
    if (waiting.Seconds() > kPatienceSeconds) return absl::DeadlineExceededError("nothing is read");
  }
  return absl::OkStatus();
}

// A server's frames have no mask: two bytes, then two or eight of a longer length.
size_t FrameCounter::Count(absl::string_view bytes) {
  size_t count = 0;
  while (true) {
    const size_t skipped = std::min<uint64_t>(to_skip_, bytes.size());
    bytes.remove_prefix(skipped);
    to_skip_ -= skipped;
    if (to_skip_ == 0 && skipped != 0) ++count;
    if (bytes.empty()) return count;
    head_ += bytes.front();
    bytes.remove_prefix(1);
    if (head_.size() < 2) continue;
    const auto at = [this](size_t i) {
      return static_cast<uint64_t>(static_cast<uint8_t>(head_[i]));
    };
    const size_t more = at(1) == 127 ? 8 : at(1) == 126 ? 2 : 0;
    if (head_.size() < 2 + more) continue;
    to_skip_ = more == 0 ? at(1) : 0;
    for (size_t i = 0; i < more; ++i) to_skip_ = to_skip_ << 8 | at(2 + i);
    head_.clear();
    if (to_skip_ == 0) ++count;
  }
}

absl::Status RequestClient::Send(absl::string_view request) {
  sent_at_ = NowNanos();
  return SendAll(request, *peer_);
}

absl::StatusOr<bool> RequestClient::HasReply(absl::string_view status) {
  received_ += peer_->Receive(kPieceBytes);
  const size_t size = ReplyBytes(received_);
  if (size == 0) {
    if (peer_->has_ended() || peer_->is_reset()) {
      return absl::AbortedError(absl::StrCat("the venue ended a connection: ", received_));
    }
    if (static_cast<double>(NowNanos() - sent_at_) > 1e9 * kPatienceSeconds) {
      return absl::DeadlineExceededError("a request has no reply");
    }
    return false;
  }
  // "HTTP/1.1 201 Created"
  if (absl::string_view(received_).substr(9, 3) != status) {
    return absl::AbortedError(absl::StrCat("expected ", status, ", found: ", received_));
  }
  received_.erase(0, size);
  return true;
}

absl::Status RequestClient::AwaitReply(absl::string_view status) {
  while (true) {
    ASSIGN_OR_RETURN(const bool has_reply, HasReply(status));
    if (has_reply) return absl::OkStatus();
  }
}

}  // namespace bench
