// `export --what itch`, on journals with a few orders: as text, and as files that are read again.

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/wire/itch/message_json.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/pcap/pcap_reader.h"
#include "engine/wire/pcap/udp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::TempDir;

using Lines = std::vector<std::string>;

std::string ContentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What `record --from itch` would read.
Lines MessagesOf(const std::string& file) {
  engine::ItchStreamReader reader;
  Lines lines;
  for (const absl::string_view chunk : {absl::string_view(file), absl::string_view()}) {
    reader.Feed(engine::AsBytes(chunk));
    engine::ItchMessage message;
    while (true) {
      const auto more = reader.Next(message);
      EXPECT_TRUE(more.ok()) << more.status();
      if (!more.ok()) return lines;
      if (!*more) break;
      engine::AppendItchJson(message, lines.emplace_back());
    }
  }
  return lines;
}

class ItchExportTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { path_ = new std::string(WriteSampleJournal("itch_export")); }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Export(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeExportVerb(), words);
  }
  static std::string Written(const std::string& name, std::vector<std::string> words) {
    const std::string file = absl::StrCat(TempDir(), "/", name);
    words.insert(words.end(), {"-o", file, "--force"});
    const VerbResult result = Export(words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    note_ = std::string(absl::StripSuffix(result.error, absl::StrCat(" to ", file, "\n")));
    return ContentsOf(file);
  }
  static Lines JsonLines(const std::vector<std::string>& words) {
    const VerbResult result = Export(words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    return absl::StrSplit(result.output, '\n', absl::SkipEmpty());
  }
  static void ExpectRefused(const std::vector<std::string>& words, absl::string_view why) {
    const VerbResult result = Export(words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << absl::StrJoin(words, " ");
    EXPECT_THAT(result.error, HasSubstr(why));
    EXPECT_THAT(result.output, IsEmpty());
  }

  static inline std::string* path_ = nullptr;
  static inline std::string note_;
};

TEST_F(ItchExportTest, EachMessageIsALine) {
  Lines lines;
  for (const std::string& line : JsonLines({"--what", "itch"})) {
    const std::string time = R"("timestamp_ns":)";
    EXPECT_TRUE(absl::StrContains(line, time));
    // Without what all have.
    const size_t begin = line.find(',', line.find(time));
    lines.push_back(absl::StrCat(line.substr(9, 1), line.substr(begin, line.size() - begin - 1)));
  }
  const auto directory = [](const std::string& stock, const std::string& lot) {
    return absl::StrCat(R"(R,"stock":")", stock,
                        R"(","market_category":"","financial_status_indicator":"",)",
                        R"("round_lot_size":)", lot,
                        R"(,"issue_classification":"C","issue_sub_type":"Z","authenticity":"P",)"
                        R"("short_sale_threshold_indicator":"","ipo_flag":"",)"
                        R"("luld_reference_price_tier":"","etp_flag":"","etp_leverage_factor":0,)"
                        R"("inverse_indicator":"N")");
  };
  EXPECT_THAT(
      lines,
      ElementsAre(
          R"(S,"event_code":"O")", R"(S,"event_code":"S")", R"(S,"event_code":"Q")",
          directory("AAPL", R"(1,"round_lots_only":"N")"),
          R"(H,"stock":"AAPL","trading_state":"T","reserved":"","reason":"")",
          directory("#2", R"(100,"round_lots_only":"Y")"),
          R"(H,"stock":"#2","trading_state":"T","reserved":"","reason":"")",
          R"(A,"order_reference":3,"side":"B","shares":100,"stock":"AAPL","price":3201400)",
          R"(A,"order_reference":4,"side":"B","shares":50,"stock":"AAPL","price":3201400)",
          R"(A,"order_reference":5,"side":"B","shares":200,"stock":"AAPL","price":3201200)",
          R"(A,"order_reference":6,"side":"S","shares":300,"stock":"AAPL","price":3201700)",
          R"(E,"order_reference":3,"executed_shares":60,"match_number":1)",
          R"(A,"order_reference":8,"side":"B","shares":1000,"stock":"#2","price":5600)",
          R"(E,"order_reference":3,"executed_shares":20,"match_number":2)",
          R"(X,"order_reference":5,"cancelled_shares":80)",
          R"(U,"original_order_reference":6,"new_order_reference":11,"shares":250,"price":3201600)",
          R"(U,"original_order_reference":4,"new_order_reference":12,"shares":70,"price":3201500)",
          R"(A,"order_reference":15,"side":"S","shares":40,"stock":"AAPL","price":3201900)",
          R"(S,"event_code":"M")", R"(S,"event_code":"E")", R"(S,"event_code":"C")"));
}

