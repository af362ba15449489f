#include "tools/cli/base/csv.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace tools {
namespace {

TEST(CsvTest, FieldsAreSeparatedByCommas) {
  CsvRow row;
  row.Field("a");
  row.EmptyField();
  row.Field(-5);
  row.Field(UINT64_MAX);
  EXPECT_EQ(row.Finish(), "a,,-5,18446744073709551615\n");
}

TEST(CsvTest, AFieldIsQuotedOnlyWhenItMustBe) {
  CsvRow row;
  row.Field("a b");
  row.Field("a,b");
  row.Field("a\"b");
  row.Field("a\nb");
  row.Field("a\rb");
  row.Field("");
  EXPECT_EQ(row.Finish(), "a b,\"a,b\",\"a\"\"b\",\"a\nb\",\"a\rb\",\n");
}

TEST(CsvTest, ARowThatBeginsEmptyKeepsItsFirstField) {
  CsvRow row;
  row.EmptyField();
  row.Field("x");
  EXPECT_EQ(row.Finish(), ",x\n");
}

TEST(CsvTest, RowsFollowEachOther) {
  CsvRow row;
  row.Field(1);
  EXPECT_EQ(row.Finish(), "1\n");
  row.Field(2);
  row.Field(3);
  EXPECT_EQ(row.Finish(), "2,3\n");
}

}  // namespace
}  // namespace tools
