#include "tools/cli/retime/callgrind.h"

#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

// "Work<7>" is 7.
std::optional<size_t> IndexOf(absl::string_view name) {
  size_t index = 0;
  if (!absl::ConsumePrefix(&name, "Work<") || !absl::ConsumeSuffix(&name, ">")) return std::nullopt;
  if (!engine::ParseInteger(name, index)) return std::nullopt;
  return index;
}

auto Read(absl::string_view profile) { return ReadCallgrindProfile(profile, IndexOf); }

constexpr char kEvents[] = "events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim\n";

TEST(CallgrindTest, AFunctionWithoutANameIsRefused) {
  const auto counts = Read(absl::StrCat(kEvents, "fn=(1124) Work<2>\n0 2000 0 2000\nfn=(1116)\n"));
  EXPECT_EQ(counts.status(), absl::DataLossError("line 4 of the profile is none of callgrind's"));
}

// As callgrind 3.19 writes them.
TEST(CallgrindTest, NamesAreGivenOnceAndPositionsDoNotCount) {
  const auto counts = Read(absl::StrCat(kEvents, R"(fn=(3) main
cfn=(1118) Work<0>
calls=1999 0
0 13993 3998 1999 0 0 0 0 0 0 1999 1999
fn=(1124) Work<2>
0 2000 0 2000
cfn=(1120) Inner(int)
calls=2000 0
0 344000 6000 40000 1 2 11 0 0 1 42000 2008
+3 2000 2000
fn=(1118)
* 70 1 1 1
-2 7 0 0 0 0 0 0 0 0 5 4 3 2
fn=Work<9>
1 5
)"));
  ASSERT_TRUE(counts.ok()) << counts.status();
  const std::map<size_t, WorkCounts> expected = {
      {0, {.instructions = 77, .branches = 8, .mispredicted = 6, .l1_misses = 1}},
      {2,
       {.instructions = 348'000,
        .branches = 42'000,
        .mispredicted = 2008,
        .l1_misses = 14,
        .last_level_misses = 1}},
      {9, {.instructions = 5}}};
  EXPECT_TRUE(*counts == expected);
}

TEST(CallgrindTest, OtherFilesAreRefused) {
  for (const absl::string_view bad : {"", "\n\n", "events:\n", "fn=(\n", "fn=(x) y\n",
                                      "fn=(99999999999999999999) y\n", "cfn=(1)\n"}) {
    EXPECT_TRUE(absl::IsDataLoss(Read(bad).status())) << bad;
  }
  const std::string head = absl::StrCat(kEvents, "fn=(1) Work<1>\n");
  for (const absl::string_view bad :
       {"1 x\n", "1 -5\n", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", "+1 99999999999999999999\n"}) {
    EXPECT_TRUE(absl::IsDataLoss(Read(absl::StrCat(head, bad)).status())) << bad;
  }
}

}  // namespace
}  // namespace tools
