// Tests whether a log still fails in the same way.

#ifndef REPLAY_COMPARE_FAILURE_CHECK_H_
#define REPLAY_COMPARE_FAILURE_CHECK_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/vocabulary.h"

namespace replay {

// Not thread-safe. The subjects of the two implementations below outlive it.
class FailureTest {
 public:
  virtual ~FailureTest() = default;

  // Returns the index in `log` of the command at which it fails in this way; nullopt if it does not
  // fail, or fails in another way. Errors: those of the subjects.
  virtual absl::StatusOr<std::optional<size_t>> FailsAt(const Log& log) = 0;

  // The failure class to preserve, as text.
  virtual const std::string& failure_class() const = 0;

  // Where the log to be minimized fails; zero if not known.
  virtual engine::SequenceNumber fails_at() const = 0;

  // The machine that is right; for an exchange, it supplies the book.
  virtual Subject& healthy() = 0;

  // FailsAt returns DEADLINE_EXCEEDED once `out_of_time` returns true. FailsAt calls it every 4,096
  // commands, but not while another program processes a whole log. Null: no limit.
  void StopWhen(std::function<bool()> out_of_time) { out_of_time_ = std::move(out_of_time); }

 protected:
  const std::function<bool()>& out_of_time() const { return out_of_time_; }

 private:
  std::function<bool()> out_of_time_;
};

// Fails where two machines diverge in one way.
class PartingTest final : public FailureTest {
 public:
  // `original` is the divergence in the log to be minimized. `vocabulary` outlives the test.
  PartingTest(Subject& a, Subject& b, const Divergence& original, const Vocabulary& vocabulary);

  absl::StatusOr<std::optional<size_t>> FailsAt(const Log& log) override;
  const std::string& failure_class() const override { return class_; }
  engine::SequenceNumber fails_at() const override { return fails_at_; }
  Subject& healthy() override { return a_; }

 private:
  Subject& a_;
  Subject& b_;
  const Vocabulary& vocabulary_;
  const std::string class_;
  const engine::SequenceNumber fails_at_;
  const bool compare_state_;
};

// The point where an engine ends unexpectedly: a failed CHECK or a signal.
struct End {
  engine::SequenceNumber sequence;
  std::string last_words;
};

// Returns the first command at which `subject` ends; with `invariants`, also where an invariant
// does not hold. Resets `subject` first. `progress` may be null.
absl::StatusOr<std::optional<End>> FindEnd(
    LogSource& source, Subject& subject, engine::SequenceNumber last, bool invariants,
    const std::function<void(engine::SequenceNumber)>& progress);

// Fails where one engine ends at one place in its code. `healthy` is another engine, which supplies
// the book.
class EndTest final : public FailureTest {
 public:
  EndTest(Subject& subject, Subject& healthy, const End& original, bool invariants);

  absl::StatusOr<std::optional<size_t>> FailsAt(const Log& log) override;
  const std::string& failure_class() const override { return class_; }
  engine::SequenceNumber fails_at() const override { return fails_at_; }
  Subject& healthy() override { return healthy_; }

 private:
  Subject& subject_;
  Subject& healthy_;
  const bool invariants_;
  const std::string class_;
  const engine::SequenceNumber fails_at_;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_FAILURE_CHECK_H_
