// A machine in this process as a Subject.

#ifndef REPLAY_COMPARE_MACHINE_SUBJECT_H_
#define REPLAY_COMPARE_MACHINE_SUBJECT_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/compare/subject.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/output.h"

namespace replay {

// A failed CHECK of the machine ends this process; put an engine that may fail into its own
// process.
class MachineSubject final : public Subject {
 public:
  using Make = std::function<std::unique_ptr<Machine>()>;  // A new one at every call.

  MachineSubject(SubjectIdentity identity, Make make)
      : identity_(std::move(identity)), make_(std::move(make)), machine_(make_()) {
    driver_.emplace(*machine_, last_.sequence);
  }

  const SubjectIdentity& identity() const override { return identity_; }
  absl::Status Send(const journal::Batch& batch, const Ask& ask) override;
  absl::StatusOr<Answer> Receive() override;
  absl::StatusOr<std::span<const Output>> Outputs() override { return outputs_; }
  absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                           engine::Side side) override;
  absl::Status Reset() override;
  absl::StatusOr<SavedState> Save() override;
  absl::Status Load(const SavedState& state) override;

 private:
  // Checks what a machine requires of its input, as the records and the state may come from any
  // source.
  absl::Status CheckFollows(std::span<const journal::Row> rows) const;

  const SubjectIdentity identity_;
  const Make make_;
  std::unique_ptr<Machine> machine_;
  std::optional<Driver> driver_;
  Machine::LastRecord last_;  // Applied, or of the state that was loaded.
  journal::Batch batch_;
  Ask ask_;
  std::vector<Output> outputs_;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_MACHINE_SUBJECT_H_
