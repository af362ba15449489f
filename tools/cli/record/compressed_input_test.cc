// Each source is read compressed as it is read plain; a stream that is cut says where.

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/testing/compressed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/source.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

constexpr absl::string_view kCapture =
    R"({"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXA",)"
    R"("yes_dollars_fp":[["0.4700","3.00"]],"no_dollars_fp":[["0.4800","2.00"]]}})"
    "\n";

std::string NewPath(absl::string_view ending) {
  static int count = 0;
  return absl::StrCat(TempDir(), "/compressed_", count++, ending);
}

struct Sample {
  std::string source;
  std::string ending;
  std::string contents;
};

// Of each source, many commands, so that the middle of the stream is not its end.
std::vector<Sample> Samples() {
  std::string text;
  for (int i = 1; i <= 5000; ++i) {
    absl::StrAppend(&text, "SUBMIT ", i, " ACME BUY ", 1 + i * 7919 % 997, ".00 ", i, "\n");
  }
  const std::string journal = NewPath(".tape");
  const std::string input = NewPath(".txt");
  std::ofstream(input) << text;
  EXPECT_EQ(RunVerb(MakeRecordVerb(), {input, "-o", journal}).code, ExitCode::kOk);
  std::string capture(kCapture);
  for (int seq = 2; seq <= 3000; ++seq) {
    absl::StrAppend(&capture, R"({"type":"orderbook_delta","sid":1,"seq":)", seq,
                    R"(,"msg":{"market_ticker":"KXA","price_dollars":"0.4700","delta_fp":")",
                    seq * 31 % 17 + 1, R"(.00","side":"yes","ts_ms":)", 1781159489957 + seq,
                    "}}\n");
  }
  return {{"text", ".txt", text},
          {"csv", ".csv", RunVerb(MakeExportVerb(), {journal}).output},
          {"jsonl", ".jsonl", RunVerb(MakeExportVerb(), {journal, "--format", "jsonl"}).output},
          {"kalshi-capture", ".frames", capture}};
}

std::string WriteNew(absl::string_view ending, const std::string& contents) {
  const std::string path = NewPath(ending);
  std::ofstream(path, std::ios::binary) << contents;
  return path;
}

TEST(CompressedInput, IsReadAsWhatItIs) {
  for (const Sample& sample : Samples()) {
    std::vector<std::string> outputs;
    for (const std::string& contents :
         {sample.contents, engine::Gzipped(sample.contents), engine::Zstandard(sample.contents)}) {
      const std::string journal = NewPath(".tape");
      const VerbResult result =
          RunVerb(MakeRecordVerb(), {"--from", sample.source, "--strict", "--json",
                                     WriteNew(".any_name", contents), "-o", journal});
      EXPECT_EQ(result.code, ExitCode::kOk) << sample.source << result.error;
      // The commands of text have the times of their recording, so their digests differ.
      const size_t at = result.output.find(sample.source == "text" ? "\"events\"" : "\"log_dig");
      ASSERT_NE(at, std::string::npos) << result.output;
      outputs.push_back(result.output.substr(at, sample.source == "text" ? 14 : 47));
    }
    EXPECT_EQ(outputs[0], outputs[1]) << sample.source;
    EXPECT_EQ(outputs[0], outputs[2]) << sample.source;
  }
}

TEST(CompressedInput, ACutStreamSaysWhereAndATableLeavesNothing) {
  for (const Sample& sample : Samples()) {
    for (const std::string& whole :
         {engine::Gzipped(sample.contents), engine::Zstandard(sample.contents)}) {
      const std::string journal = NewPath(".tape");
      const size_t length = whole.size() / 2;
      const VerbResult result = RunVerb(
          MakeRecordVerb(),
          {"--from", sample.source, WriteNew(".cut", whole.substr(0, length)), "-o", journal});
      EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
      EXPECT_THAT(result.error,
                  HasSubstr(absl::StrCat("damaged at byte ", length, " of the compressed stream")));
      EXPECT_THAT(result.error, HasSubstr(", as a file does that was cut off"));
      EXPECT_THAT(result.error, Not(HasSubstr("uncompressed"))) << "of one stream";
      const bool is_table = sample.source == "csv" || sample.source == "jsonl";
      EXPECT_FALSE(std::filesystem::exists(journal + ".partial"));
      if (std::filesystem::exists(journal)) {
        EXPECT_FALSE(is_table) << sample.source;
        EXPECT_THAT(result.error, HasSubstr("before it are kept in "));
        EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", journal}).code, ExitCode::kOk);
      } else {
        EXPECT_THAT(result.error, HasSubstr("Nothing is recorded"));
      }
    }
  }
}

// A mistyped name has no day, but that is not what is wrong with it.
TEST(CompressedInput, AMissingFileIsRefusedBeforeItsDayIsAskedFor) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--from", "itch", "/nowhere/session.gz"},
        {"--from", "itch", "/nowhere/multicast.pcap"},
        {"--from", "lobster", "/nowhere/AAPL.csv", "--symbol", "AAPL"},
        {"--from", "lobster", "/nowhere/x.csv"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"-o", NewPath(".tape")});
    const VerbResult result = RunVerb(MakeRecordVerb(), all);
    EXPECT_EQ(result.code, ExitCode::kIo) << result.error;
    EXPECT_THAT(result.error, HasSubstr(absl::StrCat("'", words[2], "': no such file")));
  }
}

TEST(CompressedInput, TheNameSaysTheSourceWithoutItsCompression) {
  for (const Sample& sample : Samples()) {
    if (sample.source == "kalshi-capture") continue;
    for (const char* compression : {".gz", ".zst", ""}) {
      const std::string ending = absl::StrCat(sample.ending, compression);
      const std::string journal = NewPath(".tape");
      const VerbResult result =
          RunVerb(MakeRecordVerb(), {WriteNew(ending, sample.contents), "-o", journal});
      EXPECT_EQ(result.code, ExitCode::kOk) << ending << result.error;
    }
  }
}

TEST(CompressedInput, EachNameSaysItsSource) {
  const std::vector<std::pair<absl::string_view, Source>> names = {
      {"01302020.NASDAQ_ITCH50.gz", Source::kItch},
      {"open.itch", Source::kItch},
      {"multicast.pcap.zst", Source::kItch},
      {"a.csv.ZST", Source::kCsv},
      {"dir_message_1/a.csv", Source::kCsv},
      {"a.jsonl", Source::kJsonLines},
      {"a.txt.gz", Source::kText},
      {"d/AAPL_2012-06-21_34200000_57600000_message_10.csv.gz", Source::kLobster}};
  for (const auto& [name, source] : names) {
    const auto found = SourceOfFile(name);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(*found, source) << name;
  }
  for (const absl::string_view name : {"-", "csv", "a.gz", "a.csv.gz.gz", "a.csv.bz2"}) {
    EXPECT_FALSE(SourceOfFile(name).ok()) << name;
  }
}

TEST(CompressedInput, ANameThatSaysNothingIsRefusedWithTheChoices) {
  const VerbResult result = RunVerb(MakeRecordVerb(), {"orders.bin", "-o", NewPath(".tape")});
  EXPECT_EQ(result.code, ExitCode::kUsage);
  EXPECT_THAT(result.error, HasSubstr("'orders.bin' does not say by the end of its name what it "
                                      "is; expected --from csv, dbn, itch, jsonl, "
                                      "kalshi-capture, lobster, text or workload"));
}

}  // namespace
}  // namespace tools
