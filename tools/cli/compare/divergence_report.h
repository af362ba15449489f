// Reports of a divergence between two engines, for people and as JSON: for diff and bisect.

#ifndef TOOLS_CLI_COMPARE_DIVERGENCE_REPORT_H_
#define TOOLS_CLI_COMPARE_DIVERGENCE_REPORT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "engine/messages/market_directory.h"
#include "journal/record.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/compare/engine_states.h"
#include "tools/cli/read/market_follower.h"

namespace tools {

// All references outlive it.
struct DescribedDivergence {
  // Finds the reasons and the words; for the exchange, the markets. The engines are named as on the
  // command line. Errors: the journal's and the engines'.
  static absl::StatusOr<DescribedDivergence> Make(const OpenedJournal& opened, EngineStates& states,
                                                  const std::string& engine_a, replay::Subject& a,
                                                  const std::string& engine_b, replay::Subject& b,
                                                  const replay::Divergence& divergence);

  std::string path;  // Of the journal.
  std::string engine_a;
  std::string engine_b;
  const replay::SubjectIdentity& identity_a;
  const replay::SubjectIdentity& identity_b;
  const replay::Divergence& divergence;
  std::unique_ptr<replay::Vocabulary> vocabulary;
  bool is_of_exchange = true;
  replay::Explanation explanation;  // Of the exchange only.
  MarketFollower follower;

  const engine::MarketDirectory& markets() const { return follower.markets(); }
  std::string failure_class() const { return replay::FailureClass(divergence, *vocabulary); }

  // One line, in the words of the application.
  std::string Text(const journal::Record& record) const;
  std::string Text(const replay::Output& output) const;

  void AddRows(Report& report) const;
  // Into the open object.
  void AddFields(JsonObject& json) const;

 private:
  void AddExplanation(Report& report) const;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_DIVERGENCE_REPORT_H_
