#include "replay/driver.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "replay/output_buffer.h"

namespace replay {
namespace {

uint64_t NumberIn(const std::array<std::byte, 48>& payload) {
  return engine::LoadLittleEndian<uint64_t>(payload.data());
}

// Emits the count of its records and attachments; its state is the count.
class Counter final : public Machine {
 public:
  absl::string_view name() const override { return "counter"; }
  void WriteTo(ApplyKey, OutputMemory& memory) override { outputs_.WriteTo(memory); }
  std::span<const Output> Apply(ApplyKey, const journal::Record& record) override {
    outputs_.Begin(record.sequence());
    count_ += NumberIn(record.row->payload) + 1'000'000 * record.attachment.size();
    engine::StoreLittleEndian(count_, outputs_.Append(1).payload.data());
    return outputs_.outputs();
  }
  engine::Digest StateDigest() const override { return {.low = count_, .high = 1}; }

 private:
  uint64_t count_ = 0;
  OutputBuffer outputs_;
};

journal::Row RowOf(uint64_t sequence) {
  journal::Row row;
  row.sequence = engine::SequenceNumber(sequence);
  engine::StoreLittleEndian(sequence, row.payload.data());
  return row;
}

void ApplyUpTo(Driver& driver, uint64_t last) {
  for (uint64_t i = driver.last_applied().value() + 1; i <= last; ++i) {
    const journal::Row row = RowOf(i);
    driver.Apply({.row = &row, .attachment = {}});
  }
}

std::unique_ptr<journal::Reader> JournalOf(journal::MemoryDirectory& directory, uint64_t count) {
  const auto writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                              journal::Uuid::FromWords(1, 2), {})
                          .value();
  for (uint64_t i = 1; i <= count; ++i) EXPECT_TRUE(writer->Append(RowOf(i)).ok());
  EXPECT_TRUE(writer->Close().ok());
  return journal::Reader::Open(directory).value();
}

TEST(Driver, TakesTheTraceAtTheEndOfEachRun) {
  Counter counter;
  Driver driver(counter);
  ApplyUpTo(driver, 4095);
  EXPECT_FALSE(driver.at_checkpoint());
  ApplyUpTo(driver, 4096);
  EXPECT_TRUE(driver.at_checkpoint());
  EXPECT_EQ(driver.Checkpoint().sequence, engine::SequenceNumber(4096));
  EXPECT_EQ(driver.Checkpoint().state, counter.StateDigest());
  EXPECT_EQ(driver.output_count(), 4096u);
}

TEST(Driver, ReadingAnOpenRunDoesNotDisturbIt) {
  Counter a;
  Counter b;
  Driver looking(a);
  Driver driver(b);
  ApplyUpTo(looking, 1000);
  (void)looking.Checkpoint();
  ApplyUpTo(looking, 5000);
  ApplyUpTo(driver, 5000);
  EXPECT_EQ(looking.Checkpoint(), driver.Checkpoint());
}

TEST(Driver, RunsAReaderUpToTheGivenRecord) {
  journal::MemoryDirectory directory;
  const auto reader = JournalOf(directory, 5000);
  Counter counter;
  Driver driver(counter);
  uint64_t seen = 0;
  const auto count = [&](const journal::Record&, std::span<const Output>) {
    ++seen;
    return true;
  };
  ASSERT_TRUE(driver.Run(*reader, engine::SequenceNumber(4500), count).ok());
  EXPECT_EQ(seen, 4500u);
  ASSERT_TRUE(driver.Run(*reader, engine::SequenceNumber(9999), count).ok());
  EXPECT_EQ(seen, 5000u) << "the end of the journal ends the run";

  Counter again;
  Driver live(again);
  ApplyUpTo(live, 5000);
  EXPECT_EQ(driver.Checkpoint(), live.Checkpoint());
}

TEST(Driver, StopsAfterTheGivenLastRecord) {
  journal::MemoryDirectory directory;
  const auto reader = JournalOf(directory, 100);
  Counter counter;
  Driver driver(counter);
  ASSERT_TRUE(driver
                  .Run(*reader, engine::SequenceNumber(100),
                       [](const journal::Record& record, std::span<const Output>) {
                         return record.sequence() != engine::SequenceNumber(7);
                       })
                  .ok());
  EXPECT_EQ(driver.last_applied(), engine::SequenceNumber(7));
}

TEST(Driver, ContinuesWithTheReaderWhereItStopped) {
  journal::MemoryDirectory directory;
  const auto reader = JournalOf(directory, 3000);  // More than one block.
  Counter counter;
  Driver driver(counter);
  for (const uint64_t stop : {1, 2, 1023, 1024, 1025, 2048, 2999, 3000}) {
    ASSERT_TRUE(driver
                    .Run(*reader, engine::SequenceNumber(3000),
                         [&](const journal::Record& record, std::span<const Output>) {
                           return record.sequence() != engine::SequenceNumber(stop);
                         })
                    .ok());
    EXPECT_EQ(driver.last_applied(), engine::SequenceNumber(stop));
  }
  Counter again;
  Driver live(again);
  ApplyUpTo(live, 3000);
  EXPECT_EQ(driver.Checkpoint(), live.Checkpoint());
}

TEST(Driver, WithoutDigestsStartsAfterAnyRecord) {
  Counter machine;
  Driver driver(machine, engine::SequenceNumber(5000));
  std::vector<journal::Row> rows;
  for (uint64_t i = 5001; i <= 9000; ++i) rows.push_back(RowOf(i));
  EXPECT_EQ(driver.ApplyBatch({.rows = rows, .attachments = {}}, engine::SequenceNumber(8999)),
            3999u);
  EXPECT_EQ(driver.last_applied(), engine::SequenceNumber(8999));
  const auto events = driver.Apply({.row = &rows.back(), .attachment = {}});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(NumberIn(events.front().payload), (5001u + 9000u) * 4000u / 2);
  EXPECT_DEATH(driver.Checkpoint(), "takes_digests_");
}

// Keeps the commands of its Prefetch() calls.
class PrefetchingMachine final : public Machine {
 public:
  absl::string_view name() const override { return "prefetching"; }
  void WriteTo(ApplyKey, OutputMemory&) override {}
  std::span<const Output> Apply(ApplyKey, const journal::Record& record) override {
    EXPECT_LT(record.sequence() - prefetched_from_, kPrefetchBatch);
    return {};
  }
  void Prefetch(std::span<const journal::Row> coming) const override {
    prefetched_from_ = coming.front().sequence;
    coming_count_ = coming.size();
  }
  engine::Digest StateDigest() const override { return {}; }
  size_t coming_count() const { return coming_count_; }

