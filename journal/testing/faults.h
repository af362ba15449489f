// The deliberate faults of the canary check: which promise each breaks. One line of code each, at
// the JOURNAL_FAULT of its name.

#ifndef JOURNAL_TESTING_FAULTS_H_
#define JOURNAL_TESTING_FAULTS_H_

#include "absl/strings/string_view.h"

#define JOURNAL_FAULTS(FAULT)                                                                   \
  FAULT(kDirectoryNotSynced, "a new segment's name is not made durable")                        \
  FAULT(kPreambleNotSynced, "blocks are written behind a preamble that may vanish")             \
  FAULT(kAcknowledgedBeforeSync, "records count as durable before the disk has said so")        \
  FAULT(kFailedSyncForgiven, "the writer goes on after a sync that failed")                     \
  FAULT(kFailedWriteForgiven, "the writer goes on after a write that failed")                   \
  FAULT(kWatermarkRunsAhead, "blocks say that all before them is durable")                      \
  FAULT(kWatermarkNeverMoves, "blocks do not say what is durable")                              \
  FAULT(kSectorReused, "sealing writes the SEAL block again, over synced sectors")              \
  FAULT(kSealNotSynced, "the footer may reach the disk before the blocks it vouches for")       \
  FAULT(kIncarnationForgotten, "a writer that takes over does not count as another")            \
  FAULT(kTailNotCut, "recovery leaves a torn tail where it is")                                 \
  FAULT(kTailNotKept, "recovery cuts a torn tail off without a copy")                           \
  FAULT(kCacheBelieved, "a writer that takes over believes what may be in memory alone")        \
  FAULT(kCachedTailNotCopied, "it believes that where the cache cannot be dropped")             \
  FAULT(kSealedNotProven, "it does not look at the blocks of sealed segments")                  \
  FAULT(kDamagedTakenOver, "recovery goes on with a damaged journal")                           \
  FAULT(kAttachmentsNotDigested, "the digest of a journal that goes on forgets attachments")    \
  FAULT(kLockNotTaken, "two writers may open a journal")                                        \
  FAULT(kLockReleasedEarly, "the lock is released before the last checkpoint is written")       \
  FAULT(kMaintenanceLockNotTaken, "two may delete segments at once")                            \
  FAULT(kPathResolvedAgain, "a writer's folder is looked up by its path at each call")          \
  FAULT(kRenameReplaces, "a new segment replaces a file that has its name already")             \
  FAULT(kParentNotSynced, "the name of a journal's folder is not made durable")                 \
  FAULT(kHeaderHashIgnored, "a block's header is believed without its hash")                    \
  FAULT(kPayloadHashIgnored, "a block's payload is believed without its hash")                  \
  FAULT(kLengthTrusted, "a block counts though the file ends inside it")                        \
  FAULT(kChainIgnored, "a block counts whatever block it followed when it was written")         \
  FAULT(kWatermarkIgnored, "what later blocks say was durable does not count")                  \
  FAULT(kTailNotSearched, "nothing behind the first bad block is looked at")                    \
  FAULT(kZerosAreTheEnd, "a page of zeros ends the search behind a bad block")                  \
  FAULT(kFirstPreambleOnly, "the second preamble is never used")                                \
  FAULT(kIndexHashIgnored, "an index is believed without its hash")                             \
  FAULT(kNeighboursNotCompared, "a segment need not continue the one before it")                \
  FAULT(kReaderPassesGaps, "a reader goes on behind a gap without a word")                      \
  FAULT(kReaderEndsEarly, "a reader ends before what was durable, without a word")              \
  FAULT(kDamagedEndIsTheEnd, "a damaged journal is said to end with what can be read of it")    \
  FAULT(kIndexSizeTrusted, "an index costs memory that the blocks before it do not bound")      \
  FAULT(kIndexTimesTrusted, "an index may say that time runs back")                             \
  FAULT(kTailReadAgainAndAgain, "forged headers have a tail read once for each of them")        \
  FAULT(kOtherFilesOverlooked, "a folder or a pipe in a segment's place is no segment")         \
  FAULT(kCutPreambleIsWhole, "a file that ends inside its preambles counts as whole")           \
  FAULT(kWatermarkBeyondUnsaid, "a watermark beyond the journal's end draws no warning")        \
  FAULT(kStaleWatermarkBelieved, "a watermark is believed of whatever blocks have its numbers") \
  FAULT(kFollowerSlowToDoubt, "who follows takes long to see that the next block is damaged")   \
  FAULT(kFollowerShowsWritten, "a follower shows what a power cut may take back")               \
  FAULT(kWatermarkFileRunsAhead, "who follows is told that what is only written is durable")    \
  FAULT(kReplacedBeforeSync, "a segment is replaced before its copy is durable")                \
  FAULT(kOriginalRemovedFirst, "a segment is deleted before its copy has its name")             \
  FAULT(kCompactedNotCompared, "a segment is replaced by a copy that was not compared")         \
  FAULT(kPrefixNotCompared, "a state counts as the journal's whatever log it is of")            \
  FAULT(kSidecarEndsAtDamage, "a damaged checkpoint hides those behind it")                     \
  FAULT(kSidecarTailNotKept, "checkpoints are cut off or replaced without a copy")              \
  FAULT(kSidecarLengthTrusted, "checkpoints.trace is read as far as it says that it goes")

namespace journal {

#define JOURNAL_FAULT_NAME(name, promise) name,
enum class Fault { kNone, JOURNAL_FAULTS(JOURNAL_FAULT_NAME) };
#undef JOURNAL_FAULT_NAME

struct FaultText {
  Fault fault;
  absl::string_view name;
  absl::string_view promise;
};

#define JOURNAL_FAULT_TEXT(name, promise) {Fault::name, #name, promise},
inline constexpr FaultText kFaults[] = {JOURNAL_FAULTS(JOURNAL_FAULT_TEXT)};
#undef JOURNAL_FAULT_TEXT

// The fault in force; nothing is broken until a test says so. Set before any other thread is there.
inline Fault broken_promise = Fault::kNone;

}  // namespace journal

#endif  // JOURNAL_TESTING_FAULTS_H_
