// What `export` writes, `record` takes back, and it is the same log.

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

std::string NewPath(absl::string_view ending) {
  static int count = 0;
  return absl::StrCat(TempDir(), "/table_", count++, ending);
}

std::string LogDigest(const std::string& path) {
  const std::string json = RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output;
  const size_t at = json.find("\"log_digest\"");
  return at == std::string::npos ? json : json.substr(at, 48);
}

VerbResult Record(const std::string& format, const std::string& contents,
                  const std::string& output = NewPath(".tape")) {
  const std::string file = absl::StrCat(output, ".", format);
  std::ofstream(file) << contents;
  VerbResult result = RunVerb(MakeRecordVerb(), {"--from", format, file, "-o", output});
  result.error = absl::StrReplaceAll(result.error, {{file, "FILE"}, {output, "OUT"}});
  return result;
}

std::string EveryKind() {
  std::vector<std::string> commands = SampleCommands();
  for (const char* line :
       {"define_market id=9 symbol=SUN kind=binary price_decimals=4 quantity_decimals=2 "
        "tick=0.0100 price_min=0.0100 price_max=0.9900 lot=0.01 unopened=1 fok_becomes_ioc=1 "
        "post_only_change_cancels=1 bands=0.0100:0.0010,0.1000:0.0100",
        "command kind=211 market=#99 side=9 type=8 tif=7 price=#-5 quantity=#6 flags=225 "
        "group=65537 client_order_id=18446744073709551615",
        "bid market=AAPL price=1.0000 quantity=7 tif=gtt expires=2020-01-30T10:00:00Z post_only=1 "
        "stp=maker group=3 account=5",
        "open_account account=5", "deposit account=5 amount=12.340000",
        "define_group account=5 group=3 quantity=#10 window_ns=1000000000",
        "set_risk_limits account=5 open_orders_max=5 order_notional_max=7.000000",
        "set_fees market=SUN taker_coefficient=700 multiplier=90", "mass_cancel account=5",
        "note market=SUN namespace=venue.keys version=2 bytes=001b5b324a account=5",
        "note namespace=venue version=1 client_order_id=3", "note attachment=001b5b324a",
        "note attachment="}) {
    commands.push_back(line);
  }
  return WriteSampleJournal(absl::StrCat("every_kind_", NewPath("").substr(TempDir().size() + 1)),
                            {.commands = commands});
}

TEST(TableImportTest, ARoundTripIsTheSameLog) {
  const std::string path = EveryKind();
  for (const char* format : {"csv", "jsonl"}) {
    const std::string text = RunVerb(MakeExportVerb(), {path, "--format", format}).output;
    const std::string output = NewPath(".tape");
    const VerbResult result = Record(format, text, output);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    EXPECT_EQ(LogDigest(output), LogDigest(path)) << format;
    EXPECT_EQ(RunVerb(MakeExportVerb(), {output, "--format", format}).output, text);
  }
}

TEST(TableImportTest, LinesOfOtherSystemsAreTaken) {
  const std::string path = WriteSampleJournal(NewPath("").substr(TempDir().size() + 1));
  const std::string text = RunVerb(MakeExportVerb(), {path}).output;
  const std::string output = NewPath(".tape");
  EXPECT_EQ(Record("csv", absl::StrReplaceAll(text, {{"\n", "\r\n"}}), output).code, ExitCode::kOk);
  EXPECT_EQ(LogDigest(output), LogDigest(path));
}

TEST(TableImportTest, WhatIsPlainMayBeLeftOut) {
  const VerbResult result = Record("jsonl", R"({"kind":"define_market","market_id":1,)"
                                            R"("definition":{"id":1,"symbol":"ACME",)"
                                            R"("price_decimals":2,"price_max":"99.00"}}
{"kind":"new_order","market":"ACME","side":"bid","type":"limit","tif":"gtc","price":"1.5","quantity":3}
{"kind":"new_order","market":"ACME","side":"ask","type":"limit","tif":"ioc","price":1.50,"quantity":1}
)");
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("events           4"));
}

constexpr char kHeader[] = "sequence,time_ns,kind,market,market_id,price,price_units,attachment\n";

