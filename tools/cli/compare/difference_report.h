// What a difference between two engines looks like, for people and for machines: diff and bisect.

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

// All of it outlives the call.
struct DifferenceReport {
  std::string path;      // Of the journal.
  std::string engine_a;  // As they were named on the command line.
  std::string engine_b;
  const replay::SubjectIdentity& identity_a;
  const replay::SubjectIdentity& identity_b;
  const replay::Difference& difference;
  const replay::Explanation& explanation;
  const engine::MarketDirectory& markets;
};

void PrintDifference(Console& console, const DifferenceReport& report);

// Into the object that is open.
void WriteDifference(JsonObject& json, const DifferenceReport& report);

// The word as a shell takes it.
std::string ShellWord(const std::string& word);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_DIFFERENCE_REPORT_H_
