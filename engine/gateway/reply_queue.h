// The replies of a session, in the order in which they were made. Each is sent after the command
// that it is held for is released (J3).
//
//   text() += reply, HoldUntil(7) ─► │ for 5 │ for 7 │ ─► Release(5) ─► released()
//                                     └──── held ─────┘
//
// A gateway never waits for the journal. Replies to a command are appended as soon as the command
// is applied, and held until it is released. Replies of the gateway itself (a refusal, a query) are
// held until the last command that was applied before them is released: they show nothing later,
// and are sent no earlier.

#ifndef ENGINE_GATEWAY_REPLY_QUEUE_H_
#define ENGINE_GATEWAY_REPLY_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"

namespace engine {

// Not thread-safe: owned by the session. Its memory is reused: nothing is allocated once the
// maximum held size has been reached. It has no size limit: the session takes no more requests
// while size_bytes() is too large.
class ReplyQueue {
 public:
  // The string to append replies to. The caller must not change its existing contents.
  std::string& text() { return text_; }

  // Holds the text appended since the last call until `sequence` is released.
  // REQUIRES: `sequence` is not before that of the last call.
  void HoldUntil(SequenceNumber sequence);

  // Drops the text appended since the last call of HoldUntil().
  void DropAppended() { text_.resize(text_.size() - appended_bytes()); }

  // Releases the replies that are held for `sequence` and earlier commands, now and from now on.
  void Release(SequenceNumber sequence);

  // Whether any text waits for its release.
  bool has_held() const { return released_ != text_.size(); }

  // The released text since the last ClearReleased(). Valid until the next call of any other
  // function.
  absl::string_view released() const {
    return absl::string_view(text_).substr(taken_, released_ - taken_);
  }
  void ClearReleased();

  // The size of all replies that have not been cleared.
  size_t size_bytes() const { return text_.size() - taken_; }

 private:
  struct Mark {
    SequenceNumber sequence;
    uint64_t end = 0;  // The end of the text held for it, in bytes from the first reply.
  };

  size_t appended_bytes() const { return text_.size() - marked_; }
  bool has_marks() const { return first_mark_ != marks_.size(); }
  void ForgetMarks();

  //   0 ── taken_ ── released_ ── marked_ ── size
  std::string text_;
  size_t taken_ = 0;      // Cleared up to this offset.
  size_t released_ = 0;   // Released up to this offset.
  size_t marked_ = 0;     // Held for a command up to this offset.
  uint64_t dropped_ = 0;  // Bytes that have been erased from the front of text_.

  // Ascending, from first_mark_ on; all are later than last_released_.
  std::vector<Mark> marks_;
  size_t first_mark_ = 0;
  SequenceNumber last_released_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_REPLY_QUEUE_H_
