#include "tools/cli/compare/fuzz_coverage.h"

#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/messages/names.h"

namespace tools {
namespace {

using engine::Event;
using engine::EventKind;

// Summarises `counts` without the first, which stands for no value.
FuzzCoverage::Row MakeRow(const std::string& what, const std::string& of,
                          std::span<const uint64_t> counts,
                          const std::function<std::string(size_t)>& name_of) {
  FuzzCoverage::Row row = {.what = what, .of = of};
  for (size_t i = 1; i < counts.size(); ++i) {
    ++row.all;
    if (counts[i] != 0) {
      ++row.reached;
    } else {
      row.missing.push_back(name_of(i));
    }
  }
  return row;
}

template <typename Counts>
void AddTo(Counts& sums, const Counts& others) {
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += others[i];
}

}  // namespace

void FuzzCoverage::Count(const engine::Command& command, std::span<const Event> events) {
  events_ += events.size();
  bool is_refused = false;
  for (const Event& event : events) {
    const size_t detail = event.detail;
    if (event.kind == EventKind::kRejected) {
      is_refused = true;
      if (detail < refusals_.size()) ++refusals_[detail];
    } else if (event.kind == EventKind::kCancelled && detail < cancels_.size()) {
      ++cancels_[detail];
    }
  }
  const auto kind = static_cast<size_t>(command.kind);
  if (!is_refused && kind < carried_out_.size()) ++carried_out_[kind];
}

void FuzzCoverage::Add(const FuzzCoverage& other) {
  AddTo(carried_out_, other.carried_out_);
  AddTo(refusals_, other.refusals_);
  AddTo(cancels_, other.cancels_);
  events_ += other.events_;
}

std::vector<FuzzCoverage::Row> FuzzCoverage::Rows() const {
  return {MakeRow("commands", "kinds carried out", carried_out_,
                  [](size_t i) { return NameOf(static_cast<engine::CommandKind>(i)); }),
          MakeRow("refusals", "reasons", refusals_,
                  [](size_t i) { return std::string(engine::kRejectReasonNames[i]); }),
          MakeRow("cancels", "reasons", cancels_,
                  [](size_t i) { return std::string(engine::kCancelReasonNames[i]); })};
}

std::string FuzzCoverage::Row::ToString() const {
  std::string text = absl::StrCat(reached, " of ", all, " ", of);
  if (!missing.empty()) absl::StrAppend(&text, ", but not ", absl::StrJoin(missing, ", "));
  return text;
}

}  // namespace tools
