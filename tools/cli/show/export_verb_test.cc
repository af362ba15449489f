#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/wire/gzip.h"
#include "engine/wire/zstd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/command_row.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using ::testing::TempDir;

using CsvFields = std::vector<std::string>;

// The rows of an RFC 4180 text whose lines end in line feeds.
std::vector<CsvFields> ParseCsv(absl::string_view text) {
  std::vector<CsvFields> rows;
  CsvFields row;
  std::string field;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      row.push_back(field);
      field.clear();
      if (c == '\n') {
        rows.push_back(row);
        row.clear();
      }
    } else {
      field += c;
    }
  }
  return rows;
}

template <typename Int>
Int Number(const std::string& text) {
  Int value = 0;
  CHECK(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

template <typename Enum>
Enum Enumerator(const std::string& text) {
  Enum value = {};
  CHECK(text.empty() || engine::ParseName(text, value)) << text;
  return value;
}

// A command made from its row of the table, by the columns' order.
engine::Command CommandOf(const CsvFields& row) {
  engine::Command command = {
      .sequence = engine::SequenceNumber(Number<uint64_t>(row[0])),
      .timestamp = engine::Timestamp::FromNanos(Number<int64_t>(row[2])),
      .order_id = engine::OrderId(Number<uint64_t>(row[6])),
      .price = engine::Price::FromUnits(Number<int64_t>(row[11])),
      .quantity = engine::Quantity::FromUnits(Number<uint64_t>(row[13])),
      .client_order_id = engine::ClientOrderId(Number<uint64_t>(row[15])),
      .account = engine::AccountId(Number<uint32_t>(row[14])),
      .market = engine::MarketId(Number<uint32_t>(row[5])),
      .kind = Enumerator<engine::CommandKind>(row[3]),
      .side = Enumerator<engine::Side>(row[7]),
      .type = Enumerator<engine::OrderType>(row[8]),
      .tif = Enumerator<engine::TimeInForce>(row[9]),
      .flags = engine::OrderFlags::FromBits(static_cast<uint8_t>(Number<uint32_t>(row[16])))};
  command.set_group(engine::GroupId(Number<uint32_t>(row[17])));
  return command;
}

std::string ContentsOf(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

bool Exists(const std::string& path) { return std::ifstream(path).good(); }

class ExportVerbTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::vector<std::string> commands = SampleCommands();
    // Values of a newer version, and of a market that is not defined.
    commands.push_back(
        "command kind=211 market=#99 side=9 type=8 tif=7 price=#-5 quantity=#6 "
        "flags=225 group=65537 client_order_id=18446744073709551615");
    commands.push_back(
        "bid market=AAPL price=1.0000 quantity=7 tif=gtt expires=2020-01-30T10:00:00Z post_only=1 "
        "stp=maker group=3 account=5");
    commands.push_back("deposit account=5 amount=12.340000");
    commands.push_back("define_group account=5 group=3 quantity=#10 window_ns=1000000000");
    path_ = new std::string(WriteSampleJournal("export", {.commands = commands}));
  }
  static void TearDownTestSuite() { delete path_; }

  static VerbResult Export(std::vector<std::string> words) {
    words.insert(words.begin(), *path_);
    return RunVerb(MakeExportVerb(), words);
  }

  static inline std::string* path_ = nullptr;
};

TEST_F(ExportVerbTest, CommandsHaveEveryColumnInEveryRow) {
  const VerbResult result = Export({"7..+3"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output,
            "sequence,time,time_ns,kind,market,market_id,order,side,type,tif,price,price_units,"
            "quantity,quantity_units,account,client_order_id,flags,group,expires,amount,window_ns,"
            "attachment\n"
            "7,2020-01-30T09:30:06.000000000Z,1580376606000000000,new_order,AAPL,1,0,ask,limit,"
            "gtc,320.1400,3201400,60,60,5,0,0,0,,,,\n"
            "8,2020-01-30T09:30:07.000000000Z,1580376607000000000,new_order,\"KX,\"\"RAIN\"\"\",7,"
            "0,bid,limit,gtc,0.5600,5600,10.00,1000,4,0,0,0,,,,\n"
            "9,2020-01-30T09:30:08.000000000Z,1580376608000000000,new_order,AAPL,1,0,ask,market,"
            "ioc,,0,20,20,6,0,0,0,,,,\n");
}

TEST_F(ExportVerbTest, NothingOfACommandIsLost) {
  const std::vector<CsvFields> rows = ParseCsv(Export({}).output);
  ASSERT_THAT(rows, SizeIs(20));
  auto opened = OpenJournal(*path_);
  ASSERT_TRUE(opened.ok()) << opened.status();
  for (size_t i = 1; i < rows.size(); ++i) {
    ASSERT_THAT(rows[i], SizeIs(rows[0].size())) << i;
    const auto record = opened->reader->Next();
    ASSERT_TRUE(record.ok() && record->has_value());
    EXPECT_TRUE(CommandOf(rows[i]) == replay::ToCommand(*(*record)->row))
        << absl::StrJoin(rows[i], ",");
    EXPECT_EQ(rows[i][21], engine::ToHex((*record)->attachment));
    EXPECT_EQ(rows[i][1], (*record)->timestamp().ToString());
  }
}

TEST_F(ExportVerbTest, EventsAreThoseOfAReplay) {
  const VerbResult result = Export({"7..8", "--what", "events"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(
      result.output,
      "sequence,index,time,time_ns,kind,market,market_id,order,maker,taker,from,side,price,"
      "price_units,quantity,quantity_units,remaining,remaining_units,account,group,change,fee,"
      "balance,reserved,position,position_units,expires,detail\n"
      "7,0,2020-01-30T09:30:06.000000000Z,1580376606000000000,accepted,AAPL,1,7,,,,ask,"
      "320.1400,3201400,60,60,60,60,5,,,,,,,,,\n"
      "7,1,2020-01-30T09:30:06.000000000Z,1580376606000000000,trade,AAPL,1,0,3,7,,bid,"
      "320.1400,3201400,60,60,40,40,3,,,,,,,,,\n"
      "8,0,2020-01-30T09:30:07.000000000Z,1580376607000000000,accepted,\"KX,\"\"RAIN\"\"\","
      "7,8,,,,bid,0.5600,5600,10.00,1000,10.00,1000,4,,,,,,,,,\n");
}

TEST_F(ExportVerbTest, ARefusalSaysWhyInTheLastColumn) {
  const std::vector<CsvFields> rows = ParseCsv(Export({"13", "--what", "events"}).output);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1][4], "rejected");
  EXPECT_EQ(rows[1].back(), "wrong_market");
}

TEST_F(ExportVerbTest, JsonLinesAreThoseOfCat) {
  const VerbResult result = Export({"--format", "jsonl"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output, RunVerb(MakeCatVerb(), {*path_, "--json"}).output);
  EXPECT_EQ(Export({"--json"}).output, result.output);
}

TEST_F(ExportVerbTest, EventsAsJsonLines) {
  EXPECT_EQ(Export({"13", "--what", "events", "--format", "jsonl"}).output,
            R"({"schema":"ticktape.event/1","sequence":13,"index":0,)"
            R"("time":"2020-01-30T09:30:12.000000000Z","kind":"rejected","market":"AAPL",)"
            R"("market_id":1,"order":8,"account":4,"reason":"wrong_market"})"
            "\n");
}

TEST_F(ExportVerbTest, WhatIsUnknownIsWrittenAsItsNumber) {
  EXPECT_EQ(Export({"16", "--format", "jsonl"}).output,
            R"({"schema":"ticktape.command/1","sequence":16,)"
            R"("time":"2020-01-30T09:30:15.000000000Z","kind":"211","market_id":99,"side":"9",)"
            R"("type":"8","tif":"7","price_units":-5,"quantity_units":6,)"
            R"("client_order_id":"18446744073709551615","flags":225,"post_only":1,"group":65537})"
            "\n");
}

TEST_F(ExportVerbTest, WordsThatAreNoOrderAndNoPriceHaveTheirOwnNames) {
  EXPECT_EQ(Export({"17..19", "--format", "jsonl"}).output,
            R"({"schema":"ticktape.command/1","sequence":17,)"
            R"("time":"2020-01-30T09:30:16.000000000Z","kind":"new_order","market":"AAPL",)"
            R"("market_id":1,"expires":"2020-01-30T10:00:00.000000000Z","side":"bid",)"
            R"("type":"limit","tif":"gtt","price":"1.0000","price_units":10000,"quantity":"7",)"
            R"("quantity_units":7,"account":5,"flags":17,"post_only":1,"stp":"maker","group":3})"
            "\n"
            R"({"schema":"ticktape.command/1","sequence":18,)"
            R"("time":"2020-01-30T09:30:17.000000000Z","kind":"deposit","amount":"12.340000",)"
            R"("account":5})"
            "\n"
            R"({"schema":"ticktape.command/1","sequence":19,)"
            R"("time":"2020-01-30T09:30:18.000000000Z","kind":"define_group",)"
            R"("window_ns":1000000000,"quantity_units":10,"account":5,"group":3})"
            "\n");
  const std::vector<CsvFields> rows = ParseCsv(Export({"17..19"}).output);
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[1][18], "2020-01-30T10:00:00.000000000Z");
  EXPECT_EQ(rows[2][19], "12.340000");
  EXPECT_EQ(rows[3][20], "1000000000");
}

TEST_F(ExportVerbTest, MoneyPositionsAndStatesHaveTheirOwnNames) {
  const std::string path = WriteSampleJournal(
      "export_money",
      {.commands = {
           "define_market id=1 symbol=RAIN kind=binary price_decimals=4 quantity_decimals=2 "
           "tick=0.0100 price_min=0.0100 price_max=0.9900 lot=0.01",
           "set_risk_limits account=1 open_orders_max=5 order_notional_max=7.000000",
           "set_fees market=RAIN taker_coefficient=700 multiplier=100",
           "open_account account=1",
           "deposit account=1 amount=100.000000",
           "bid market=RAIN price=0.5200 quantity=1.00 account=1",
           "ask market=RAIN price=0.5200 quantity=0.50 account=1",
           "define_group account=1 group=7 quantity=#9 window_ns=5",
           "pause_market market=RAIN",
           "note market=RAIN namespace=venue version=1 bytes=001b5b324a account=1",
       }});
  const auto lines = [&](const char* range, const char* what, const char* format) {
    return RunVerb(MakeExportVerb(), {path, range, "--what", what, "--format", format}).output;
  };
  EXPECT_THAT(lines("2", "commands", "jsonl"),
              HasSubstr(R"("limits":{"open_orders_max":5,"order_quantity_max_units":0,)"
                        R"("order_notional_max":"7.000000","orders_per_second_max":0})"));
  EXPECT_THAT(lines("3", "commands", "jsonl"),
              HasSubstr(R"("fees":{"taker_coefficient":700,"maker_coefficient":0,)"
                        R"("multiplier":100})"));
  const std::string trade = lines("7", "events", "jsonl");
  EXPECT_THAT(trade, HasSubstr(R"("kind":"balance","market":"RAIN","market_id":1,"order":7,)"
                               R"("change":"0.251200","fee":"0.008800","balance":"99.991200",)"
                               R"("reserved":"0.260000","account":1})"));
  EXPECT_THAT(trade, HasSubstr(R"("kind":"position","market":"RAIN","market_id":1,)"
                               R"("position":"0.50","position_units":50,"quantity":"0.50",)"
                               R"("quantity_units":50,"account":1})"));
  EXPECT_THAT(lines("8", "events", "jsonl"),
              HasSubstr(R"("kind":"group_defined","group":7,"quantity_units":9,"account":1})"));
  EXPECT_THAT(lines("9", "events", "jsonl"), HasSubstr(R"("state":"paused"})"));
  EXPECT_THAT(lines("10", "commands", "jsonl"),
              HasSubstr(R"("note":{"namespace":"venue","version":1,"bytes":"001b5b324a"})"));
  EXPECT_THAT(lines("10", "events", "jsonl"),
              HasSubstr(R"("kind":"noted","market":"RAIN","market_id":1,"account":1})"));

  const std::vector<CsvFields> rows = ParseCsv(lines("7..9", "events", "csv"));
  ASSERT_THAT(rows, SizeIs(9));
  for (const CsvFields& row : rows) ASSERT_THAT(row, SizeIs(rows[0].size()));
  const auto from = [](const CsvFields& row, size_t column) {
    return absl::StrJoin(row.begin() + static_cast<ptrdiff_t>(column), row.end(), ",");
  };
  EXPECT_EQ(from(rows[3], 18), "1,,-0.260000,0.000000,99.740000,0.260000,,,,");
  EXPECT_EQ(from(rows[4], 12), ",0,0.50,50,,0,1,,,,,,0.50,50,,");
  EXPECT_EQ(from(rows[7], 18), "1,7,,,,,,,,");
  EXPECT_EQ(from(rows[8], 18), "0,,,,,,,,,paused");
}

// Reads a compressed file, of either kind.
template <typename Reader>
std::string Decompressed(const std::string& path) {
  const std::string packed = ContentsOf(path);
  Reader reader;
  reader.Feed(engine::AsBytes(absl::string_view(packed)));
  std::vector<std::byte> plain(1 << 20);
  const auto count = reader.Read(plain);
  EXPECT_TRUE(count.ok() && reader.Finish().ok()) << path;
  return std::string(engine::AsText(engine::Bytes(plain.data(), *count)));
}

TEST_F(ExportVerbTest, TheNameOfTheFileIsItsFormat) {
  const auto file = [&](const std::string& name) {
    const std::string path = absl::StrCat(TempDir(), "/", name);
    const VerbResult result = Export({"-o", path});
    EXPECT_EQ(result.code, ExitCode::kOk) << name << ": " << result.error;
    return path;
  };
  const std::string csv = Export({}).output;
  const std::string lines = Export({"--format", "jsonl"}).output;
  EXPECT_EQ(ContentsOf(file("named.jsonl")), lines);
  EXPECT_EQ(Decompressed<engine::ZstdReader>(file("named.csv.zst")), csv);
  EXPECT_EQ(Decompressed<engine::GzipReader>(file("named.csv.gz")), csv);
  EXPECT_EQ(Decompressed<engine::ZstdReader>(file("named.jsonl.zst")), lines);
  EXPECT_EQ(Decompressed<engine::GzipReader>(file("named.jsonl.gz")), lines);
}

TEST_F(ExportVerbTest, ANameThatIsNoFormatIsRefused) {
  for (const absl::string_view name : {"x.xls", "x.tsv", "x.csv.bz2", "x.CSV", "x.2020-01-30"}) {
    const VerbResult result = Export({"-o", absl::StrCat(TempDir(), "/", name)});
    EXPECT_EQ(result.code, ExitCode::kUsage) << name;
    EXPECT_THAT(result.error,
                HasSubstr("expected .csv, .jsonl, .parquet, .dbn, .har, .itch or .pcap"))
        << name;
  }
  for (const absl::string_view name : {"plain", ".hidden", "plain.gz"}) {
    const std::string path = absl::StrCat(TempDir(), "/", name);
    EXPECT_EQ(Export({"-o", path}).code, ExitCode::kOk) << name;
  }
  const std::string chosen = absl::StrCat(TempDir(), "/x.2020-01-30");
  EXPECT_EQ(Export({"-o", chosen, "--format", "csv"}).code, ExitCode::kOk);
  EXPECT_EQ(ContentsOf(chosen), Export({}).output);
}

TEST_F(ExportVerbTest, FieldsChoosesColumnsAndMembers) {
  EXPECT_EQ(Export({"7..8", "--fields", "price,sequence,market"}).output,
            "price,sequence,market\n320.1400,7,AAPL\n0.5600,8,\"KX,\"\"RAIN\"\"\"\n");
  EXPECT_EQ(
      Export({"8", "--fields", "sequence,market,price", "--format", "jsonl"}).output,
      R"({"schema":"ticktape.command/1","sequence":8,"market":"KX,\"RAIN\"","price":"0.5600"})"
      "\n");
  EXPECT_EQ(Export({"7", "--what", "events", "--fields", "kind,maker,taker"}).output,
            "kind,maker,taker\naccepted,,\ntrade,3,7\n");
  EXPECT_EQ(Export({"7", "--what", "events", "--fields", "maker,taker", "--json"}).output,
            R"({"schema":"ticktape.event/1"})"
            "\n"
            R"({"schema":"ticktape.event/1","maker":3,"taker":7})"
            "\n");
  EXPECT_EQ(Export({"8", "--fields", "sequence,price", "--json"}).output,
            RunVerb(MakeCatVerb(), {*path_, "8", "--fields", "sequence,price", "--json"}).output);
  EXPECT_THAT(Export({"1", "--fields", "definition", "--json"}).output,
              HasSubstr(R"({"schema":"ticktape.command/1","definition":{"id":1,)"));
  EXPECT_THAT(Export({"--fields", "px"}).error,
              HasSubstr("'px' is not a field; expected sequence"));
  EXPECT_THAT(Export({"--fields", "px", "--json"}).error, HasSubstr("'px' is not a field"));
  EXPECT_THAT(Export({"--fields", "price", "--what", "book"}).error,
              HasSubstr("--fields is for --what commands and events"));
}

