#include "replay/retime/counted_run.h"

#include <optional>

#include "gtest/gtest.h"

namespace replay {
namespace {

TEST(CountedRunTest, FunctionsNameTheirClass) {
  EXPECT_EQ(CountedClassOf("void replay::(anonymous namespace)::ApplyOfCountedClass<12ul>"
                           "(replay::Driver&, journal::Record const&)"),
            12u);
  EXPECT_EQ(CountedClassOf("ApplyOfCountedClass<0>"), 0u);
  for (const char* other :
       {"", "main", "ApplyOfCountedClass<", "ApplyOfCountedClass<>", "ApplyOfCountedClass<512ul>",
        "ApplyOfCountedClass<-1>", "ApplyOfCountedClass<99999999999999999999999>"}) {
    EXPECT_EQ(CountedClassOf(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace replay
