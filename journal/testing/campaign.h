// The campaign: every fault of a small journal, and many of a larger one,
// each checked by oracles.h.
//
// Each stage returns the first violation with its cause, or an empty text. exhaustive_test and
// random_test run the stages in full, canary_test a sample of them on a journal that is broken on
// purpose.

#ifndef JOURNAL_TESTING_CAMPAIGN_H_
#define JOURNAL_TESTING_CAMPAIGN_H_

#include <cstdint>
#include <string>

namespace journal {

// Every case, or one in so many, from the first or a later one on: how shards share a stage.
struct Share {
  uint64_t one_in = 1;
  uint64_t from = 0;

  bool Has(uint64_t number) const { return number % one_in == from; }
};

// The machine stops after every call of the storage, and keeps every subset of the unsynced sectors
// (a sample where there are more than 12), short and long files, old and new names.
std::string EveryCrash(Share share);

// Every call of the storage fails, once or from then on, with every kind of error; the process or
// the machine stops; a failed sync leaves pages in memory that are on no disk, or not; then two
// more generations.
std::string EveryFailingCall(Share share);

// Recovery is stopped at every call, and its unsynced writes are torn.
std::string EveryCrashOfRecovery(Share share);

// A journal of lone commands is compacted, and the machine stops after every call of it; of the
// unsynced writes a sample of the possible subsets survives.
std::string EveryCrashOfCompaction(Share share);

// Every call of compacting fails, once or from then on, with every kind of error, and the process
// or the machine stops.
std::string EveryFailingCallOfCompaction(Share share);

// Every bit is flipped, in each segment; exactly one verdict is right (plain_journal.h).
std::string EveryBit(Share share);

// A file is cut at every length: the same.
std::string EveryLength(Share share);

// Every page reads as zeros, or as any other page, or as garbage: the same.
std::string EveryPage(Share share);

// checkpoints.trace: every bit is flipped, it is cut at every length, and it has the length of a
// tebibyte. Each checkpoint is checked by itself, and the bytes that a writer or a repair cuts off
// or replaces are kept.
std::string EverySidecar(Share share);

// A state counts only if its log digest is that of the journal's records; tried with logs
// that differ from the journal from one record on, in each run.
std::string EveryPrefix(Share share);

// Blocks of another future, segments that are missing or another journal's.
std::string WrongPlaces();

// A folder of the operating system is moved away under its writer, and another writer starts where
// it was: each journal holds all records of its own writer.
std::string EveryMovedFolder();

// The writer's next segment's name is taken: it stops, and replaces nothing.
std::string EveryTakenName();

// A folder's own name is durable before anything is written into it, whether it existed or not.
std::string EveryNewFolder();

// One prune runs, and before each of its calls another one starts, with other snapshots: it
// waits for the first or is refused, and a writer still accepts the journal.
std::string EveryPruneBesideAnother(Share share);

// Writers run, a journal is repaired and pruned: nothing is changed while no lock is held.
std::string EveryChangeIsLocked();

// Files with false sizes, times that run back, other entries in the place of
// segments, a `watermark` ahead of the segments; all hashes are valid.
std::string Forgeries();

// Generations of writers on one thread or two, with and without a reserve, that fail, close, are
// killed or lose power, and a follower. A function of the seed.
std::string RandomHistory(uint64_t seed);

// The device loses, misdirects or corrupts one write, or one read. A function of the seed.
std::string LyingDevice(uint64_t seed);

// The same while a journal is compacted, of the copy: no record may be lost. A function of the
// seed.
std::string LyingDeviceOfCompaction(uint64_t seed);

}  // namespace journal

#endif  // JOURNAL_TESTING_CAMPAIGN_H_
