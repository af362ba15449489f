// How many commands an exchange rejects, and why.

#ifndef TOOLS_CLI_READ_REJECTIONS_H_
#define TOOLS_CLI_READ_REJECTIONS_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "tools/cli/base/report.h"

namespace tools {

// A regular value type.
class Rejections {
 public:
  void Add(std::span<const engine::Event> events) {
    for (const engine::Event& event : events) {
      if (event.kind != engine::EventKind::kRejected) continue;
      ++count_;
      ++reasons_[event.reject_reason()];
    }
  }

  uint64_t count() const { return count_; }
  std::map<std::string, uint64_t> ByName() const;

  // For people, the most frequent reasons; in JSON "rejected", and in "rejections" all reasons.
  void AddTo(Report& report) const;

 private:
  uint64_t count_ = 0;
  std::map<engine::RejectReason, uint64_t> reasons_;
};

// For people, a row of the sum and the most frequent reasons; in JSON the sum as `sum_name`, and
// all reasons, the most frequent first, as objects of reason and count in `list_name`.
void AddReasons(Report& report, absl::string_view title, absl::string_view sum_name,
                absl::string_view list_name, const std::map<std::string, uint64_t>& reasons);

// Counts on the way to another listener, which outlives it; null: there is none. Not thread-safe:
// owned by the thread that releases events.
class RejectionListener final : public engine::EventListener {
 public:
  explicit RejectionListener(engine::EventListener* next = nullptr) : next_(next) {}

  void OnApplied(const engine::Command& command, std::span<const engine::Event> events) override {
    if (next_ != nullptr) next_->OnApplied(command, events);
  }
  void OnEvents(const engine::Command& command, std::span<const engine::Event> events) override {
    rejections_.Add(events);
    if (next_ != nullptr) next_->OnEvents(command, events);
  }

  const Rejections& rejections() const { return rejections_; }

 private:
  engine::EventListener* const next_;
  Rejections rejections_;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_REJECTIONS_H_
