#include "engine/base/digest.h"

#include "gtest/gtest.h"

namespace engine {
namespace {

// Checked against `printf '%s' TEXT | xxhsum -H2`.
TEST(Digest, Vectors) {
  EXPECT_EQ(DigestOf(AsBytes("")).ToString(), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(DigestOf(AsBytes("ticktape")).ToString(), "9e5adad435aa7794e1b750a900fed89a");
}

TEST(Digest, ParsesWhatItPrints) {
  const Digest digest = DigestOf(AsBytes("ticktape"));
  EXPECT_EQ(Digest::Parse(digest.ToString()).value(), digest);
  EXPECT_FALSE(Digest::Parse("99aa").ok());
  EXPECT_FALSE(Digest::Parse("0x99aa06d3014798d86001c324468d49").ok());
  EXPECT_FALSE(Digest::Parse("99aa06d3014798d86001c324468d497g").ok());
}

TEST(Digester, IsIndependentOfTheCut) {
  Digester digester;
  digester.Add(AsBytes("tick"));
  digester.Add(AsBytes(""));
  digester.Add(AsBytes("tape"));
  EXPECT_EQ(digester.Finish(), DigestOf(AsBytes("ticktape")));
  digester.Reset();
  EXPECT_EQ(digester.Finish(), DigestOf(AsBytes("")));
}

TEST(DigestSum, CarriesAndForgetsTheOrder) {
  DigestSum sum;
  sum.Add({.low = ~uint64_t{0}, .high = 1});
  sum.Add({.low = 1, .high = 2});
  EXPECT_EQ(sum.value(), (Digest{.low = 0, .high = 4}));
  sum.Subtract({.low = ~uint64_t{0}, .high = 1});
  EXPECT_EQ(sum.value(), (Digest{.low = 1, .high = 2}));
}

}  // namespace
}  // namespace engine
