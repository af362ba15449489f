// The program on a real exchange's session: what was recorded is what the exchange sent, is what a
// replay does again, on every build. The digests are pinned.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";
constexpr char kLogDigest[] = "2e8108cc90d9e3f0f9d678801b85e973";
constexpr char kTraceDigest[] = "84874d89b1a80dbb32fb398b246b7f27";
constexpr char kStateDigest[] = "9d6ed5507e012eb80823a9aa13c491ab";

std::string PathOf(const std::string& name) { return testing::TempDir() + "/" + name; }

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

#define EXPECT_CONTAINS(text, part) EXPECT_TRUE(Contains(text, part)) << (text)

VerbResult RecordItch(const std::string& input, const std::string& output) {
  return RunVerb(MakeRecordVerb(), {"--from", "itch", input, "--date", "2019-07-30",
                                    "--check-executions", "--json", "-o", output});
}

TEST(Session, IsRecordedAsNasdaqSentItAndReplaysToTheSameDigests) {
  const std::string journal = PathOf("session.tape");
  const VerbResult recorded = RecordItch(kSession, journal);
  EXPECT_EQ(recorded.code, ExitCode::kOk) << recorded.error;
  // testdata/itch/README.md, from independent parsers.
  for (const char* field : {R"("messages":291913)", R"("unknown_references":13138)",
                            R"("live_orders":31729)", R"("mismatched":0)", R"("traded_early":0)"}) {
    EXPECT_CONTAINS(recorded.output, field);
  }
  for (const char* digest : {kLogDigest, kTraceDigest, kStateDigest}) {
    EXPECT_CONTAINS(recorded.output, digest);
  }

  const VerbResult verified = RunVerb(MakeVerifyVerb(), {"--replay", "--json", journal});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.error;
  EXPECT_CONTAINS(verified.output, R"("verdict":"CLEAN")");
  EXPECT_CONTAINS(verified.output, R"("equal":true)");
  for (const char* digest : {kLogDigest, kTraceDigest, kStateDigest}) {
    EXPECT_CONTAINS(verified.output, digest);
  }
}

// Its times count from midnight in New York.
TEST(Session, IsOfTheDayInItsNameAndOfNoOther) {
  const std::string journal = PathOf("day_of_the_name.tape");
  const VerbResult recorded =
      RunVerb(MakeRecordVerb(), {"--from", "itch", kSession, "--json", "-o", journal});
  EXPECT_CONTAINS(recorded.output, kLogDigest);
  const VerbResult info = RunVerb(MakeInfoVerb(), {journal});
  EXPECT_CONTAINS(info.output, "time zone        America/New_York;");
  EXPECT_CONTAINS(info.output, " to 2019-07-30T13:30:00.099999066Z");

  const std::string nameless = PathOf("session.itch");
  std::filesystem::copy_file(kSession, nameless);
  const VerbResult refused =
      RunVerb(MakeRecordVerb(), {"--from", "itch", nameless, "-o", PathOf("nameless.tape")});
  EXPECT_EQ(refused.code, ExitCode::kUsage);
  EXPECT_CONTAINS(refused.error, "of which day? Its times count from midnight in America/New_York");
  EXPECT_FALSE(std::filesystem::exists(PathOf("nameless.tape")));
}

TEST(Session, TheDemoProvesTheSame) {
  const VerbResult demo = RunVerb(MakeDemoVerb(), {});
  EXPECT_EQ(demo.code, ExitCode::kOk) << demo.error;
  for (const char* digest : {kLogDigest, kTraceDigest, kStateDigest}) {
    EXPECT_CONTAINS(demo.output, digest);
  }
  EXPECT_CONTAINS(demo.output, "The replay is the run");
}

// ---- Malformed input: a clear error with offset and number, exit code 3, and what came before is
// kept.

class MalformedItch : public testing::Test {
 protected:
  // A stock directory message and an order, framed: 2 + 39 and 2 + 36 bytes.
  static std::string SoundMessages() {
    const std::string directory = std::string("\0\x27R\0\1\0\0\0\0\0\0\0\1", 13) + "ACME    QN" +
                                  std::string("\0\0\0\x64", 4) + "NCZ PNN1N" +
                                  std::string(4, '\0') + "N";
    const std::string order = std::string(
                                  "\0\x24"
                                  "A\0\1\0\0\0\0\0\0\0\2",
                                  13) +
                              std::string(
                                  "\0\0\0\0\0\0\0\7"
                                  "B\0\0\0\x64",
                                  13) +
                              "ACME    " + std::string("\0\1\xe2\x40", 4);
    EXPECT_EQ(directory.size(), 41u);
    EXPECT_EQ(order.size(), 38u);
    return directory + order;
  }

  // Records SoundMessages() and then `fault`; the two commands must have been kept.
  std::string ErrorOf(const std::string& fault) {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string input = PathOf(name + ".itch");
    const std::string journal = PathOf(name + ".tape");
    WriteFile(input, SoundMessages() + fault);
    const VerbResult recorded = RecordItch(input, journal);
    EXPECT_EQ(recorded.code, ExitCode::kDamaged);
    EXPECT_CONTAINS(recorded.output, R"("commands":2)");
    const VerbResult verified = RunVerb(MakeVerifyVerb(), {"--replay", journal});
    EXPECT_EQ(verified.code, ExitCode::kOk) << verified.output << verified.error;
    EXPECT_CONTAINS(verified.output, "CLEAN");
    return recorded.error;
  }
};

