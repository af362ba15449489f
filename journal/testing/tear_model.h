// What a crash does to a file's unsynced bytes: FoundationDB's model of a disk.
//
//   page, 4096    written · dropped · garbage · sector by sector:
//   sector, 512   written · dropped · as some earlier unsynced write left it ·
//                 only its first or its last bytes written, the rest old or garbage · garbage
//   length        the synced one · the written one · anything between
//
// The outcome of each sector and page is independent, so unsynced writes arrive in any order. Only
// sectors that were written to change: synced sectors stay as they are.

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
//   synced    the disk
//
// A sector that differs is dirty, and the next sync writes it; or it is lost, and no sync does:
// after a failed sync the system marks its pages as clean.
struct UnsyncedFile {
  std::vector<std::byte> current;
  std::vector<std::byte> synced;
  // What an unsynced sector held between two writes without a sync, by its offset.
  std::map<size_t, std::vector<Sector>> between;
  std::set<size_t> lost;     // Offsets of sectors.
  bool length_lost = false;  // The file has grown, and no sync has written that to the disk.
};

// The bytes at `offset`, with zeros where the file has ended.
Sector SectorOf(const std::vector<std::byte>& bytes, size_t offset);

// The offsets of the dirty sectors, ascending: no byte of them is known to be on the disk.
std::vector<size_t> UnsyncedSectors(const UnsyncedFile& file);

// A sync that succeeds: dirty sectors reach the disk.
void SyncFile(UnsyncedFile& file);

// A sync that fails: some or none of the dirty pages reach the disk, and the rest is lost.
void FailSyncOfFile(UnsyncedFile& file, engine::Prng& prng);

// The system drops its clean pages: reads return the disk.
void DropCleanPages(UnsyncedFile& file);

// One of the possible files after a crash.
std::vector<std::byte> Tear(const UnsyncedFile& file, engine::Prng& prng);

// The file after a crash that writes exactly those of UnsyncedSectors() whose bit is set, and drops
// the others. REQUIRES: at most 64 of them.
std::vector<std::byte> TearExactly(const UnsyncedFile& file, uint64_t written, size_t length);

}  // namespace journal

#endif  // JOURNAL_TESTING_TEAR_MODEL_H_
