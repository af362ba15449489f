#include "tools/cli/base/nearest_word.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tools {
namespace {

const std::vector<std::string> kVerbs = {"record", "replay", "repair", "cat", "cut", "stats"};

TEST(NearestWordTest, FewEditsAreAMistake) {
  EXPECT_EQ(NearestWord("recrod", kVerbs), "record");
  EXPECT_EQ(NearestWord("repaly", kVerbs), "replay");
  EXPECT_EQ(NearestWord("stat", kVerbs), "stats");
  EXPECT_EQ(NearestWord("cta", kVerbs), "cat");
  EXPECT_EQ(NearestWord("ct", kVerbs), "cat");
}

TEST(NearestWordTest, ManyEditsAreAnotherWord) {
  EXPECT_EQ(NearestWord("parquet", kVerbs), "");
  EXPECT_EQ(NearestWord("dog", kVerbs), "");
  EXPECT_EQ(NearestWord("", kVerbs), "");
  EXPECT_EQ(NearestWord(std::string(100'000, 'r'), kVerbs), "");
}

TEST(NearestWordTest, TheMessageNamesTheWordOrAll) {
  EXPECT_EQ(NoSuchWord("verb", "recrod", kVerbs),
            "there is no verb 'recrod'; did you mean 'record'?");
  EXPECT_EQ(NoSuchWord("verb", "dog", {"cat", "replay"}),
            "there is no verb 'dog'; expected one of cat, replay");
}

}  // namespace
}  // namespace tools
