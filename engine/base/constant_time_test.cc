#include "engine/base/constant_time.h"

#include <string>

#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(EqualInConstantTime, FindsADifferenceAnywhere) {
  const std::string secret("\0secr\xff", 6);
  EXPECT_TRUE(EqualInConstantTime(secret, secret));
  EXPECT_TRUE(EqualInConstantTime("", ""));
  for (size_t i = 0; i < secret.size(); ++i) {
    for (unsigned bit = 1; bit < 256; bit *= 2) {
      std::string other = secret;
      other[i] = static_cast<char>(other[i] ^ bit);
      EXPECT_FALSE(EqualInConstantTime(secret, other)) << i << " " << bit;
    }
    EXPECT_FALSE(EqualInConstantTime(secret, secret.substr(0, i)));
  }
}

}  // namespace
}  // namespace engine