// A program python3 that stands first in the path.
void InstallPython(const std::string& script) {
  const std::string folder = absl::StrCat(TempDir(), "/bin");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/python3") << "#!/bin/sh\n" << script;
  std::filesystem::permissions(folder + "/python3", std::filesystem::perms::owner_all);
  setenv("PATH", absl::StrCat(folder, ":/usr/bin:/bin").c_str(), 1);
}

TEST_F(ExportVerbTest, MarketAndWhereChooseCommandsAndEvents) {
  const auto rows = [](const std::vector<std::string>& words) {
    std::vector<std::string> all = {"--fields", "sequence,market"};
    all.insert(all.end(), words.begin(), words.end());
    return Export(all).output;
  };
  EXPECT_EQ(rows({"--market", "KX,\"RAIN\""}), rows({"--where", "market=='KX,\"RAIN\"'"}).c_str());
  EXPECT_EQ(rows({"--market", "#1", "3..5"}), "sequence,market\n3,AAPL\n4,AAPL\n5,AAPL\n");
  EXPECT_EQ(rows({"--market", "AAPL", "--where", "price == 320.12"}), "sequence,market\n5,AAPL\n");
  EXPECT_EQ(Export({"7", "--what", "events", "--fields", "kind,maker", "--where", "trade"}).output,
            "kind,maker\ntrade,3\n");
  EXPECT_EQ(Export({"7", "--what", "events", "--market", "#7", "--fields", "kind"}).output,
            "kind\n");
  EXPECT_THAT(Export({"--where", "trade"}).error, HasSubstr("expected a field"))
      << "of commands, unless --what events";
}

