// A journal in memory, for tests of its writers and readers.

#ifndef JOURNAL_TESTING_JOURNAL_TEST_BASE_H_
#define JOURNAL_TESTING_JOURNAL_TEST_BASE_H_

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {

class JournalTest : public ::testing::Test {
 protected:
  std::unique_ptr<Writer> Create(WriterOptions options = {}) {
    return Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
  }
  std::unique_ptr<Writer> Open(WriterOptions options = {}) {
    return Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
  }

  void ExpectReads(const std::vector<OwnedRecord>& log) {
    const ReadResult read = ReadJournal(directory_);
    ASSERT_TRUE(read.status.ok()) << read.status;
    ASSERT_EQ(read.records, log);
  }

  // Short segments and blocks, so that there are many.
  static WriterOptions Small() {
    WriterOptions options;
    options.segment_bytes = 64 << 10;
    options.block_records = 50;
    return options;
  }

  MemoryDirectory directory_;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_JOURNAL_TEST_BASE_H_
