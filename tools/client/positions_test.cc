#include "tools/client/positions.h"

#include "gtest/gtest.h"

namespace client {
namespace {

TEST(Positions, WhatAReportDoesNotNameIsFlat) {
  Positions positions(2);
  positions.BeginReport(0);
  positions.Report(0, 300);
  positions.Report(1, -200);
  EXPECT_TRUE(positions.EndReport(0));
  EXPECT_EQ(positions.reported(0), 300);
  EXPECT_EQ(positions.reported(1), -200);
  positions.BeginReport(0);
  positions.Report(1, 100);
  EXPECT_EQ(positions.reported(0), 0);
  EXPECT_EQ(positions.reported(1), 100);
}

TEST(Positions, AReportThatAFillCrossedSaysNothing) {
  Positions positions(1);
  positions.OnFill();
  positions.BeginReport(1);
  positions.OnFill();  // Heard: the report may have it, or not.
  EXPECT_FALSE(positions.EndReport(1));
  positions.BeginReport(2);
  EXPECT_FALSE(positions.EndReport(3));  // Listed, and to be heard yet.
  positions.BeginReport(3);
  EXPECT_TRUE(positions.EndReport(3));
}

}  // namespace
}  // namespace client