TEST_F(ItchExportTest, FilesAreReadAgain) {
  const Lines lines = JsonLines({"--what", "itch"});
  EXPECT_EQ(MessagesOf(Written("a.itch", {})), lines);
  EXPECT_EQ(note_, "wrote 21 messages");
  EXPECT_EQ(MessagesOf(Written("a.itch.zst", {"--what", "itch"})), lines);
  EXPECT_EQ(MessagesOf(Written("a.pcap", {})), lines);
  EXPECT_EQ(note_, "wrote 21 messages in 14 packets");
  EXPECT_EQ(MessagesOf(Written("a.pcap.gz", {"--lines", "2"})), lines);
  EXPECT_EQ(MessagesOf(Written("b", {"--to", "pcap", "--packet-bytes", "72"})), lines);
  EXPECT_EQ(note_, "wrote 21 messages in 18 packets");
  EXPECT_EQ(absl::StrJoin(lines, "\n") + "\n", Written("a.jsonl", {"--what", "itch"}));
  const VerbResult report =
      Export({"--to", "pcap", "-o", TempDir() + "/c.pcap", "--force", "--json"});
  EXPECT_THAT(report.output, HasSubstr(R"("lines":21,"packets":14)"));
}

// The packets of a capture.
struct Captured {
  std::string packet;
  engine::MoldPacket mold;
};

void ReadPackets(const std::string& file, std::vector<Captured>& packets) {
  engine::PcapReader reader;
  reader.Feed(engine::AsBytes(file));
  engine::CapturedPacket found;
  while (*reader.Next(found)) {
    Captured& captured = packets.emplace_back();
    captured.packet = std::string(engine::AsText(found.bytes));
    const auto payload =
        engine::UdpPayload(engine::LinkType::kRawIp, engine::AsBytes(captured.packet));
    ASSERT_TRUE(payload.has_value());
    const auto mold = engine::ParseMoldPacket(*payload);
    ASSERT_TRUE(mold.ok()) << mold.status();
    captured.mold = *mold;
  }
  EXPECT_EQ(reader.link_type(), 101u);
  EXPECT_TRUE(reader.Finish().ok());
}

TEST_F(ItchExportTest, APacketHasTheMessagesOfAMillisecond) {
  std::vector<Captured> packets;
  ReadPackets(Written("packets.pcap", {}), packets);
  ASSERT_THAT(packets, SizeIs(14));  // The last announces the end.
  EXPECT_EQ(packets[0].mold.session, "0100000000") << "of the journal's id";
  EXPECT_EQ(packets[0].mold.sequence, 1u);
  EXPECT_EQ(packets[0].mold.count, 5);
  EXPECT_EQ(packets[1].mold.sequence, 6u);
  EXPECT_EQ(packets[1].mold.count, 2);
  EXPECT_EQ(packets[2].mold.count, 1);
  EXPECT_EQ(packets[12].mold.count, 4) << "the last order, and the end";
  EXPECT_EQ(packets[13].mold.kind, engine::MoldPacket::Kind::kEndOfSession);
  EXPECT_EQ(packets[13].mold.sequence, 22u);
}

TEST_F(ItchExportTest, TheLinesHaveTheSamePackets) {
  std::vector<Captured> packets;
  ReadPackets(Written("lines.pcap", {"--lines", "2"}), packets);
  ASSERT_THAT(packets, SizeIs(28));
  for (size_t i = 0; i < packets.size(); i += 2) {
    EXPECT_EQ(packets[i].packet.substr(28), packets[i + 1].packet.substr(28));
    EXPECT_EQ(packets[i].packet.substr(16, 4), std::string("\xe9\xfc\x00\x01", 4));
    EXPECT_EQ(packets[i + 1].packet.substr(16, 4), std::string("\xe9\xfc\x00\x02", 4));
  }
}

TEST_F(ItchExportTest, ARangeHasItsMessagesByTheirNumbers) {
  const Lines all = JsonLines({"--what", "itch"});
  // Records 4 to 9 have messages 9 to 14.
  EXPECT_EQ(JsonLines({"@4..@9", "--what", "itch"}), Lines(all.begin() + 8, all.begin() + 14));
  EXPECT_THAT(JsonLines({"@13..@14", "--what", "itch"}), IsEmpty());
  EXPECT_EQ(JsonLines({"@15..", "--what", "itch"}), Lines(all.begin() + 17, all.end()));
  std::vector<Captured> packets;
  ReadPackets(Written("range.pcap", {"@4..@9"}), packets);
  ASSERT_THAT(packets, SizeIs(6));
  EXPECT_EQ(packets.front().mold.sequence, 9u);
  EXPECT_EQ(packets.back().mold.sequence, 14u);
  packets.clear();
  ReadPackets(Written("none.pcap", {"@13..@14"}), packets);
  EXPECT_THAT(packets, IsEmpty());
}

