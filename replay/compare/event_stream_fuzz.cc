// Sends hostile frames: either end answers, or reports why it cannot. States are also sent with
// their right digest; otherwise no engine would continue from one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/state/snapshot_parts.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/subject.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/semantics_version.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/loopback.h"
#include "replay/testing/spoilt_engine.h"

namespace {

using replay::Frame;
using replay::FrameKind;
using replay::MachineSubject;

constexpr uint64_t kSchema = 1;

std::unique_ptr<replay::Machine> MakeFast() { return std::make_unique<replay::ExchangeMachine>(); }
std::unique_ptr<replay::Machine> MakeReference() {
  return std::make_unique<replay::ReferenceMachine>();
}

MachineSubject Subject(bool is_fast) {
  return MachineSubject(
      {.name = "engine", .build_id = "this", .semantics_version = replay::kSemanticsVersion},
      is_fast ? &MakeFast : &MakeReference);
}

// Reads from a queue and discards what is written.
class Deaf final : public replay::ByteChannel {
 public:
  absl::Status Write(engine::Bytes) override { return absl::OkStatus(); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override { return in_.Read(into); }
  replay::ByteQueue& in() { return in_; }

 private:
  replay::ByteQueue in_;
};

// Skips states with huge sequence numbers, whose order index would take too much memory.
bool IsSmall(const replay::SavedState& state) {
  for (const std::vector<std::byte>& bytes : state.parts) {
    const auto part = engine::DecodeSnapshotPart(bytes);
    if (!part.ok()) continue;
    const auto* const summary = std::get_if<engine::SnapshotSummary>(&*part);
    if (summary != nullptr && summary->last_applied.value() > uint64_t{1} << 32) return false;
  }
  return true;
}

// Gives the state the digest and sequence number of its parts, if they are a valid state.
void MakeRight(replay::SavedState& state) {
  replay::ExchangeMachine machine;
  size_t next = 0;
  const absl::Status loaded = machine.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == state.parts.size()) return std::nullopt;
    return std::optional<engine::Bytes>(state.parts[next++]);
  });
  if (!loaded.ok()) return;
  state.digest = machine.StateDigest();
  state.sequence = machine.last_record().sequence;
}

// Sends the frames in `bytes` after a valid hello.
void TryServer(engine::Bytes bytes, bool is_fast, bool makes_right) {
  MachineSubject subject = Subject(is_fast);
  Deaf channel;
  replay::ByteQueue frames;
  (void)frames.Write(bytes);
  (void)replay::WriteFrame(
      channel.in(), FrameKind::kHello,
      replay::Encode(replay::StreamHello{.row_schema_id = kSchema, .identity = {}}));
  while (true) {
    auto frame = replay::ReadFrame(frames);
    if (!frame.ok() || !frame->has_value()) break;
    if ((*frame)->kind == FrameKind::kState) {
      auto state = replay::DecodeState((*frame)->payload);
      if (state.ok() && !IsSmall(*state)) return;
      if (state.ok() && makes_right) {
        MakeRight(*state);
        (*frame)->payload = replay::Encode(*state);
      }
    }
    (void)replay::WriteFrame(channel.in(), (*frame)->kind, (*frame)->payload);
  }
  (void)channel.in().Write(frames.bytes());
  (void)replay::EventStreamServer(channel, subject, kSchema).Run();
}

// Compares an engine that differs from ours from some record on, and whose frames are altered: each
// four bytes of the input are a frame kind, a position (two bytes) and a value.
void TryClient(engine::Bytes bytes, bool is_first) {
  static const replay::Log kLog = replay::BusySession({.length = 100});
  replay::MemorySource source(kLog);
  MachineSubject served = Subject(true);
  MachineSubject here = Subject(true);
  const uint64_t parts_at = 1 + (bytes.empty() ? 0 : std::to_integer<uint64_t>(bytes[0]) % 100);
  const auto spoil = [&](FrameKind kind, std::vector<std::byte>& payload) {
    for (size_t at = 1; at + 4 <= bytes.size() && !payload.empty(); at += 4) {
      if (static_cast<FrameKind>(bytes[at]) != kind) continue;
      const size_t place = engine::LoadLittleEndian<uint16_t>(&bytes[at + 1]);
      payload[place % payload.size()] = bytes[at + 3];
    }
  };
  replay::SpoiltEvents events(served, parts_at, [&](std::vector<std::byte>& payload) {
    spoil(FrameKind::kEvents, payload);
  });
  const auto there = replay::ForeignSubject::Open(
      [&] {
        return std::make_unique<replay::SpoiltEngine>(served, kSchema, [&](Frame& frame) {
          events(frame);
          const bool is_answer = frame.kind == FrameKind::kAnswer && frame.payload.size() > 32;
          if (is_answer && engine::LoadLittleEndian<uint64_t>(frame.payload.data()) >= parts_at) {
            frame.payload[32] ^= std::byte{1};
          }
          if (frame.kind != FrameKind::kEvents) spoil(frame.kind, frame.payload);
        });
      },
      kSchema);
  if (!there.ok()) return;
  replay::Subject& a = is_first ? static_cast<replay::Subject&>(**there) : here;
  replay::Subject& b = is_first ? static_cast<replay::Subject&>(here) : **there;
  const auto divergence = replay::FindFirstDivergence(source, a, b);
  if (!divergence.ok() || !divergence->has_value()) return;
  (void)replay::FailureClass(**divergence, replay::ExchangeVocabulary());
  (void)replay::Explain(source, a, b, **divergence, nullptr);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  if ((data[0] & 4) == 0) {
    TryServer(bytes, (data[0] & 1) != 0, (data[0] & 2) != 0);
  } else {
    TryClient(bytes, (data[0] & 1) != 0);
  }
  return 0;
}