 private:
  mutable engine::SequenceNumber prefetched_from_;
  mutable size_t coming_count_ = 0;
};

TEST(Driver, PassesComingCommandsToPrefetch) {
  std::vector<journal::Row> rows;
  for (uint64_t i = 1; i <= 10; ++i) rows.push_back(RowOf(i));
  PrefetchingMachine machine;
  Driver driver(machine);
  const auto all = [](const journal::Record&, std::span<const Output>) { return true; };
  const journal::Batch batch{.rows = rows, .attachments = {}};
  EXPECT_EQ(driver.ApplyBatch(batch, engine::SequenceNumber(4), all), 4u);
  EXPECT_EQ(machine.coming_count(), 10u) << "what is not applied yet comes all the same";
  const journal::Batch rest{.rows = std::span(rows).subspan(4), .attachments = {}};
  EXPECT_EQ(driver.ApplyBatch(rest, engine::SequenceNumber(99), all), 6u);
  EXPECT_EQ(machine.coming_count(), 2u);
}

// Up to and after attachments, ends of runs and ends of batches, in any order.
TEST(Driver, ABatchWithoutListenersIsAppliedAlike) {
  constexpr uint64_t kCount = 13'000;
  std::vector<journal::Row> rows;
  for (uint64_t i = 1; i <= kCount; ++i) rows.push_back(RowOf(i));
  const std::vector<std::byte> bytes(9, std::byte{1});
  std::vector<journal::AttachmentView> attachments;
  size_t length = 0;
  for (const uint64_t i : {1, 2, 100, 4095, 4096, 4097, 8192, 8193, 12'000, 13'000}) {
    attachments.push_back({.sequence = engine::SequenceNumber(i),
                           .bytes = engine::Bytes(bytes).first(length++ % 9 + 1)});
  }
  Counter a;
  Counter b;
  Driver seen(a);
  Driver unseen(b);
  const auto all = [](const journal::Record&, std::span<const Output>) { return true; };
  for (const uint64_t last : {1, 2, 3, 99, 4094, 4096, 4097, 8100, 8200, 12'287, 12'288, 13'000}) {
    const uint64_t begin = seen.last_applied().value();
    const journal::Batch batch =
        journal::Batch{.rows = rows, .attachments = attachments}.Part(begin, kCount);
    const engine::SequenceNumber end(last);
    EXPECT_EQ(unseen.ApplyBatch(batch, end), last - begin);
    EXPECT_EQ(seen.ApplyBatch(batch, end, all), last - begin);
    EXPECT_EQ(unseen.Checkpoint(), seen.Checkpoint()) << "at " << last;
    EXPECT_EQ(unseen.output_count(), last);
    EXPECT_EQ(unseen.ApplyBatch(batch, end), 0u) << "it is there already";
  }
  Counter c;
  Driver in_one_batch(c);
  EXPECT_EQ(in_one_batch.ApplyBatch({.rows = rows, .attachments = attachments},
                                    engine::SequenceNumber(99'999)),
            kCount);
  EXPECT_EQ(in_one_batch.Checkpoint(), seen.Checkpoint());
}

TEST(DriverDeathTest, ABatchThatDoesNotFollowIsACheckFailure) {
  Counter counter;
  Driver driver(counter);
  const std::vector<journal::Row> rows = {RowOf(2)};
  EXPECT_DEATH(driver.ApplyBatch({.rows = rows, .attachments = {}}, engine::SequenceNumber(9)),
               "CHECK failed");
}

TEST(DriverDeathTest, AGapIsACheckFailure) {
  Counter counter;
  Driver driver(counter);
  const journal::Row row = RowOf(2);
  EXPECT_DEATH(driver.Apply({.row = &row, .attachment = {}}), "CHECK failed");
}

}  // namespace
}  // namespace replay
