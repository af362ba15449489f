// Does a log still fail, and in the same way?

#ifndef REPLAY_COMPARE_FAILURE_TEST_H_
#define REPLAY_COMPARE_FAILURE_TEST_H_

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

namespace replay {

// Not thread-safe. The subjects of the two kinds below outlive it.
class FailureTest {
 public:
  virtual ~FailureTest() = default;

  // The place in `log`, from 0, of the command at which it fails in this way; nothing where it does
  // not fail, or in another way. Errors: those of the subjects.
  virtual absl::StatusOr<std::optional<size_t>> FailsAt(const Log& log) = 0;

  // What "this way" is, in words.
  virtual const std::string& failure_class() const = 0;

  // Where the log that is to be made smaller fails; zero where that is not known.
  virtual engine::SequenceNumber fails_at() const = 0;

  // Whom to ask for the book as it should be.
  virtual Subject& healthy() = 0;

  // FailsAt gives up with DEADLINE_EXCEEDED when `out_of_time` says so, where it is asked: each
  // 4,096 commands, but not while another program looks at a whole log. Null: never.
  void StopWhen(std::function<bool()> out_of_time) { out_of_time_ = std::move(out_of_time); }

 protected:
  const std::function<bool()>& out_of_time() const { return out_of_time_; }

 private:
  std::function<bool()> out_of_time_;
};

// Two engines part in one way.
class PartingTest final : public FailureTest {
 public:
  // `original` is where they part in the log that is to be made smaller.
  PartingTest(Subject& a, Subject& b, const Difference& original);

  absl::StatusOr<std::optional<size_t>> FailsAt(const Log& log) override;
  const std::string& failure_class() const override { return class_; }
  engine::SequenceNumber fails_at() const override { return fails_at_; }
  Subject& healthy() override { return a_; }

 private:
  Subject& a_;
  Subject& b_;
  const std::string class_;
  const engine::SequenceNumber fails_at_;
  const bool compare_state_;
};

// Where an engine ends by itself: a CHECK, a signal.
struct End {
  engine::SequenceNumber sequence;
  std::string last_words;
};

// The first command at which `subject` ends; with `invariants`, also where what must hold does not.
// Resets it first. `progress` may be null.
absl::StatusOr<std::optional<End>> FindEnd(
    LogSource& source, Subject& subject, engine::SequenceNumber last, bool invariants,
    const std::function<void(engine::SequenceNumber)>& progress);

// One engine ends in one place. `healthy` is another one: its book is asked for.
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

#endif  // REPLAY_COMPARE_FAILURE_TEST_H_
