#include "engine/wire/soup/logins.h"

#include <cstddef>
#include <optional>
#include <string>

#include "engine/wire/soup/login.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(SoupLogins, FindsUserAndPasswordTogether) {
  SoupLogins logins;
  const auto find = [&](const std::string& user, const std::string& password) {
    return logins.Find({.user = user, .password = password});
  };
  EXPECT_EQ(find("", ""), std::nullopt);
  logins.Add("ONE", "secret-one");
  logins.Add("two", "Second");
  EXPECT_EQ(find("ONE", "secret-one"), 0u);
  EXPECT_EQ(find("one", "SECRET-ONE"), 0u);
  EXPECT_EQ(find("TWO", "second"), 1u);
  EXPECT_EQ(find("ONE", "second"), std::nullopt);
  EXPECT_EQ(find("TWO", "secon"), std::nullopt);
  EXPECT_EQ(find("TWO", "second-"), std::nullopt);
  EXPECT_EQ(find("ONE", ""), std::nullopt);
  EXPECT_EQ(find("", ""), std::nullopt);
  EXPECT_EQ(find("THREE", "secret-one"), std::nullopt);
}

}  // namespace
}  // namespace engine
