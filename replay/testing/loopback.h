// Both ends of an event stream in one process: what is written is answered when a reply is read.

#ifndef REPLAY_TESTING_LOOPBACK_H_
#define REPLAY_TESTING_LOOPBACK_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/subject.h"

namespace replay {

// Bytes that were written and can be read.
class ByteQueue final : public ByteChannel {
 public:
  absl::Status Write(engine::Bytes bytes) override {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return absl::OkStatus();
  }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override {
    const size_t count = std::min(into.size(), bytes_.size());
    std::copy_n(bytes_.begin(), count, into.begin());
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

// The end that asks. `subject` outlives it.
class Loopback final : public ByteChannel {
 public:
  Loopback(Subject& subject, uint64_t row_schema_id)
      : ends_(in_, out_), server_(ends_, subject, row_schema_id) {}

  absl::Status Write(engine::Bytes bytes) override { return in_.Write(bytes); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override {
    // What the server cannot answer it says, too.
    if (out_.bytes().empty()) (void)server_.AnswerNext();
    return out_.Read(into);
  }

 private:
  class Ends final : public ByteChannel {
   public:
    Ends(ByteQueue& in, ByteQueue& out) : in_(in), out_(out) {}
    absl::Status Write(engine::Bytes bytes) override { return out_.Write(bytes); }
    absl::StatusOr<size_t> Read(engine::MutableBytes into) override { return in_.Read(into); }

   private:
    ByteQueue& in_;
    ByteQueue& out_;
  };

  ByteQueue in_;
  ByteQueue out_;
  Ends ends_;
  EventStreamServer server_;
};

}  // namespace replay

#endif  // REPLAY_TESTING_LOOPBACK_H_
