// An engine at the other end of an event stream, as a Subject: another build or another language.

#ifndef REPLAY_COMPARE_FOREIGN_SUBJECT_H_
#define REPLAY_COMPARE_FOREIGN_SUBJECT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/subject.h"
#include "replay/output.h"

namespace replay {

class ForeignSubject final : public Subject {
 public:
  // Starts the engine's program. Errors: why it cannot be started.
  using Connect = std::function<absl::StatusOr<std::unique_ptr<ByteChannel>>()>;

  // Connects and exchanges hellos. Errors: those of `connect`, ABORTED (it ended instead of
  // answering), UNIMPLEMENTED (another version or row layout), DATA_LOSS (it does not speak this
  // protocol).
  static absl::StatusOr<std::unique_ptr<ForeignSubject>> Open(Connect connect,
                                                              uint64_t row_schema_id);

  // Called only by Open().
  ForeignSubject(Connect connect, uint64_t row_schema_id)
      : connect_(std::move(connect)), row_schema_id_(row_schema_id) {}

  const SubjectIdentity& identity() const override { return identity_; }
  absl::Status Send(const journal::Batch& batch, const Ask& ask) override;
  absl::StatusOr<Answer> Receive() override;
  absl::StatusOr<std::span<const Output>> Outputs() override;
  absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                           engine::Side side) override;
  absl::Status Reset() override;
  absl::StatusOr<SavedState> Save() override;
  absl::Status Load(const SavedState& state) override;

 private:
  absl::Status Greet();
  absl::StatusOr<Frame> Expect(FrameKind kind);
  absl::Status CheckKnowsStates() const;
  absl::Status CheckIsAt(engine::SequenceNumber record);
  absl::Status RequestAnswer(FrameKind request, engine::Bytes payload, engine::SequenceNumber last);
  absl::StatusOr<Frame> Request(FrameKind request, engine::Bytes payload, FrameKind reply);

  const Connect connect_;
  const uint64_t row_schema_id_;
  SubjectIdentity identity_;
  uint16_t minor_ = 0;                    // The engine's minor protocol version.
  std::unique_ptr<ByteChannel> channel_;  // Null after a failure; Reset() reconnects.
  engine::SequenceNumber sent_;           // The last record sent, or the one of the loaded state.
  Answer answer_;                         // The last one received.
  std::vector<Output> outputs_;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_FOREIGN_SUBJECT_H_
