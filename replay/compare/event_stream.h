// The event stream: the protocol with an engine in another process.
//
//   this program                         the engine, on its standard input and output
//     hello ────────────────────────────►
//           ◄──────────────────────────── hello: its name, build and rules version
//     records ──────────────────────────►
//           ◄──────────────────────────── answer: digests
//     events, orders, reset ────────────►
//           ◄──────────────────────────── events, orders, answer
//     save ─────────────────────────────►
//           ◄──────────────────────────── state, or cannot
//     state ────────────────────────────►
//           ◄──────────────────────────── answer, or cannot
//     (end of input) ───────────────────►   it ends with exit code 0
//
//   frame   length of the payload (u32) │ kind (u16) │ 0 (u16) │ payload
//
// All integers are little-endian. EVENT_STREAM.md is the specification, for engines written
// elsewhere.

#ifndef REPLAY_COMPARE_EVENT_STREAM_H_
#define REPLAY_COMPARE_EVENT_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/compare/subject.h"
#include "replay/output.h"

namespace replay {

// Different major versions are incompatible. A minor version adds kinds that are never sent to
// older versions.
inline constexpr uint16_t kStreamMajor = 1;
inline constexpr uint16_t kStreamMinor = 1;

// A frame header that claims more is invalid: the other end does not speak this protocol.
inline constexpr uint32_t kFrameBytesMax = 256 << 20;

enum class FrameKind : uint16_t {
  kHello = 1,
  kRecords = 2,
  kEvents = 3,
  kOrders = 4,
  kReset = 5,
  kAnswer = 6,
  kFailed = 7,  // Text; the engine ends after it.
  // From version 1.1 on:
  kSave = 8,
  kState = 9,
  kCannot = 10,  // Text; the engine continues, after a refused state as after a reset.
};

// The first minor version with kSave, kState and kCannot.
inline constexpr uint16_t kStreamMinorOfStates = 1;

// A regular value type.
struct StreamHello {
  uint16_t major = kStreamMajor;
  uint16_t minor = kStreamMinor;
  uint64_t row_schema_id = 0;  // Cap'n Proto's id of the row's struct.
  SubjectIdentity identity;    // The engine's; empty in this program's hello.
};

struct OrdersRequest {
  engine::MarketId market;
  engine::Side side = {};
};

// Records as received. Attachments point into the frame's bytes and are valid as long as these.
struct RecordsFrame {
  Ask ask;
  std::vector<journal::Row> rows;
  std::vector<journal::AttachmentView> attachments;
};

// Encode and decode payloads. Decoding accepts any bytes safely. Errors: DATA_LOSS that says what
// was expected.
std::vector<std::byte> Encode(const StreamHello& hello);
absl::StatusOr<StreamHello> DecodeHello(engine::Bytes payload);
std::vector<std::byte> Encode(const journal::Batch& batch, const Ask& ask);
absl::StatusOr<RecordsFrame> DecodeRecords(engine::Bytes payload);
std::vector<std::byte> Encode(const Answer& answer);
absl::StatusOr<Answer> DecodeAnswer(engine::Bytes payload);
std::vector<std::byte> Encode(const OrdersRequest& request);
absl::StatusOr<OrdersRequest> DecodeOrdersRequest(engine::Bytes payload);
std::vector<std::byte> Encode(std::span<const engine::RestingOrder> orders);
absl::StatusOr<std::vector<engine::RestingOrder>> DecodeOrders(engine::Bytes payload);
absl::StatusOr<std::vector<Output>> DecodeOutputs(engine::Bytes payload);
std::vector<std::byte> Encode(const SavedState& state);
absl::StatusOr<SavedState> DecodeState(engine::Bytes payload);

// Whether the encoded state fits into one frame.
bool FitsAFrame(const SavedState& state);

// A byte stream to and from the other end: a process, or an in-memory loopback in tests. Not
// thread-safe.
class ByteChannel {
 public:
  virtual ~ByteChannel() = default;

  // Writes all of `bytes`. Errors: ABORTED with the other end's last output if it has ended.
  virtual absl::Status Write(engine::Bytes bytes) = 0;

  // Reads at least one byte and returns the count; 0 if the other end closed normally. Errors: as
  // Write().
  virtual absl::StatusOr<size_t> Read(engine::MutableBytes into) = 0;
};

struct Frame {
  FrameKind kind = {};
  std::vector<std::byte> payload;
};

absl::Status WriteFrame(ByteChannel& channel, FrameKind kind, engine::Bytes payload);

// Returns nullopt if the other end closed between two frames. Errors: DATA_LOSS (the input ends
// within a frame, or is not a frame), the channel's.
absl::StatusOr<std::optional<Frame>> ReadFrame(ByteChannel& channel);

// Whether both ends have the same major version and row schema. Errors: UNIMPLEMENTED, naming both
// values.
absl::Status CheckCompatible(const StreamHello& theirs, const StreamHello& ours);

// The engine's end of the stream; `ticktape engine-server` runs it. Not thread-safe. `channel` and
// `subject` outlive it.
class EventStreamServer {
 public:
  // `row_schema_id` identifies the schema of the rows that `subject` reads.
  EventStreamServer(ByteChannel& channel, Subject& subject, uint64_t row_schema_id)
      : channel_(channel),
        subject_(subject),
        ours_{.row_schema_id = row_schema_id, .identity = subject.identity()} {}

  // Answers one frame; returns false at the end of the input. Errors: the channel's; DATA_LOSS and
  // UNIMPLEMENTED for a frame that cannot be answered, after the other end has been sent the error.
  absl::StatusOr<bool> AnswerNext();

  // Answers frames until the end of the input.
  absl::Status Run();

 private:
  absl::Status AnswerTo(const Frame& frame);

  ByteChannel& channel_;
  Subject& subject_;
  const StreamHello ours_;
  bool greeted_ = false;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_EVENT_STREAM_H_
