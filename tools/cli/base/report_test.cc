#include "tools/cli/base/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

std::string Printed(const Console::Options& options) {
  Report report("ticktape.test/1");
  report.Line(Styled(Style::kBold, "a\x1b.tape"), ", after @", engine::SequenceNumber(7));
  report.Field("sequence", engine::SequenceNumber(7));
  report.Fact("commands", "commands", uint64_t{12345});
  report.Fact("log digest", "log_digest", std::optional<engine::Digest>());
  report.Fact("trace digest", "trace_digest", std::optional(engine::Digest()));
  report.Row("state", Styled(Style::kRed, "DAMAGED"), ": block ", 3);
  report.Objects("files", std::vector<std::string>{"x", "y"},
                 [&](const std::string& name) { report.Field("name", name); });
  report.Texts("notes", std::vector<std::string>{"n"});

  std::string output;
  Console console([&](absl::string_view text) { absl::StrAppend(&output, text); },
                  [](absl::string_view) {}, options);
  report.PrintTo(console);
  console.Flush();
  return output;
}

const std::string kZero(32, '0');

TEST(ReportTest, PeopleSeeAlignedRows) {
  EXPECT_EQ(Printed({}), absl::StrCat("a\\x1b.tape, after @7\n"
                                      "  commands         12,345\n"
                                      "  trace digest     ",
                                      kZero,
                                      "\n"
                                      "  state            DAMAGED: block 3\n"));
}

TEST(ReportTest, ATerminalShowsStyles) {
  EXPECT_EQ(Printed({.output_is_terminal = true}),
            absl::StrCat("\x1b[1ma\\x1b.tape\x1b[0m, after @7\n"
                         "  \x1b[2mcommands        \x1b[0m 12,345\n"
                         "  \x1b[2mtrace digest    \x1b[0m ",
                         kZero,
                         "\n"
                         "  \x1b[2mstate           \x1b[0m \x1b[31mDAMAGED\x1b[0m: block 3\n"));
}

TEST(ReportTest, ProgramsReadOneJsonObject) {
  EXPECT_EQ(Printed({.json = true, .output_is_terminal = true}),
            absl::StrCat(R"({"schema":"ticktape.test/1","sequence":7,"commands":12345,)",
                         R"("trace_digest":")", kZero,
                         R"(","files":[{"name":"x"},{"name":"y"}],"notes":["n"]})", "\n"));
}

}  // namespace
}  // namespace tools