TEST_F(ExportVerbTest, ParquetIsMadeByTheConverter) {
  const std::string file = absl::StrCat(TempDir(), "/events.parquet");
  InstallPython("[ \"$2\" = 'import pyarrow' ] || cat > \"$3\"\n");
  EXPECT_EQ(Export({"-o", file}).code, ExitCode::kOk);
  EXPECT_EQ(ContentsOf(file), Export({}).output) << "the converter is given the CSV";
  InstallPython("[ \"$2\" = 'import pyarrow' ] || { echo it broke >&2; exit 3; }\n");
  const VerbResult broken = Export({"-o", file, "--force"});
  EXPECT_EQ(broken.code, ExitCode::kIo);
  EXPECT_THAT(broken.error, HasSubstr("python3, which writes Parquet: exit code 3: it broke"));
  EXPECT_EQ(ContentsOf(file), Export({}).output) << "nothing is replaced by a half";
  InstallPython("exit 1\n");
  const VerbResult missing = Export({"-o", absl::StrCat(TempDir(), "/none.parquet")});
  EXPECT_EQ(missing.code, ExitCode::kIo);
  EXPECT_THAT(missing.error, HasSubstr("does not have: python3 -m pip install pyarrow"));
  EXPECT_FALSE(Exists(absl::StrCat(TempDir(), "/none.parquet")));
  setenv("PATH", "/nowhere", 1);
  EXPECT_THAT(Export({"-o", absl::StrCat(TempDir(), "/none.parquet")}).error,
              HasSubstr("there is no python3 in $PATH"));
  setenv("PATH", "/usr/bin:/bin", 1);
  EXPECT_THAT(Export({"-o", "x.parquet.zst"}).error, HasSubstr("expected -o FILE.parquet"));
  EXPECT_THAT(Export({"-o", "x.parquet", "--what", "book"}).error, HasSubstr("DBN has the types"));
  EXPECT_THAT(Export({"--format", "parquet"}).error, HasSubstr("expected -o FILE.parquet"));
}