TEST(TableImportTest, WhatIsMalformedIsNamedByLineAndField) {
  const std::string header = kHeader;
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"1,5,no_kind,,,,,", "FILE:2: kind: 'no_kind', expected e.g. new_order or cancel"},
      {"1,5,,,,,,", "FILE:2: kind: '', expected e.g. new_order"},
      {"7,5,advance_time,,,,,", "FILE:2: sequence: '7', expected 1: an engine is driven from"},
      {"x,5,advance_time,,,,,", "FILE:2: sequence: 'x', expected a whole number from 0 to"},
      {"1,9223372036854775808,advance_time,,,,,", "FILE:2: time_ns: '9223372036854775808', exp"},
      {"1,5,advance_time,,4294967296,,,", "market_id: '4294967296', expected a whole number"},
      {"1,5,new_order,ACME,,,,", "market: 'ACME', expected a market that is defined before"},
      {"1,5,new_order,,1,1.5,,", "price: '1.5', expected price_units: the market is not defined"},
      {"1,5,new_order,,1,,1.5,", "price_units: '1.5', expected a whole number"},
      {"1,5,define_market,,1,,,abc", "attachment: 'abc', expected bytes as pairs of 0-9 a-f"},
      {"1,5,advance_time", "FILE:2: 3 columns, expected 8 as in the first line"},
      {"1,5,\"advance_time,,,,,", "FILE:2: column 3: a quote without its end"},
      {"1,5,\"advance\"_time,,,,,", "FILE:2: column 3: text beside quotes"},
      {"1,5,advance_time,,,,,\n2,4,advance_time,,,,,",
       "FILE:3: time: '1970-01-01T00:00:00.0000000"},
  };
  for (const auto& [row, error] : rows) {
    const VerbResult result = Record("csv", header + row + "\n");
    EXPECT_EQ(result.code, ExitCode::kDamaged) << row;
    EXPECT_THAT(result.error, HasSubstr(error));
  }
  EXPECT_THAT(Record("csv", "sequence,prize\n").error,
              HasSubstr("FILE:1: header: 'prize', expected the names of columns"));
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"{\"kind\":\"cancel\"", "FILE:1: column 17: Missing a comma or '}' after an object member."},
      {"[1]", "FILE:1: the line is not a JSON object"},
      {R"({"kind":"cancel","order":true})", "FILE:1: order: '', expected a number or a text"},
      {R"({"kind":"cancel","order":{}})", "FILE:1: order: '{...}', expected a number or a text"},
      {R"({"kind":"cancel","prize":1})", "FILE:1: prize: '1', expected a field of a command"},
      {R"({"kind":"new_order","flags":2,"post_only":1})", "FILE:1: flags: '2', expected the bits"},
      {R"({"kind":"define_market","definition":{"id":1,"symbol":"A B"}})", "FILE:1: definition: "},
      {R"({"kind":"define_market","definition":{"id":1,"name":"A"}})",
       "FILE:1: definition.name: '', expected a field of definition"},
      {R"({"kind":"define_market","definition":{"id":1,"id":2,"symbol":"A"}})",
       "FILE:1: definition.id: '', expected one such field of definition"},
      {R"({"kind":"define_market","definition":{"id":1,"symbol":"A","tick_units":0.1}})",
       "FILE:1: definition.tick_units: '0.1', expected a price"},
      {R"({"kind":"define_market","definition":{"id":1,"symbol":"A","unopened":[]}})",
       "FILE:1: definition.unopened: '', expected a number or a text"},
      {R"({"kind":"set_fees","fees":{"multiplier":-1}})", "FILE:1: fees.multiplier: '-1', exp"},
      {R"({"kind":"note","note":{"bytes":"0"}})",
       "FILE:1: note.bytes: '0', expected bytes as pairs"},
      {R"({"kind":"note","note":{"text":"0"}})", "note.text: '', expected a field of note"},
      {R"({"schema":"ticktape.event/1","kind":"trade"})", "expected ticktape.command/1"},
      {std::string(5'000'000, '['), "FILE:1: a line of more than"},
      {std::string(100'000, '['), "FILE:1: column"},
  };
  for (const auto& [line, error] : lines) {
    const VerbResult result = Record("jsonl", line + "\n");
    EXPECT_EQ(result.code, ExitCode::kDamaged) << line.substr(0, 60);
    EXPECT_THAT(result.error, HasSubstr(error));
  }
}

TEST(TableImportTest, FieldsThatContradictEachOtherAreRefused) {
  const std::string path = WriteSampleJournal(NewPath("").substr(TempDir().size() + 1));
  const std::string text = RunVerb(MakeExportVerb(), {path}).output;
  // As when a price is edited in a spreadsheet, and its units are not.
  const VerbResult result =
      Record("csv", absl::StrReplaceAll(text, {{",320.1200,", ",320.1300,"}}));
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_THAT(result.error,
              HasSubstr("FILE:6: price: '320.1300', expected the value of price_units, "
                        "3201200, not 3201300"));
  EXPECT_THAT(result.error, HasSubstr("Nothing is recorded: OUT is not there"));
}

TEST(TableImportTest, CsvDefinesMarketsByColumns) {
  const std::string output = NewPath(".tape");
  const VerbResult result =
      Record("csv",
             "\xef\xbb\xbfKind,Market,Side,Type,TIF,Price,Quantity,Definition.ID,definition.symbol,"
             "definition.price_decimals,definition.kind,definition.price_min,definition.price_max,"
             "definition.bands\r\n"
             "define_market,,,,,,,7,RAIN,4,binary,0.0100,0.9900,\"0.0100:0.0010,0.1000:0.0100\"\r\n"
             "new_order,RAIN,bid,limit,gtc,0.5000,3,,,,,,,\r\n",
             output);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  const VerbResult json = RunVerb(MakeExportVerb(), {output, "--format", "jsonl"});
  EXPECT_THAT(json.output, HasSubstr(R"("kind":"define_market","market":"RAIN","market_id":7)"));
  EXPECT_THAT(json.output, HasSubstr(R"("symbol":"RAIN","price_decimals":4)"));
  EXPECT_THAT(json.output, HasSubstr(R"("price":"0.5000","price_units":5000)"));
  // The names are those of the exported JSON.
  const std::string again = NewPath(".tape");
  EXPECT_EQ(Record("jsonl", json.output, again).code, ExitCode::kOk);
  EXPECT_EQ(LogDigest(again), LogDigest(output));
}

TEST(TableImportTest, ADefinitionNamesItsMarketUnlessOneIsGiven) {
  const std::string none = NewPath(".tape");
  constexpr char kDefinition[] = R"("definition":{"id":5,"symbol":"A"}})";
  EXPECT_EQ(
      Record("jsonl", absl::StrCat(R"({"kind":"define_market",)", kDefinition, "\n"), none).code,
      ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakeExportVerb(), {none, "--format", "jsonl"}).output,
              HasSubstr(R"("market_id":5)"));
  // A market of zero is another command, and the round trip keeps it.
  const std::string zero = NewPath(".tape");
  EXPECT_EQ(
      Record("jsonl", absl::StrCat(R"({"kind":"define_market","market_id":0,)", kDefinition, "\n"),
             zero)
          .code,
      ExitCode::kOk);
  for (const char* format : {"csv", "jsonl"}) {
    const std::string again = NewPath(".tape");
    const std::string text = RunVerb(MakeExportVerb(), {zero, "--format", format}).output;
    EXPECT_EQ(Record(format, text, again).code, ExitCode::kOk) << text;
    EXPECT_EQ(LogDigest(again), LogDigest(zero)) << text;
  }
}