TEST_F(ItchExportTest, AJournalThatIsStillWrittenDoesNotEnd) {
  const std::string path = WriteSampleJournal(
      "itch_unsealed", {.commands = SampleCommands(), .sealed = false, .synced = true});
  const VerbResult result = RunVerb(MakeExportVerb(), {path, "--what", "itch"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  const Lines all = JsonLines({"--what", "itch"});
  EXPECT_EQ(result.output, absl::StrJoin(all.begin(), all.end() - 3, "\n") + "\n");
}

TEST_F(ItchExportTest, AnEmptyJournalHasNoMessages) {
  const std::string path = WriteSampleJournal("itch_empty", SampleJournalOptions());
  EXPECT_THAT(RunVerb(MakeExportVerb(), {path, "--what", "itch"}).output, IsEmpty());
  EXPECT_THAT(RunVerb(MakeExportVerb(), {path, "--to", "pcap"}).output, SizeIs(24));
}

TEST_F(ItchExportTest, WhatItchCannotExpressIsNoted) {
  const std::string path = WriteSampleJournal(
      "itch_large", {.commands = {
                         "define_market id=1 symbol=BIG price_decimals=0 tick=1 price_min=1 "
                         "price_max=10000000000 lot=1",
                         "bid market=BIG price=429496 quantity=1 account=3",
                         "bid market=BIG price=429497 quantity=1 account=3",
                         "ask market=BIG price=429497 quantity=1 account=3",
                     }});
  const VerbResult result = RunVerb(MakeExportVerb(), {path, "--what", "itch"});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_EQ(result.error,
            "note: 1 order not shown: ITCH has no such price or quantity\n"
            "note: 1 trade left out: ITCH has no such price or quantity\n");
}

TEST_F(ItchExportTest, OptionsThatDoNotFitAreRefused) {
  ExpectRefused({"--to", "pcap", "--what", "events"}, "formats of protocols; expected no --what");
  ExpectRefused({"--to", "itch", "--what", "book"}, "formats of protocols; expected no --what");
  for (const char* format : {"csv", "parquet", "dbn", "har"}) {
    EXPECT_EQ(Export({"--what", "itch", "--to", format}).code, ExitCode::kUsage) << format;
  }
  ExpectRefused({"--what", "itch", "--to", "csv"}, "written as jsonl, itch or pcap");
  ExpectRefused({"--what", "ouch", "--to", "itch"}, "written as jsonl or pcap");
  ExpectRefused({"--what", "ouch"}, "/venue.json; expected VENUE/journal");
  ExpectRefused({"--what", "ouch", "--to", "pcap", "--lines", "2"}, "are for --what itch");
  ExpectRefused({"--to", "pcap", "--market", "AAPL"}, "--market is not for itch and ouch");
  ExpectRefused({"--to", "pcap", "--where", "price>1"},
                "--where is for --what commands and events");
  ExpectRefused({"--what", "itch", "--to", "jsonl", "--fields", "type"}, "--fields is for");
  ExpectRefused({"--to", "pcap", "--depth", "3"}, "--depth is for --what book");
  ExpectRefused({"--to", "itch", "--lines", "2"}, "--packet-bytes and --lines are for");
  ExpectRefused({"--what", "itch", "--packet-bytes", "100"}, "--packet-bytes and --lines are for");
  ExpectRefused({"--packet-bytes", "100"}, "--packet-bytes and --lines are for");
  for (const std::vector<std::string>& bad : {std::vector<std::string>{"--lines", "0"},
                                              {"--lines", "3"},
                                              {"--packet-bytes", "71"},
                                              {"--packet-bytes", "65508"},
                                              {"--packet-bytes", "-1"},
                                              {"--packet-bytes", "99999999999999999999"},
                                              {"--lines", "x"}}) {
    std::vector<std::string> words = {"--to", "pcap"};
    words.insert(words.end(), bad.begin(), bad.end());
    EXPECT_EQ(Export(words).code, ExitCode::kUsage) << absl::StrJoin(bad, " ");
  }
}

}  // namespace
}  // namespace tools
