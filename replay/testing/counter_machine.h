// A machine that is no exchange: counters that rows add to and ask for, and timers that clear them.
//
//   row      add counter=3 amount=5     ask counter=3       clear_at counter=3 due=...
//   output   changed counter=3 value=12 value counter=3 ... timer_set counter=3 value=...
//            refused counter=0 value=0                      cleared counter=3 value=12
//
// It shows that the tools need no orders: its journals are replayed, verified, compared, minimized,
// timed and printed like the exchange's.

#ifndef REPLAY_TESTING_COUNTER_MACHINE_H_
#define REPLAY_TESTING_COUNTER_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/snapshot_io.h"
#include "journal/record.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/output_buffer.h"
#include "replay/vocabulary.h"

namespace replay {

inline constexpr char kCounterApplication[] = "counter test";
inline constexpr uint64_t kCounterRowSchema = 0xc0c0'0000'0000'0001;

enum class CounterRowKind : uint16_t { kAdd = 1, kAsk = 2, kClearAt = 3 };
enum class CounterOutputKind : uint16_t {
  kChanged = 1,
  kValue = 2,
  kRefused = 3,
  kTimerSet = 4,
  kCleared = 5,
};

// The payload of a row. A regular value type.
struct CounterRow {
  CounterRowKind kind = {};
  uint32_t counter = 0;  // From 1.
  uint64_t number = 0;   // The amount to add, or the time to clear at, in nanoseconds.
};
journal::Row ToRow(const CounterRow& row, engine::SequenceNumber sequence, engine::Timestamp time);
CounterRow ToCounterRow(const journal::Row& row);

class CounterMachine final : public Machine {
 public:
  // An addition to a counter above `wrong_above` is one too large; 0: none is.
  explicit CounterMachine(uint64_t wrong_above = 0) : wrong_above_(wrong_above) {}

  absl::string_view name() const override { return wrong_above_ == 0 ? "counter" : "bad counter"; }
  uint32_t semantics_version() const override { return 1; }
  void WriteTo(ApplyKey, OutputMemory& memory) override { outputs_.WriteTo(memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override;
  engine::Timestamp NextTimer() const override;
  engine::Digest StateDigest() const override;
  uint64_t state_size() const override { return counters_.size(); }
  LastRecord last_record() const override { return last_; }
  absl::Status Save(engine::SnapshotSink sink) const override;
  absl::Status Load(engine::SnapshotSource source) override;

 private:
  void Say(CounterOutputKind kind, uint32_t counter, uint64_t value);
  std::vector<std::byte> State() const;

  const uint64_t wrong_above_;
  LastRecord last_;
  std::map<uint32_t, uint64_t> counters_;
  std::set<std::pair<engine::Timestamp, uint32_t>> timers_;
  OutputBuffer outputs_;
};

class CounterVocabulary final : public Vocabulary {
 public:
  uint16_t KindOf(const journal::Row& row) const override;
  std::string RowKindName(uint16_t kind) const override;
  std::string OutputKindName(uint16_t kind) const override;
  std::vector<NamedValue> Fields(const journal::Record& record) const override;
  std::vector<NamedValue> Fields(const Output& output) const override;
};

// A session of so many rows: additions to counters 0 to 9, questions and timers. The first adds to
// counter 1.
Log CounterSession(size_t length);

}  // namespace replay

#endif  // REPLAY_TESTING_COUNTER_MACHINE_H_
