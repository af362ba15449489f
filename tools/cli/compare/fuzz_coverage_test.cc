#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/reject_reason.h"
#include "gtest/gtest.h"
#include "tools/cli/compare/fuzz_verb.h"

namespace tools {
namespace {

using engine::CommandKind;
using engine::EventKind;

engine::Command Of(CommandKind kind) {
  engine::Command command;
  command.kind = kind;
  return command;
}

engine::Event Because(EventKind kind, uint8_t detail) {
  engine::Event event;
  event.kind = kind;
  event.detail = detail;
  return event;
}

engine::Event Refused(engine::RejectReason reason) {
  return Because(EventKind::kRejected, static_cast<uint8_t>(reason));
}
engine::Event Cancelled(engine::CancelReason reason) {
  return Because(EventKind::kCancelled, static_cast<uint8_t>(reason));
}

TEST(FuzzCoverage, NothingReachesNothing) {
  for (const FuzzCoverage::Row& row : FuzzCoverage().Rows()) {
    EXPECT_EQ(row.reached, 0u) << row.what;
    EXPECT_EQ(row.missing.size(), row.all) << row.what;
  }
}

TEST(FuzzCoverage, ARefusedCommandIsNotCarriedOut) {
  FuzzCoverage coverage;
  coverage.Count(Of(CommandKind::kCancel), {{Refused(engine::RejectReason::kOrderNotLive)}});
  EXPECT_EQ(coverage.Rows()[0].reached, 0u);
  EXPECT_EQ(coverage.Rows()[1].reached, 1u);
}

TEST(FuzzCoverage, AnExpiryBeforeARefusalCounts) {
  FuzzCoverage coverage;
  const engine::Event events[] = {Cancelled(engine::CancelReason::kExpired),
                                  Refused(engine::RejectReason::kUnknownMarket)};
  coverage.Count(Of(CommandKind::kNewOrder), events);
  EXPECT_EQ(coverage.Rows()[0].reached, 0u);
  EXPECT_EQ(coverage.Rows()[1].reached, 1u);
  EXPECT_EQ(coverage.Rows()[2].reached, 1u);
  EXPECT_EQ(coverage.events(), 2u);
}

TEST(FuzzCoverage, RunsAddUpAndWhatIsMissingIsNamed) {
  FuzzCoverage coverage;
  for (uint8_t reason = 1; reason < engine::kCancelReasonNames.size() - 1; ++reason) {
    FuzzCoverage run;
    run.Count(Of(CommandKind::kCancel), {{Because(EventKind::kCancelled, reason)}});
    coverage.Add(run);
    coverage.Add(run);
  }
  const size_t count = engine::kCancelReasonNames.size() - 1;
  EXPECT_EQ(coverage.Rows()[2].ToString(),
            absl::StrCat(count - 1, " of ", count, " reasons, but not ",
                         engine::kCancelReasonNames.back()));
}

TEST(FuzzCoverage, UnknownNumbersAreNoHarm) {
  FuzzCoverage coverage;
  coverage.Count(Of(static_cast<CommandKind>(255)),
                 {{Refused(static_cast<engine::RejectReason>(255)),
                   Cancelled(static_cast<engine::CancelReason>(255))}});
  for (const FuzzCoverage::Row& row : coverage.Rows()) EXPECT_EQ(row.reached, 0u) << row.what;
}

}  // namespace
}  // namespace tools
