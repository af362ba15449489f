// `record --from dbn`. What `export` writes of a journal is imported again: the book is compared
// with one that is made of the records alone, with std::map, and then with the export of the copy.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/types/side.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/stream_reader.h"
#include "engine/wire/dbn/testing/streams.h"
#include "engine/wire/dbn/translator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/testing/applied_directly.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

constexpr char kSession[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";

// The books as the records say, by Databento's rules.
class RecordBooks {
 public:
  void Take(const engine::DbnMbo& record) {
    const uint32_t instrument = record.header.instrument_id;
    const auto found = orders_.find({instrument, record.order_id});
    switch (record.action) {
      case 'A':
        ASSERT_TRUE(found == orders_.end()) << record.order_id;
        Put(record);
        break;
      case 'C':
        ASSERT_TRUE(found != orders_.end()) << record.order_id;
        SizeOf(found->second) -= record.size;
        if (SizeOf(found->second) == 0) Remove(found);
        break;
      case 'M':
        ASSERT_TRUE(found != orders_.end()) << record.order_id;
        if (found->second.level.second == record.price && record.size <= SizeOf(found->second)) {
          SizeOf(found->second) = record.size;
        } else {
          Remove(found);
          Put(record);
        }
        break;
      case 'R':
        std::erase_if(orders_, [&](const auto& o) { return o.first.first == instrument; });
        queues_.erase(instrument);
        break;
      default:
        break;
    }
  }

  // Prices are counts of `price_unit` x 10^-9.
  BookOfTest BookOf(uint32_t instrument, int64_t price_unit) const {
    BookOfTest book;
    const auto found = queues_.find(instrument);
    if (found == queues_.end()) return book;
    for (const auto& [level, queue] : found->second) {
      for (const auto& [place, size] : queue) {
        book[{level.first, level.second / price_unit}].push_back(size);
      }
    }
    return book;
  }

 private:
  using Level = std::pair<engine::Side, int64_t>;
  struct Order {
    uint32_t instrument = 0;
    Level level;
    uint64_t place = 0;
  };
  using Orders = std::map<std::pair<uint32_t, uint64_t>, Order>;

  uint64_t& SizeOf(const Order& order) {
    return queues_[order.instrument][order.level].at(order.place);
  }
  void Put(const engine::DbnMbo& record) {
    const uint32_t instrument = record.header.instrument_id;
    const Level level = {record.side == 'B' ? engine::Side::kBid : engine::Side::kAsk,
                         record.price};
    orders_[{instrument, record.order_id}] = {
        .instrument = instrument, .level = level, .place = ++places_};
    queues_[instrument][level][places_] = record.size;
  }
  void Remove(Orders::iterator order) {
    auto& queue = queues_[order->second.instrument][order->second.level];
    queue.erase(order->second.place);
    if (queue.empty()) queues_[order->second.instrument].erase(order->second.level);
    orders_.erase(order);
  }

  Orders orders_;
  std::map<uint32_t, std::map<Level, std::map<uint64_t, uint64_t>>> queues_;
  uint64_t places_ = 0;
};

std::string ContentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string Ran(std::unique_ptr<Verb> verb, const std::vector<std::string>& words) {
  const VerbResult result = RunVerb(std::move(verb), words);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  return result.output;
}

std::vector<engine::DbnMbo> RecordsOf(const std::string& stream, engine::DbnMarkets& markets) {
  engine::DbnStreamReader reader;
  reader.Feed(engine::AsBytes(stream));
  std::vector<engine::DbnMbo> records;
  engine::DbnMbo record;
  while (true) {
    const auto more = reader.Next(record);
    EXPECT_TRUE(more.ok()) << more.status();
    if (!more.ok() || !*more) break;
    records.push_back(record);
  }
  EXPECT_TRUE(reader.Finish().ok());
  EXPECT_TRUE(markets.Begin(*reader.metadata()).ok());
  for (const engine::DbnMbo& one : records) EXPECT_TRUE(markets.Learn(one).ok());
  return records;
}

// Compares the books after each event. Returns the counts of the translation.
engine::DbnCounters CompareBooks(const std::string& stream) {
  engine::DbnMarkets markets;
  const std::vector<engine::DbnMbo> records = RecordsOf(stream, markets);
  engine::ManualClock clock;
  AppliedDirectly exchange(clock, nullptr);
  engine::DbnTranslator translator(exchange, clock, markets);
  RecordBooks expected;
  uint64_t compared = 0;
  uint64_t unequal = 0;
  for (const engine::DbnMbo& record : records) {
    EXPECT_TRUE(translator.Take(record).ok());
    expected.Take(record);
    if ((record.flags & engine::kDbnLast) == 0) continue;
    const engine::DbnMarket& market = markets.Of(record);
    ++compared;
    unequal += expected.BookOf(record.header.instrument_id, market.price_unit) ==
                       exchange.BookOf(market.id)
                   ? 0
                   : 1;
  }
  EXPECT_TRUE(translator.Finish().ok());
  EXPECT_EQ(unequal, 0u) << "of " << compared;
  EXPECT_GT(compared, 1000u);
  EXPECT_EQ(exchange.rejected(), 0u);
  EXPECT_EQ(translator.counters().Oddities().size(), 0u);
  return translator.counters();
}

// The rows of the journal's orders, without what has other numbers there: orders and commands.
std::vector<std::string> RowsOf(const std::string& journal) {
  std::vector<std::string> rows;
  const std::string csv = Ran(MakeExportVerb(), {journal, "--what", "orders"});
  for (const absl::string_view line : absl::StrSplit(csv, '\n', absl::SkipEmpty())) {
    const std::vector<absl::string_view> fields = absl::StrSplit(line, ',');
    std::vector<absl::string_view> kept;
    for (const size_t column : {0, 4, 5, 6, 7, 8, 14}) kept.push_back(fields[column]);
    rows.push_back(absl::StrJoin(kept, ","));
  }
  return rows;
}

// Exports the journal and imports it again.
engine::DbnCounters RoundTrip(const std::string& journal, const std::string& format) {
  const std::string file = absl::StrCat(journal, ".", format);
  Ran(MakeExportVerb(), {journal, "--what", "orders", "-o", file});
  const std::string copy = journal + ".copy";
  Ran(MakeRecordVerb(), {"--from", "dbn", file, "-o", copy, "--strict"});
  EXPECT_EQ(RowsOf(copy), RowsOf(journal));
  EXPECT_THAT(Ran(MakeVerifyVerb(), {"--replay", "--json", copy}), HasSubstr(R"("equal":true)"));
  return CompareBooks(ContentsOf(file));
}

TEST(DbnImport, AMatchedWorkloadIsTheSame) {
  const std::string journal = TempDir() + "/workload.tape";
  Ran(MakeRecordVerb(),
      {"--from", "workload", "--commands", "8000", "--markets", "5", "-o", journal});
  const engine::DbnCounters counters = RoundTrip(journal, "dbn");
  EXPECT_EQ(counters.executions, counters.actions['T']) << "each names its order";
  EXPECT_GT(counters.executions, 500u);
  EXPECT_EQ(counters.prints, 0u);
  EXPECT_GT(counters.amends, 10u);
}

TEST(DbnImport, AMirroredSessionIsTheSame) {
  const std::string journal = TempDir() + "/nasdaq.tape";
  Ran(MakeRecordVerb(),
      {"--from", "itch", "--mode", "mirror", "--date", "2019-07-30", kSession, "-o", journal});
  const engine::DbnCounters counters = RoundTrip(journal, "dbn.zst");
  EXPECT_EQ(counters.executions, 81u);
  EXPECT_EQ(counters.prints, 242u + 69u);
}

TEST(DbnImport, ARangeBeginsWithItsSnapshot) {
  const std::string journal = TempDir() + "/range.tape";
  Ran(MakeRecordVerb(), {"--from", "workload", "--commands", "5000", "-o", journal});
  const std::string file = TempDir() + "/range.dbn";
  Ran(MakeExportVerb(), {journal, "@2500..", "--what", "orders", "-o", file});
  EXPECT_GT(CompareBooks(ContentsOf(file)).actions['R'], 0u);
}

class DbnFileTest : public ::testing::Test {
 protected:
  // Imports these bytes.
  VerbResult Import(const std::string& bytes, const std::vector<std::string>& options = {}) {
    std::ofstream(file_, std::ios::binary) << bytes;
    std::vector<std::string> words = {"--from", "dbn", file_, "-o", journal_};
    words.insert(words.end(), options.begin(), options.end());
    return RunVerb(MakeRecordVerb(), words);
  }

  static std::string Record(char action = 'A') {
    return engine::DbnTestBytes({engine::DbnTestRecord(action, 'B')});
  }

  const std::string name_ =
      absl::StrCat(TempDir(), "/", ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string file_ = name_ + ".dbn";
  const std::string journal_ = name_ + ".tape";
};

TEST_F(DbnFileTest, EveryVersionIsImported) {
  for (const int version : {1, 2, 3}) {
    const std::string stream =
        engine::DbnTestMetadata(version) + Record('A') + Record('C') + Record('A');
    const std::string journal = absl::StrCat(name_, version, ".tape");
    std::ofstream(file_, std::ios::binary) << stream;
    Ran(MakeRecordVerb(), {"--from", "dbn", file_, "-o", journal});
    EXPECT_THAT(Ran(MakeCatVerb(), {journal}), HasSubstr("bid market=AAPL price=100 quantity=10"));
  }
}

TEST_F(DbnFileTest, TheReportSaysWhatTheFileHeld) {
  std::string other(16, '\0');
  other[0] = 4;
  other[1] = 0x17;
  const std::string stream =
      engine::DbnTestMetadata(3) + Record('A') + other + Record('N') + Record('A');
  const VerbResult people = Import(stream);
  EXPECT_EQ(people.code, ExitCode::kOk) << people.error;
  EXPECT_THAT(people.output, HasSubstr("3 (add 2, none 1)"));
  EXPECT_THAT(people.output, HasSubstr(" recorded and mirrored in "));
  EXPECT_THAT(people.output, HasSubstr("1 records of type system"));
  EXPECT_THAT(people.output, HasSubstr("1 orders under a number that is live"));
  const std::string json =
      Ran(MakeRecordVerb(), {"--from", "dbn", file_, "-o", journal_ + "2", "--json"});
  EXPECT_THAT(json, HasSubstr(R"("dbn":{"records":3,"records.add":2,"records.none":1,)"));
  EXPECT_THAT(json, HasSubstr(R"("orders_repeated":1)"));
  EXPECT_THAT(json, HasSubstr(R"("dbn_other_records":{"system":1})"));
}

TEST_F(DbnFileTest, WhatComesBeforeAMalformedRecordIsKept) {
  const VerbResult result = Import(engine::DbnTestMetadata(3) + Record() + std::string(20, '\0'));
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_THAT(result.error,
              HasSubstr("record at byte 416: its length is 0 bytes, expected 16 or more\n"));
  EXPECT_THAT(result.error, HasSubstr("The 2 commands of the 1 record before it are kept in "));
  EXPECT_THAT(Ran(MakeCatVerb(), {journal_}), HasSubstr("bid market=AAPL price=100 quantity=10"));
}

TEST_F(DbnFileTest, WhatCannotBeImportedIsNotRecorded) {
  const VerbResult text = Import("id,price\n");
  EXPECT_EQ(text.code, ExitCode::kDamaged);
  EXPECT_THAT(text.error, HasSubstr("expected \"DBN\", or zstd of that"));

  engine::DbnMbo fine = engine::DbnTestRecord('A', 'B');
  fine.price = 1;
  engine::DbnMbo large = fine;
  large.price = 2'000'000'000'000;
  const VerbResult price = Import(engine::DbnTestMetadata(3) + engine::DbnTestBytes({fine, large}));
  EXPECT_EQ(price.code, ExitCode::kDamaged);
  EXPECT_THAT(price.error, HasSubstr("instrument 7 (AAPL), order 1: with its price 2000.000000000 "
                                     "the market's prices need 9 decimals and reach 2000;"));

  for (const char* const path : {"/dev/null", "-"}) {
    const VerbResult pipe = RunVerb(MakeRecordVerb(), {"--from", "dbn", path, "-o", journal_});
    EXPECT_EQ(pipe.code, ExitCode::kUsage);
    EXPECT_THAT(pipe.error, HasSubstr("reads its input twice"));
  }
  EXPECT_EQ(RunVerb(MakeInfoVerb(), {journal_}).code, ExitCode::kIo) << "there is no journal";
}

TEST_F(DbnFileTest, OptionsOfOtherSourcesAreRefused) {
  const VerbResult result = Import(engine::DbnTestMetadata(3) + Record(), {"--mode", "mirror"});
  EXPECT_EQ(result.code, ExitCode::kUsage);
  EXPECT_THAT(result.error, HasSubstr("--mode is an option of --from itch only"));
}

}  // namespace
}  // namespace tools
