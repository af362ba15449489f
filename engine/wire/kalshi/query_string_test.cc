#include "engine/wire/kalshi/query_string.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

using Texts = std::vector<std::string>;

TEST(QueryStringTest, NamesHaveValues) {
  const QueryString query = QueryString::Parse("limit=5&cursor=&flag&=x&limit=6");
  EXPECT_EQ(query.First("limit"), "5");
  EXPECT_EQ(query.First("cursor"), "");
  EXPECT_EQ(query.First("flag"), "");
  EXPECT_EQ(query.First(""), "x");
  EXPECT_EQ(query.First("other"), std::nullopt);
  EXPECT_EQ(QueryString::Parse("").First(""), std::nullopt);
}

TEST(QueryStringTest, EscapesAreDecoded) {
  const QueryString query = QueryString::Parse("a%20b=c%2Cd%2c+e%26%3D&x==");
  EXPECT_EQ(query.First("a b"), "c,d, e&=");
  EXPECT_EQ(query.First("x"), "=");
}

TEST(QueryStringTest, BrokenParametersAreLeftOut) {
  const QueryString query = QueryString::Parse("a=%&b=%2&c=%zz&d=1;e=2&f=%41&&%=3");
  for (const char* name : {"a", "b", "c", "d", "e", "", "%"}) {
    EXPECT_EQ(query.First(name), std::nullopt) << name;
  }
  EXPECT_EQ(query.First("f"), "A");
}

TEST(QueryStringTest, ArraysAreCsvOrExploded) {
  const QueryString query = QueryString::Parse("t=A,B&u=X&t=C&t=,&t=D%2CE,");
  EXPECT_EQ(query.List("t"), (Texts{"A", "B", "C", "D", "E"}));
  EXPECT_EQ(query.List("u"), Texts{"X"});
  EXPECT_EQ(query.List("v"), Texts{});
}

TEST(QueryStringTest, TheNumberOfParametersIsBounded) {
  std::string text;
  for (size_t i = 0; i <= QueryString::kParametersMax; ++i) absl::StrAppend(&text, "p", i, "=1&");
  const QueryString query = QueryString::Parse(text);
  EXPECT_EQ(query.First("p999"), "1");
  EXPECT_EQ(query.First("p1000"), std::nullopt);
}

RC_GTEST_PROP(QueryStringProperty, AnyTextSurvivesEscaping, (const std::string& text)) {
  std::string escaped;
  for (const char c : text)
    absl::StrAppendFormat(&escaped, "%%%02X", static_cast<unsigned char>(c));
  const QueryString query = QueryString::Parse(absl::StrCat("before=1&", escaped, "=", escaped));
  RC_ASSERT(query.First(text) == (text == "before" ? "1" : text));
}

}  // namespace
}  // namespace engine::kalshi