TEST_F(MalformedItch, CutInsideAMessage) {
  const std::string error = ErrorOf(SoundMessages().substr(0, 20));
  EXPECT_CONTAINS(error, "byte 79");
  EXPECT_CONTAINS(error, "message 3");
  EXPECT_CONTAINS(error, "20");
}

TEST_F(MalformedItch, ZeroLength) {
  const std::string error = ErrorOf(std::string(2, '\0') + SoundMessages());
  EXPECT_CONTAINS(error, "byte 79");
  EXPECT_CONTAINS(error, "message 3");
}

TEST_F(MalformedItch, WrongSizeForTheType) {
  std::string inclusive = SoundMessages();
  inclusive[1] += 2;  // A length that counts itself.
  EXPECT_CONTAINS(ErrorOf(inclusive), "byte 79");
}

TEST_F(MalformedItch, UnknownType) {
  EXPECT_CONTAINS(ErrorOf(std::string("\0\3?ab", 5)), "byte 79");
}

TEST(MalformedInput, NotItchAtAll) {
  const std::string input = PathOf("not.itch");
  WriteFile(input, "This is a letter, not a feed.\n");
  const VerbResult recorded = RecordItch(input, PathOf("not.tape"));
  EXPECT_EQ(recorded.code, ExitCode::kDamaged);
  EXPECT_CONTAINS(recorded.error, "not");
  EXPECT_CONTAINS(recorded.error, "byte 0");
  EXPECT_CONTAINS(recorded.error, "Nothing is recorded: ");
  EXPECT_FALSE(std::filesystem::exists(PathOf("not.tape")));
  EXPECT_EQ(recorded.output.find("log_digest"), std::string::npos) << recorded.output;
}

TEST(MalformedInput, DamagedGzip) {
  std::string bytes = ReadFile(kSession);
  ASSERT_GT(bytes.size(), 1'000'000u);
  for (size_t i = 500'000; i < 500'100; ++i) bytes[i] = static_cast<char>(~bytes[i]);
  const std::string input = PathOf("damaged.itch.gz");
  WriteFile(input, bytes);
  const std::string journal = PathOf("damaged.tape");
  const VerbResult recorded = RecordItch(input, journal);
  EXPECT_EQ(recorded.code, ExitCode::kDamaged);
  EXPECT_CONTAINS(recorded.error, "gzip -t");
  EXPECT_CONTAINS(recorded.error, "at byte");
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", journal}).code, ExitCode::kOk);
}

TEST(MalformedInput, TruncatedGzip) {
  const std::string input = PathOf("cut.itch.gz");
  WriteFile(input, ReadFile(kSession).substr(0, 1'000'000));
  const std::string journal = PathOf("cut.tape");
  const VerbResult recorded = RecordItch(input, journal);
  EXPECT_EQ(recorded.code, ExitCode::kDamaged);
  EXPECT_CONTAINS(recorded.error, "gzip");
  EXPECT_CONTAINS(recorded.error, "at byte 1000000 of the compressed stream");
  EXPECT_EQ(recorded.error.find("uncompressed"), std::string::npos) << recorded.error;
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", journal}).code, ExitCode::kOk);
}

TEST(MalformedInput, MissingFilesAndTakenPathsAreNamed) {
  const VerbResult missing = RecordItch(PathOf("nowhere.itch"), PathOf("nowhere.tape"));
  EXPECT_EQ(missing.code, ExitCode::kIo);
  EXPECT_CONTAINS(missing.error, "nowhere.itch");

  WriteFile(PathOf("taken.tape"), "a file");
  const VerbResult taken = RunVerb(
      MakeRecordVerb(), {"--from", "workload", "--commands", "10", "-o", PathOf("taken.tape")});
  EXPECT_EQ(taken.code, ExitCode::kIo);
  EXPECT_CONTAINS(taken.error, "taken.tape");
}

// ---- The built-in workload

TEST(Workload, IsAFunctionOfItsSeedDownToTheDigests) {
  const VerbResult one =
      RunVerb(MakeRecordVerb(), {"--from", "workload", "--seed", "7", "--commands", "20000",
                                 "--json", "-o", PathOf("w1.tape")});
  EXPECT_EQ(one.code, ExitCode::kOk) << one.error;
  EXPECT_CONTAINS(one.output, "7b9c937673f457ced7032f3c7152eee7");
  EXPECT_CONTAINS(one.output, "54c4346bbbc3691c50bbb649a28388ff");
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", PathOf("w1.tape")}).code, ExitCode::kOk);
}

TEST(Workload, CompressionAndSegmentsDoNotChangeTheDigests) {
  const VerbResult small =
      RunVerb(MakeRecordVerb(),
              {"--from", "workload", "--seed", "7", "--commands", "20000", "--json", "-o",
               PathOf("w2.tape"), "--segment", "128K", "--compress", "none", "--ack", "disk"});
  EXPECT_EQ(small.code, ExitCode::kOk) << small.error;
  EXPECT_CONTAINS(small.output, "7b9c937673f457ced7032f3c7152eee7");
  EXPECT_CONTAINS(small.output, "54c4346bbbc3691c50bbb649a28388ff");
  EXPECT_FALSE(Contains(small.output, R"("segments":1,)"));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", PathOf("w2.tape")}).code, ExitCode::kOk);
}

}  // namespace
}  // namespace tools