TEST(TableImportTest, ColumnsThatAreNoneAreRefusedAndNothingIsLeft) {
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"kind,definition.name\ndefine_market,A\n",
       "FILE:2: definition.name: '', expected a field of definition"},
      {"kind,definition.id,definition.symbol\ndefine_market,x,A\n",
       "FILE:2: definition.id: 'x', expected a whole number"},
      {"kind,KIND\nadvance_time,advance_time\n",
       "FILE:1: header: 'kind', expected each column only once"},
      {"kind,time_ns\radvance_time,5\r", "FILE:1: header: a carriage return within the line"},
  };
  for (const auto& [table, error] : tables) {
    const std::string output = NewPath(".tape");
    const VerbResult result = Record("csv", table, output);
    EXPECT_EQ(result.code, ExitCode::kDamaged) << table;
    EXPECT_THAT(result.error, HasSubstr(error));
    EXPECT_THAT(result.error, HasSubstr("Nothing is recorded: OUT is not there"));
    EXPECT_FALSE(std::filesystem::exists(output));
    EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
  }
}

TEST(TableImportTest, OptionsOfAnotherSourceAreRefused) {
  const auto error = [](std::vector<std::string> words) {
    words.insert(words.end(), {"-o", NewPath(".tape")});
    const VerbResult result = RunVerb(MakeRecordVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    return result.error;
  };
  EXPECT_THAT(error({"--from", "csv", "--date", "2020-01-30"}),
              HasSubstr("--date is an option of --from itch or lobster only"));
  EXPECT_THAT(error({"--from", "csv", "--check-executions"}),
              HasSubstr("--check-executions is an option of --from itch only"));
  EXPECT_THAT(error({"--from", "itch", "--seed", "1"}),
              HasSubstr("--seed is an option of --from workload only"));
  EXPECT_THAT(error({"--from", "workload", "--account", "7"}),
              HasSubstr("--account is an option of --from text only"));
  EXPECT_THAT(error({"--from", "workload", "a.csv"}),
              HasSubstr("'a.csv': --from workload reads no input"));
}

TEST(TableImportTest, APieceIsExportedAndNotTakenBack) {
  const std::string path = WriteSampleJournal(NewPath("").substr(TempDir().size() + 1));
  const std::string piece = NewPath(".tape");
  ASSERT_EQ(RunVerb(MakeCutVerb(), {path, "@6..", "--keep-sequence", "-o", piece}).code,
            ExitCode::kOk);
  const VerbResult exported = RunVerb(MakeExportVerb(), {piece});
  EXPECT_EQ(exported.code, ExitCode::kOk) << exported.error;
  EXPECT_THAT(exported.output, HasSubstr("\n6,2020-01-30T09:30:05.000000000Z"));
  const VerbResult events = RunVerb(MakeExportVerb(), {piece, "--what", "events"});
  EXPECT_NE(events.code, ExitCode::kOk);
  EXPECT_THAT(events.error, HasSubstr("@6"));
  EXPECT_THAT(Record("csv", exported.output).error,
              HasSubstr("FILE:2: sequence: '6', expected 1: an engine is driven from the first"));
}

}  // namespace
}  // namespace tools
