// What a crash makes of a file's unsynced bytes: FoundationDB's model of a disk.
//
//   page, 4096    written · dropped · garbage · sector by sector:
//   sector, 512   written · dropped · as some earlier unsynced write left it ·
//                 only its first or its last bytes written, the rest old or garbage · garbage
//   length        the synced one · the written one · anything between
//
// Every sector and page has its fate by itself, so unsynced writes arrive in any order. Only
// sectors that were written to are touched: what was synced and left alone stays as it is.

#ifndef JOURNAL_TESTING_TEAR_MODEL_H_
#define JOURNAL_TESTING_TEAR_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "engine/base/prng.h"

namespace journal {

inline constexpr size_t kSectorBytes = 512;
inline constexpr size_t kPageBytes = 4096;

using Sector = std::array<std::byte, kSectorBytes>;

// A file in a page cache over a disk.
//
//   current   what reads return: the cache
//   synced    what is safe: the disk
//
// A sector that differs is dirty, and the next sync writes it; or it is lost, and no sync does: a
// sync has failed, and the system then calls its pages clean all the same.
struct UnsyncedFile {
  std::vector<std::byte> current;
  std::vector<std::byte> synced;
  // What an unsynced sector held between two writes without a sync, by its offset.
  std::map<size_t, std::vector<Sector>> between;
  std::set<size_t> lost;     // Offsets of sectors.
  bool length_lost = false;  // The file has grown, and no sync says so to the disk.
};

// The bytes at `offset`, with zeros where the file has ended.
Sector SectorOf(const std::vector<std::byte>& bytes, size_t offset);

// The offsets of the dirty sectors, ascending: of none is even one byte known to be safe.
std::vector<size_t> UnsyncedSectors(const UnsyncedFile& file);

// A sync that succeeds: dirty sectors reach the disk.
void SyncFile(UnsyncedFile& file);

// A sync that fails: of the dirty pages some reach the disk, none or a few, and the rest is lost.
void FailSyncOfFile(UnsyncedFile& file, engine::Prng& prng);

// The system gives up the clean pages it has in memory: reads return what the disk has.
void DropCleanPages(UnsyncedFile& file);

// One of the many files that a crash may leave.
std::vector<std::byte> Tear(const UnsyncedFile& file, engine::Prng& prng);

// The file that is left when of UnsyncedSectors() exactly those are written whose bit is set, and
// the others dropped. REQUIRES: at most 64 of them.
std::vector<std::byte> TearExactly(const UnsyncedFile& file, uint64_t written, size_t length);

}  // namespace journal

#endif  // JOURNAL_TESTING_TEAR_MODEL_H_
