#include "tools/client/positions.h"

#include "gtest/gtest.h"

namespace client {
namespace {

TEST(Positions, WhatAReportDoesNotNameIsFlat) {
  Positions positions(2);
  positions.BeginReport();
  positions.Report(0, 300);
  positions.Report(1, -200);
  EXPECT_EQ(positions.reported(0), 300);
  EXPECT_EQ(positions.reported(1), -200);
  positions.BeginReport();
  positions.Report(1, 100);
  EXPECT_EQ(positions.reported(0), 0);
  EXPECT_EQ(positions.reported(1), 100);
}

TEST(Positions, AReportThatAFillCrossedSaysNothing) {
  Positions positions(1);
  positions.OnFill();
  positions.BeginReport();
  EXPECT_TRUE(positions.IsReportUsable());
  positions.OnFill();
  positions.Report(0, 0);
  EXPECT_FALSE(positions.IsReportUsable());
  positions.BeginReport();
  EXPECT_TRUE(positions.IsReportUsable());
}

}  // namespace
}  // namespace client
