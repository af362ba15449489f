// Reports of a difference between two engines, for people and as JSON: for diff and bisect.

#ifndef TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_
#define TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_

#include <string>

#include "engine/messages/market_directory.h"
#include "replay/compare/explanation.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/subject.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"

namespace tools {

// All references outlive the call.
struct DifferenceReport {
  std::string path;      // Of the journal.
  std::string engine_a;  // As named on the command line.
  std::string engine_b;
  const replay::SubjectIdentity& identity_a;
  const replay::SubjectIdentity& identity_b;
  const replay::Difference& difference;
  const replay::Explanation& explanation;
  const engine::MarketDirectory& markets;
};

void PrintDifference(Console& console, const DifferenceReport& report);

// Writes fields into the open object.
void WriteDifference(JsonObject& json, const DifferenceReport& report);

// Returns `word`, quoted for a shell if necessary.
std::string ShellWord(const std::string& word);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_
