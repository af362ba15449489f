// The slices of all markets are those that are made one by one, from a journal that is read once.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/market_directory.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/testing/hooked_storage.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/slice/new_journals.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

class MarketSlicesTest : public ::testing::Test {
 protected:
  OpenedJournal Open(const std::string& path) {
    auto opened = OpenJournal(path);
    CHECK_OK(opened.status());
    return *std::move(opened);
  }

  // Makes the slices of all markets in the new folder `output`.
  std::vector<Slice> SlicesOf(const OpenedJournal& opened, const SequenceRange& range,
                              const std::string& output) {
    auto markets = MarketsUpTo(range.last, opened, console_);
    CHECK_OK(markets.status());
    auto folder = UnfinishedFolder::Create(output);
    CHECK_OK(folder.status());
    std::vector<Slice> slices;
    for (const auto& [id, market] : markets->all()) {
      slices.push_back({.output = absl::StrCat((*folder)->partial_path(), "/", id.value()),
                        .range = range,
                        .interest = {.market = id}});
    }
    reads_ = 0;
    CHECK_OK(
        MakeMarketSlices(opened, *markets, slices, (*folder)->directory(), "a test", console_));
    CHECK_OK((*folder)->Finish());
    for (Slice& slice : slices) {
      slice.output = absl::StrCat(output, "/", slice.interest.market->value());
    }
    return slices;
  }

  // Returns the reads of a journal of `market_count` markets and 1100 orders when it is split.
  int ReadsOfASplit(int market_count) {
    const std::string name = absl::StrCat("market_slices_reads_", market_count);
    SampleJournalOptions options;
    for (int market = 1; market <= market_count; ++market) {
      options.commands.push_back(absl::StrCat("define_market id=", market, " symbol=M", market,
                                              " price_decimals=2 lot=1"));
    }
    for (int order = 0; order < 1100; ++order) {
      options.commands.push_back(absl::StrCat("bid market=M", 1 + order % market_count,
                                              " price=9.00 quantity=1 account=1"));
    }
    const OpenedJournal plain = Open(WriteSampleJournal(name, options));
    OpenedJournal hooked;
    hooked.directory =
        std::make_unique<journal::HookedDirectory>(*plain.directory, [this] { ++reads_; });
    auto reader = journal::Reader::Open(*hooked.directory);
    CHECK_OK(reader.status());
    hooked.reader = *std::move(reader);
    const SequenceRange all = {.first = engine::SequenceNumber::First(),
                               .last = hooked.reader->info().last_sequence};
    SlicesOf(hooked, all, At(absl::StrCat(name, "_out")));
    return reads_;
  }

  Console console_{[](absl::string_view) {}, [](absl::string_view) {}, {}};
  int reads_ = 0;
};

void ExpectEqual(const Slice& one, const Slice& other) {
  EXPECT_EQ(one.last, other.last);
  EXPECT_EQ(one.report.seen_count, other.report.seen_count);
  EXPECT_EQ(one.report.kept_count, other.report.kept_count);
  EXPECT_EQ(one.report.added_count, other.report.added_count);
  EXPECT_EQ(one.report.first_kept, other.report.first_kept);
  EXPECT_EQ(one.report.first_kept_in_slice, other.report.first_kept_in_slice);
  EXPECT_EQ(one.report.lost, other.report.lost);
  EXPECT_EQ(one.report.different_count, other.report.different_count);
  for (size_t i = 0; i < one.report.first_differences.size(); ++i) {
    const replay::SliceDifference& difference = one.report.first_differences[i];
    const replay::SliceDifference& same = other.report.first_differences.at(i);
    EXPECT_EQ(difference.in_whole, same.in_whole);
    EXPECT_EQ(difference.in_slice, same.in_slice);
    EXPECT_EQ(difference.whole, same.whole);
    EXPECT_EQ(difference.slice, same.slice);
  }
  for (const char* file : {"/segment-000000.tape", "/checkpoints.trace"}) {
    EXPECT_EQ(*ReadFile(one.output + file), *ReadFile(other.output + file)) << one.output << file;
  }
}

TEST_F(MarketSlicesTest, AreThoseMadeOneByOne) {
  const OpenedJournal opened = Open(WriteBusy("market_slices", 6000));
  uint64_t different = 0;
  for (const uint64_t first : {1, 2500}) {
    const SequenceRange range = {.first = engine::SequenceNumber(first),
                                 .last = engine::SequenceNumber(5900)};
    const std::string name = absl::StrCat("market_slices_", first);
    const std::vector<Slice> slices = SlicesOf(opened, range, At(name));
    EXPECT_EQ(slices.size(), 4u);
    for (const Slice& slice : slices) {
      Slice single = {.output = At(absl::StrCat(name, "_", slice.interest.market->value())),
                      .range = range,
                      .interest = slice.interest};
      CHECK_OK(MakeSlice(opened, single, "a test", console_));
      ExpectEqual(slice, single);
      different += slice.report.different_count;
    }
  }
  EXPECT_GT(different, 0u) << "money and groups connect the markets";
}

TEST_F(MarketSlicesTest, ReadTheJournalOnceAtAnyNumberOfMarkets) {
  const int reads = ReadsOfASplit(5);
  EXPECT_GT(reads, 0);
  EXPECT_LE(ReadsOfASplit(110), reads + reads / 5);
}

}  // namespace
}  // namespace tools
