// The messages of a feed on their way from the thread that receives them to one that records them:
// in order, each once.

#ifndef TOOLS_FEED_FEED_TAPE_H_
#define TOOLS_FEED_FEED_TAPE_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "tools/os/thread.h"

namespace tools {

// Thread-safe: one thread appends, another takes.
class FeedTape {
 public:
  // A part of the feed that begins with empty books, or continues the part before.
  struct Part {
    bool begins_again = false;
    std::string framed = {};  // Messages, each after its length.
  };

  // More bytes than `bytes_max` are not kept: the tape is then full for ever.
  explicit FeedTape(size_t bytes_max) : bytes_max_(bytes_max) {}

  void Clear() {
    const MutexLock lock(mutex_);
    if (!is_full_) parts_.push_back({.begins_again = true});
  }
  void Append(engine::Bytes framed) {
    const MutexLock lock(mutex_);
    is_full_ = is_full_ || bytes_ + framed.size() > bytes_max_;
    if (is_full_) return;
    if (parts_.empty()) parts_.emplace_back();
    absl::StrAppend(&parts_.back().framed, engine::AsText(framed));
    bytes_ += framed.size();
  }

  // All since the last call.
  std::vector<Part> Take() {
    const MutexLock lock(mutex_);
    bytes_ = 0;
    return std::exchange(parts_, {});
  }

  // Whether messages were not kept, because none was taken for too long.
  bool is_full() const {
    const MutexLock lock(mutex_);
    return is_full_;
  }

 private:
  const size_t bytes_max_;
  mutable Mutex mutex_;
  std::vector<Part> parts_;  // The rest is guarded by mutex_.
  size_t bytes_ = 0;
  bool is_full_ = false;
};

}  // namespace tools

#endif  // TOOLS_FEED_FEED_TAPE_H_