TEST_F(ExportVerbTest, AFileAppearsWhole) {
  const std::string file = absl::StrCat(TempDir(), "/commands.csv");
  const VerbResult result = Export({"-o", file});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.error, absl::StrCat("wrote 20 lines to ", file, "\n"));
  EXPECT_EQ(ContentsOf(file), Export({}).output);
  EXPECT_FALSE(Exists(file + ".tmp"));
}

TEST_F(ExportVerbTest, AnExistingFileIsOnlyReplacedByForce) {
  const std::string file = absl::StrCat(TempDir(), "/existing.csv");
  std::ofstream(file) << "precious";
  const VerbResult refused = Export({"-o", file});
  EXPECT_NE(refused.code, ExitCode::kOk);
  EXPECT_THAT(refused.error, HasSubstr(file));
  EXPECT_THAT(refused.error, HasSubstr("--force"));
  EXPECT_EQ(ContentsOf(file), "precious");
  EXPECT_EQ(Export({"-o", file, "--force"}).code, ExitCode::kOk);
  EXPECT_THAT(ContentsOf(file), StartsWith("sequence,"));
}

TEST_F(ExportVerbTest, AFailureLeavesNoFile) {
  const std::string file = absl::StrCat(TempDir(), "/failed.csv");
  EXPECT_EQ(Export({"99..", "-o", file}).code, ExitCode::kUsage);
  EXPECT_FALSE(Exists(file));
  EXPECT_FALSE(Exists(file + ".tmp"));
}

