// Checks that every named rule exists: the sections of engine/RULES.md.

#include "replay/compare/explanation.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

using engine::Event;
using engine::EventKind;
using ::testing::HasSubstr;

std::string Rules() {
  std::ifstream file("engine/RULES.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

// "2. Orders, Time in force: cancelled, ..." is a section, and one within it.
void ExpectExists(const std::string& rules, const Event& event) {
  const std::string rule = RuleOf(event);
  const std::vector<std::string> parts =
      absl::StrSplit(rule.substr(0, rule.find(": ")), absl::MaxSplits(", ", 1));
  EXPECT_THAT(rules, HasSubstr(absl::StrCat("\n## ", parts[0], "\n"))) << rule;
  if (parts.size() > 1) {
    EXPECT_THAT(rules, HasSubstr(absl::StrCat("\n### ", parts[1], "\n"))) << rule;
  }
}

TEST(ExplanationTest, EveryRuleThatIsNamedIsASectionOfTheRules) {
  const std::string rules = Rules();
  for (int kind = 1; kind <= static_cast<int>(engine::kLastEventKind); ++kind) {
    Event event;
    event.kind = static_cast<EventKind>(kind);
    ExpectExists(rules, event);
  }
  for (size_t reason = 0; reason < engine::kCancelReasonNames.size(); ++reason) {
    Event event;
    event.kind = EventKind::kCancelled;
    event.detail = static_cast<uint8_t>(reason);
    ExpectExists(rules, event);
  }
}

TEST(ExplanationTest, ACancellationNamesItsRule) {
  Event event;
  event.kind = EventKind::kCancelled;
  event.detail = static_cast<uint8_t>(engine::CancelReason::kImmediateOrCancel);
  EXPECT_EQ(RuleOf(event), "2. Orders, Time in force: cancelled, immediate_or_cancel");
}

}  // namespace
}  // namespace replay
