// Reports of a difference between two engines, for people and as JSON: for diff and bisect.

#ifndef TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_
#define TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_

#include <string>

#include "absl/status/statusor.h"
#include "engine/messages/market_directory.h"
#include "replay/compare/explanation.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// A value type. All references outlive it.
struct DescribedDifference {
  // Finds the reasons and the markets. The engines are named as on the command line. Errors: the
  // journal's and the engines'.
  static absl::StatusOr<DescribedDifference> Make(const OpenedJournal& opened, EngineStates& states,
                                                  const std::string& engine_a, replay::Subject& a,
                                                  const std::string& engine_b, replay::Subject& b,
                                                  const replay::Difference& difference);

  std::string path;  // Of the journal.
  std::string engine_a;
  std::string engine_b;
  const replay::SubjectIdentity& identity_a;
  const replay::SubjectIdentity& identity_b;
  const replay::Difference& difference;
  replay::Explanation explanation;
  MarketFollower follower;

  const engine::MarketDirectory& markets() const { return follower.markets(); }

  void AddRows(Report& report) const;
  // Into the open object.
  void AddFields(JsonObject& json) const;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_
