// The small journals of the campaign, and the history of one.

#ifndef JOURNAL_TESTING_CAMPAIGN_JOURNALS_H_
#define JOURNAL_TESTING_CAMPAIGN_JOURNALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "journal/storage/storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/writer_options.h"

namespace journal {

inline constexpr char kFirstSegment[] = "segment-000000.tape";

// A log with some attachments; the same for all callers.
const std::vector<OwnedRecord>& SmallLog();

// Blocks of one page, so that every offset is known.
WriterOptions OnePageBlocks();

// The history of a writer: groups of records, each synced, a heartbeat, an unsynced group, and the
// end. Stops at the first error. Adds its promises to `submitted`.
void LiveShortLife(Directory& directory, bool begins, bool closes, Submitted& submitted);

// 20 records in blocks of four, the first three blocks known to be durable.
JournalBytes UnsealedJournal();
JournalBytes SealedJournal();
// Compressed, 200 records in two blocks of several pages.
JournalBytes CompressedJournal();
// Two sealed segments and one that is not.
JournalBytes ThreeSegments();
// The same with few records: two, two and five blocks of one page. Of the last segment's, all but
// the last are known to be durable, a heartbeat among them.
JournalBytes SmallSegments();
// Two sealed segments and one that is not, a block for each record; all are known to be durable.
// Among the blocks are a heartbeat, one of a second writer and a change of the ack policy.
JournalBytes LoneRecords();
inline constexpr uint64_t kLoneRecords = 30;
// The same, its sealed segments compacted.
JournalBytes CompactedJournal();
// How many records of SmallLog() each of these has.
inline constexpr uint64_t kUnsealedRecords = 20;
inline constexpr uint64_t kUnsealedDurable = 12;
inline constexpr uint64_t kCompressedRecords = 200;
inline constexpr uint64_t kSmallSegmentsRecords = 32;
inline constexpr uint64_t kSmallSegmentsDurable = 28;

std::vector<OwnedRecord> FirstOfSmallLog(uint64_t count);

}  // namespace journal

#endif  // JOURNAL_TESTING_CAMPAIGN_JOURNALS_H_
