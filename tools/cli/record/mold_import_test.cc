// A captured session is recorded as its messages in a file are: two lines of MoldUDP64 packets,
// lost, twice, and out of order.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/decompressor.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/testing/compressed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";
constexpr uint16_t kMessagesOfPacket = 30;

struct Packed {
  uint64_t first = 0;
  uint16_t count = 0;
  std::string framed = {};  // Each message after its length.
};

// The session without the 228,000 messages that make no command, and without most stocks.
std::vector<Packed> PackedSession() {
  std::ifstream file(kSession, std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  std::string plain;
  engine::Decompressor decompressor;
  decompressor.Feed(engine::AsBytes(stream));
  while (true) {
    const auto piece = decompressor.Next();
    if (!piece.ok() || piece->empty()) break;
    absl::StrAppend(&plain, engine::AsText(*piece));
  }
  std::vector<Packed> packets;
  uint64_t number = 0;
  for (absl::string_view rest = plain; rest.size() > 2;) {
    const size_t bytes = 2 + engine::LoadBigEndian<uint16_t>(engine::AsBytes(rest).data());
    const absl::string_view message = rest.substr(0, bytes);
    rest.remove_prefix(bytes);
    if (absl::string_view("LHYRI").find(message[2]) != absl::string_view::npos) continue;
    ++number;
    if (number % kMessagesOfPacket == 1) packets.push_back({.first = number});
    ++packets.back().count;
    absl::StrAppend(&packets.back().framed, message);
  }
  return packets;
}

class MoldImportTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { session_ = new std::vector<Packed>(PackedSession()); }

  static std::string Record(const Packed& packet, absl::string_view session = "20190730A",
                            engine::Link link = engine::Link::kVlan) {
    return engine::PcapRecord(engine::UdpPacket(
        engine::MoldBytes(session, packet.first, packet.count, packet.framed), link));
  }
  static uint64_t After(const Packed& packet) { return packet.first + packet.count; }

  VerbResult Record(const std::string& name, const std::string& input,
                    const std::vector<std::string>& more = {}) {
    const std::string path = absl::StrCat(TempDir(), "/", name);
    std::ofstream(path, std::ios::binary) << input;
    std::vector<std::string> words = {"--from",     "itch", path,           "--date",
                                      "2019-07-30", "-o",   path + ".tape", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return RunVerb(MakeRecordVerb(), words);
  }
  static std::string DigestIn(const VerbResult& result) {
    const size_t at = result.output.find("\"log_digest\"");
    return at == std::string::npos ? result.error : result.output.substr(at, 47);
  }

  static std::vector<Packed>* session_;
};

std::vector<Packed>* MoldImportTest::session_ = nullptr;

TEST_F(MoldImportTest, TwoLinesOfPacketsAreTheSession) {
  std::string file;
  std::string capture = engine::PcapHeader();
  std::string late;
  for (size_t i = 0; i < session_->size(); ++i) {
    const Packed& packet = (*session_)[i];
    file += packet.framed;
    // Line A loses every fifth packet, and line B is late.
    if (i % 5 != 3) capture += Record(packet);
    capture += late;
    late = Record(packet, "20190730A", engine::Link::kEthernet);
    if (i % 100 == 0) {
      capture +=
          engine::PcapRecord(engine::UdpPacket(engine::MoldBytes("20190730A", After(packet), 0)));
    }
  }
  capture += late + engine::PcapRecord(engine::UdpPacket(
                        engine::MoldBytes("20190730A", After(session_->back()), 0xffff)));
  const VerbResult plain = Record("plain.itch", file);
  ASSERT_EQ(plain.code, ExitCode::kOk) << plain.error;
  EXPECT_THAT(plain.output, HasSubstr("\"live_orders\":31729"));
  const VerbResult captured = Record("both.pcap.zst", engine::Zstandard(capture));
  ASSERT_EQ(captured.code, ExitCode::kOk) << captured.error;
  EXPECT_EQ(DigestIn(captured), DigestIn(plain));
  EXPECT_THAT(captured.output, HasSubstr("\"session\":\"20190730A\",\"first_sequence\":1,"));
  EXPECT_THAT(captured.output, HasSubstr("\"gaps\":0,"));
}

TEST_F(MoldImportTest, WhatIsMissingIsNamedAndMayBeAllowed) {
  const std::string capture = engine::PcapHeader() + Record((*session_)[0]) +
                              Record((*session_)[2]) + Record((*session_)[4]);
  const VerbResult refused = Record("gaps.pcap", capture);
  EXPECT_EQ(refused.code, ExitCode::kDamaged);
  EXPECT_THAT(refused.error, HasSubstr("messages of session '20190730A' are missing: 31..60, "
                                       "91..120; --allow-gaps records the others"));
  const VerbResult allowed = Record("allowed.pcap", capture, {"--allow-gaps"});
  EXPECT_EQ(allowed.code, ExitCode::kOk) << allowed.error;
  EXPECT_THAT(allowed.output, HasSubstr("\"missing_messages\":60,\"first_gaps\":[{\"first\":31,"));
}

TEST_F(MoldImportTest, OneSessionIsRead) {
  const VerbResult result = Record("two.pcap", engine::PcapHeader() + Record((*session_)[0]) +
                                                   Record((*session_)[1], "20190731A"));
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_THAT(result.error, HasSubstr("session '20190731A', expected '20190730A' as before it; a "
                                      "capture of several sessions is not read"));
}

}  // namespace
}  // namespace tools
