// The campaign: everything that can happen to a small journal, and much that can to a larger one,
// each time held against oracles.h.
//
// Each stage gives the first violation with what led to it, or an empty text. exhaustive_test and
// random_test run the stages in full, canary_test thinned out and on a journal that is broken on
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

// Every call of the storage fails, once or for good, with every kind of error, the process or the
// machine stops; a sync that fails leaves in memory what is on no disk, or not; then two more
// generations.
std::string EveryFailingCall(Share share);

// Recovery is stopped at every call, and what it had not synced is torn.
std::string EveryCrashOfRecovery(Share share);

// A journal of lone commands is compacted, and the machine stops after every call of it; of what
// was not synced, a sample of what may survive.
std::string EveryCrashOfCompaction(Share share);

// Every call of compacting fails, once or for good, with every kind of error, and the process or
// the machine stops.
std::string EveryFailingCallOfCompaction(Share share);

// Every bit is flipped, in each segment; exactly one verdict is right (plain_journal.h).
std::string EveryBit(Share share);

// A file is cut at every length: the same.
std::string EveryLength(Share share);

// Every page reads as zeros, or as any other page, or as garbage: the same.
std::string EveryPage(Share share);

// checkpoints.trace: every bit is flipped, it is cut at every length, and it says that it is a
// tebibyte. Each checkpoint is checked by itself, and what a writer or a repair cuts off or
// replaces is kept.
std::string EverySidecar(Share share);

// A state counts where its log digest is that of the journal's records, and nowhere else: of logs
// that parted from the journal at one record, in each run.
std::string EveryPrefix(Share share);

// Blocks of another future, segments that are missing or another journal's.
std::string WrongPlaces();

// A folder of the operating system is moved away under its writer, and another writer begins where
// it was: each journal holds all that its own writer was given.
std::string EveryMovedFolder();

// The name that the writer wants for its next segment is taken: it stops, and replaces nothing.
std::string EveryTakenName();

// A folder's own name is durable before anything is written into it, whether it was there or not.
std::string EveryNewFolder();

// One prune is at work, and before each of its calls another one comes, with other snapshots: it
// waits for the first or is refused, and the journal stays one that a writer accepts.
std::string EveryPruneBesideAnother(Share share);

// Writers live, a journal is repaired and pruned: nothing is changed while no lock is held.
std::string EveryChangeIsLocked();

// Files that lie about their sizes, times that run back, other things in the place of
// segments, a `watermark` that knows more than the segments; hashes are right.
std::string Forgeries();

// Generations of writers on one thread or two, with and without a reserve, that fail, close, are
// killed or lose power, and someone who follows them. A function of the seed.
std::string RandomHistory(uint64_t seed);

// The device loses, misdirects or corrupts one write, or one read. A function of the seed.
std::string LyingDevice(uint64_t seed);

// The same while a journal is compacted, of the copy: no record may be lost. A function of the
// seed.
std::string LyingDeviceOfCompaction(uint64_t seed);

}  // namespace journal

#endif  // JOURNAL_TESTING_CAMPAIGN_H_
