#include "engine/gateway/reply_queue.h"

#include <algorithm>

#include "engine/base/check.h"

namespace engine {
namespace {

// Sent text and marks are erased once they are the larger part and at least this large.
constexpr size_t kMovedBytes = 64 << 10;
constexpr size_t kMovedMarks = 4096;

}  // namespace

void ReplyQueue::HoldUntil(SequenceNumber sequence) {
  if (appended_bytes() == 0) return;
  marked_ = text_.size();
  if (has_marks() && marks_.back().sequence == sequence) {
    marks_.back().end = dropped_ + marked_;
    return;
  }
  if (has_marks()) {
    CHECK_GT(sequence, marks_.back().sequence);
  } else if (sequence <= last_released_) {
    released_ = marked_;
    return;
  }
  marks_.push_back({.sequence = sequence, .end = dropped_ + marked_});
}

void ReplyQueue::Release(SequenceNumber sequence) {
  last_released_ = std::max(last_released_, sequence);
  while (has_marks() && marks_[first_mark_].sequence <= last_released_) {
    released_ = static_cast<size_t>(marks_[first_mark_++].end - dropped_);
  }
  ForgetMarks();
}

void ReplyQueue::ForgetMarks() {
  if (first_mark_ == marks_.size()) {
    marks_.clear();
  } else if (first_mark_ >= kMovedMarks && first_mark_ >= marks_.size() / 2) {
    marks_.erase(marks_.begin(), marks_.begin() + static_cast<ptrdiff_t>(first_mark_));
  } else {
    return;
  }
  first_mark_ = 0;
}

void ReplyQueue::ClearReleased() {
  taken_ = released_;
  if (taken_ != text_.size() && (taken_ < kMovedBytes || taken_ < text_.size() / 2)) return;
  text_.erase(0, taken_);
  dropped_ += taken_;
  marked_ -= taken_;
  taken_ = released_ = 0;
}

}  // namespace engine
