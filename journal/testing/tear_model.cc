#include "journal/testing/tear_model.h"

#include <algorithm>
#include <cstring>

#include "engine/base/check.h"

namespace journal {
namespace {

void FillWithGarbage(std::byte* begin, size_t bytes, engine::Prng& prng) {
  for (size_t i = 0; i < bytes; ++i) begin[i] = static_cast<std::byte>(prng.Below(256));
}

// As if the disk was interrupted in it, from either side.
Sector TearSector(const Sector& was, const Sector& written, engine::Prng& prng) {
  const size_t cut = prng.Below(kSectorBytes + 1);
  const bool from_left = prng.Chance(50);
  Sector torn = was;
  if (prng.Chance(50)) FillWithGarbage(torn.data(), kSectorBytes, prng);
  const size_t begin = from_left ? 0 : cut;
  const size_t end = from_left ? cut : kSectorBytes;
  std::memcpy(torn.data() + begin, written.data() + begin, end - begin);
  return torn;
}

enum class PageFate { kWritten, kDropped, kGarbage, kSectorBySector };

PageFate FateOfPage(engine::Prng& prng) {
  const uint64_t dice = prng.Below(20);
  if (dice < 5) return PageFate::kWritten;
  if (dice < 9) return PageFate::kDropped;
  return dice < 10 ? PageFate::kGarbage : PageFate::kSectorBySector;
}

Sector FateOfSector(const UnsyncedFile& file, size_t offset, PageFate page, engine::Prng& prng) {
  const Sector was = SectorOf(file.synced, offset);
  const Sector written = SectorOf(file.current, offset);
  Sector garbage;
  switch (page) {
    case PageFate::kWritten:
      return written;
    case PageFate::kDropped:
      return was;
    case PageFate::kGarbage:
      FillWithGarbage(garbage.data(), kSectorBytes, prng);
      return garbage;
    case PageFate::kSectorBySector:
      break;
  }
  const uint64_t dice = prng.Below(20);
  if (dice < 7) return written;
  if (dice < 13) return was;
  if (dice < 14) {
    FillWithGarbage(garbage.data(), kSectorBytes, prng);
    return garbage;
  }
  if (dice < 16) {
    const auto between = file.between.find(offset);
    if (between != file.between.end()) return between->second[prng.Below(between->second.size())];
  }
  return TearSector(was, written, prng);
}

void Put(const Sector& sector, size_t offset, std::vector<std::byte>& bytes) {
  if (offset >= bytes.size()) return;
  std::memcpy(bytes.data() + offset, sector.data(), std::min(kSectorBytes, bytes.size() - offset));
}

// A file on the disk is as long as its written bytes.
void WriteToDisk(size_t offset, UnsyncedFile& file) {
  const size_t end = std::min(offset + kSectorBytes, file.current.size());
  if (file.synced.size() < end) file.synced.resize(end);
  Put(SectorOf(file.current, offset), offset, file.synced);
}

// The bytes on the disk, with another length.
std::vector<std::byte> SyncedAtLength(const UnsyncedFile& file, size_t length) {
  std::vector<std::byte> bytes = file.synced;
  bytes.resize(length);
  return bytes;
}

}  // namespace

Sector SectorOf(const std::vector<std::byte>& bytes, size_t offset) {
  Sector sector = {};
  if (offset < bytes.size()) {
    std::memcpy(sector.data(), bytes.data() + offset,
                std::min(kSectorBytes, bytes.size() - offset));
  }
  return sector;
}

std::vector<size_t> UnsyncedSectors(const UnsyncedFile& file) {
  std::vector<size_t> offsets;
  const size_t end = std::max(file.current.size(), file.synced.size());
  for (size_t offset = 0; offset < end; offset += kSectorBytes) {
    if (file.lost.contains(offset)) continue;
    if (file.between.contains(offset) ||
        SectorOf(file.current, offset) != SectorOf(file.synced, offset)) {
      offsets.push_back(offset);
    }
  }
  return offsets;
}

void SyncFile(UnsyncedFile& file) {
  if (file.lost.empty() && !file.length_lost) {
    file.synced = file.current;
  } else {
    const std::vector<size_t> dirty = UnsyncedSectors(file);
    if (!file.length_lost) file.synced.resize(file.current.size());
    for (const size_t offset : dirty) WriteToDisk(offset, file);
  }
  file.between.clear();
}

void FailSyncOfFile(UnsyncedFile& file, engine::Prng& prng) {
  const bool some_are_written = prng.Chance(50);
  size_t page = SIZE_MAX;
  bool is_written = false;
  for (const size_t offset : UnsyncedSectors(file)) {
    if (offset / kPageBytes != page) {
      page = offset / kPageBytes;
      is_written = some_are_written && prng.Chance(50);
    }
    if (is_written) {
      WriteToDisk(offset, file);
    } else if (offset < file.current.size()) {
      file.lost.insert(offset);
    }
  }
  file.length_lost |= file.synced.size() < file.current.size();
  file.between.clear();
}

void DropCleanPages(UnsyncedFile& file) {
  for (const size_t offset : file.lost) Put(SectorOf(file.synced, offset), offset, file.current);
  file.lost.clear();
}

std::vector<std::byte> Tear(const UnsyncedFile& file, engine::Prng& prng) {
  const size_t low = std::min(file.current.size(), file.synced.size());
  const size_t high = std::max(file.current.size(), file.synced.size());
  size_t length = prng.Chance(50) ? file.current.size() : file.synced.size();
  if (prng.Chance(30)) length = low + prng.Below(high - low + 1);
  std::vector<std::byte> bytes = SyncedAtLength(file, length);
  size_t page = SIZE_MAX;
  PageFate fate = PageFate::kWritten;
  for (const size_t offset : UnsyncedSectors(file)) {
    if (offset / kPageBytes != page) {
      page = offset / kPageBytes;
      fate = FateOfPage(prng);
    }
    Put(FateOfSector(file, offset, fate, prng), offset, bytes);
  }
  return bytes;
}

std::vector<std::byte> TearExactly(const UnsyncedFile& file, uint64_t written, size_t length) {
  std::vector<std::byte> bytes = SyncedAtLength(file, length);
  const std::vector<size_t> offsets = UnsyncedSectors(file);
  CHECK(offsets.size() <= 64);
  for (size_t i = 0; i < offsets.size(); ++i) {
    if ((written >> i & 1) != 0) Put(SectorOf(file.current, offsets[i]), offsets[i], bytes);
  }
  return bytes;
}

}  // namespace journal