TEST_F(ExportVerbTest, AFileThatCannotBeWrittenIsNamed) {
  const VerbResult result = Export({"-o", absl::StrCat(TempDir(), "/no/such/folder/x.csv")});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr("/no/such/folder/x.csv"));
}

TEST_F(ExportVerbTest, AnEmptyJournalIsAHeader) {
  const std::string path = WriteSampleJournal("export_empty", SampleJournalOptions());
  for (const char* what : {"commands", "events"}) {
    const VerbResult result = RunVerb(MakeExportVerb(), {path, "--what", what});
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    EXPECT_THAT(ParseCsv(result.output), SizeIs(1));
  }
}

TEST_F(ExportVerbTest, RefusesWrongArguments) {
  EXPECT_EQ(Export({"--what", "fills"}).code, ExitCode::kUsage);
  EXPECT_THAT(Export({"--what", "fills"}).error, HasSubstr("'fills' is not known; expected "));
  EXPECT_THAT(Export({"--market", "APPL"}).error,
              HasSubstr("--market 'APPL': no such market is defined up to there; did you mean "
                        "'AAPL'?"));
  EXPECT_THAT(Export({"--where", "market==APPL"}).error, HasSubstr("did you mean 'AAPL'?"));
  for (const char* what : {"book", "trades", "orders"}) {
    EXPECT_THAT(Export({"--what", what, "--where", "price>1"}).error,
                HasSubstr("--where is for --what commands and events"));
  }
  EXPECT_THAT(Export({"--depth", "3"}).error, HasSubstr("--depth is for --what book"));
  EXPECT_THAT(Export({"--format", "dbn"}).error, HasSubstr("expected --what book"));
  EXPECT_EQ(Export({"--format", "parquet"}).code, ExitCode::kUsage);
  EXPECT_EQ(Export({"nonsense"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeExportVerb(), {absl::StrCat(TempDir(), "/nowhere")}).code, ExitCode::kIo);
}

}  // namespace
}  // namespace tools
