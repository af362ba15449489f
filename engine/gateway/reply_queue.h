// The replies of a conversation, in the order in which they were made. Each leaves once the command
// that it follows is released (J3).
//
//   text() += reply, HoldBehind(7) ─► │ behind 5 │ behind 7 │ ─► Release(5) ─► released()
//                                     └─────── held ────────┘
//
// A gateway never waits for the journal. What a command causes is appended as soon as the command
// is applied, held behind its number. What a gateway answers by itself (a refusal, a query) is held
// behind the last command that was applied at that moment: it shows nothing later, and leaves no
// earlier.

#ifndef ENGINE_GATEWAY_REPLY_QUEUE_H_
#define ENGINE_GATEWAY_REPLY_QUEUE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"

namespace engine {

// Not thread-safe: owned by the session. Its memory is used again; nothing is allocated once as
// much has been held at a time as ever will be. It sets no bound: the session takes no more
// requests while size_bytes() is too large.
class ReplyQueue {
 public:
  // Where replies are appended. What stands before them is not the caller's to touch.
  std::string& text() { return text_; }

  // What was appended since the last call leaves once `sequence` is released.
  // REQUIRES: `sequence` is not before that of the last call.
  void HoldBehind(SequenceNumber sequence);

  // What was appended since the last call of HoldBehind() is not said.
  void DropAppended() { text_.resize(text_.size() - appended_bytes()); }

  // Releases what is held behind `sequence` and earlier commands, now and from now on.
  void Release(SequenceNumber sequence);

  // What may leave, until ClearReleased(). Valid until the next call of anything else.
  absl::string_view released() const {
    return absl::string_view(text_).substr(taken_, released_ - taken_);
  }
  void ClearReleased();

  // Of all replies that were not cleared.
  size_t size_bytes() const { return text_.size() - taken_; }

 private:
  struct Mark {
    SequenceNumber sequence;
    uint64_t end = 0;  // Of the text that is held behind it, counted from the first reply.
  };

  size_t appended_bytes() const { return text_.size() - marked_; }
  bool has_marks() const { return first_mark_ != marks_.size(); }
  void ForgetMarks();

  //   0 ── taken_ ── released_ ── marked_ ── size
  std::string text_;
  size_t taken_ = 0;      // Cleared up to here.
  size_t released_ = 0;   // May leave up to here.
  size_t marked_ = 0;     // Held behind a command up to here.
  uint64_t dropped_ = 0;  // Bytes that stood before text_ once.

  // Ascending, from first_mark_ on; all are later than last_released_.
  std::vector<Mark> marks_;
  size_t first_mark_ = 0;
  SequenceNumber last_released_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_REPLY_QUEUE_H_
