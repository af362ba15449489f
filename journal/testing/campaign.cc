#include "journal/testing/campaign.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/verdict.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kHeader = 128;
constexpr uint64_t kSectorsOfAllSubsets = 12;
constexpr Verdict kClean = Verdict::kClean;
constexpr Verdict kTorn = Verdict::kTorn;
constexpr Verdict kDamaged = Verdict::kDamaged;

// What a crash may leave of `crashed`; each subset once.
std::string EverySubset(const MemoryDirectory& crashed, const Submitted& submitted, Share share,
                        uint64_t& number) {
  const uint64_t sectors = crashed.Unsynced().size();
  CHECK(sectors < 64);
  const bool all = sectors <= kSectorsOfAllSubsets;
  const uint64_t subsets = uint64_t{1} << std::min(sectors, kSectorsOfAllSubsets);
  engine::Prng prng(sectors);
  std::set<JournalBytes> seen;
  for (uint64_t i = 0; i < subsets; ++i) {
    const uint64_t subset = all ? i : prng.Below(uint64_t{1} << sectors);
    for (uint64_t others = 0; others < 4; ++others) {
      if (!share.Has(number++)) continue;
      JournalBytes files = crashed.AfterCrash(
          {.sectors = subset, .lengths = (others & 1) != 0, .names = (others & 2) != 0});
      if (!seen.insert(files).second) continue;
      const auto directory = MemoryDirectory::FromSnapshot(files);
      Submitted here = submitted;
      const std::string violation = CheckAfterCrash(*directory, here, OnePageBlocks());
      if (!violation.empty()) {
        return absl::StrCat("sectors ", subset, " of ", sectors, ", lengths and names ", others,
                            ": ", violation);
      }
    }
  }
  return "";
}

struct Failing {
  bool stays_broken;
  bool short_writes;
  bool syncs_forget;
  bool only_process_stops;
  bool disk_is_full;
  bool takes_over;  // The fault is in the second generation.
};

Failing FailingOf(uint64_t kind) {
  return {(kind & 1) != 0, (kind & 2) != 0,  (kind & 4) != 0,
          (kind & 8) != 0, (kind & 16) != 0, (kind & 32) != 0};
}

// One run; `failed`: the call was reached.
std::string FailCall(uint64_t call, const Failing& failing, bool& failed) {
  MemoryDirectory directory;
  Submitted submitted{.log = SmallLog()};
  uint64_t written = 0;
  if (failing.takes_over) {
    LiveShortLife(directory, /*begins=*/true, /*closes=*/call % 2 == 0, submitted);
    directory.Kill();
    written = submitted.appended;
  }
  FaultPlan plan{.failing_call = call,
                 .stays_broken = failing.stays_broken,
                 .code = failing.disk_is_full ? absl::StatusCode::kResourceExhausted
                                              : absl::StatusCode::kUnavailable,
                 .short_writes = failing.short_writes};
  if (failing.syncs_forget) {
    plan.on_failed_sync = [&](absl::string_view name) { directory.DropUnsynced(name); };
  }
  FaultyDirectory faulty(directory, plan);
  LiveShortLife(faulty, !failing.takes_over, /*closes=*/true, submitted);
  failed = faulty.has_failed();
  if (failing.only_process_stops) {
    directory.Kill();
    // What was only written is promised to the process alone.
    if (!failing.syncs_forget) submitted.acknowledged = std::max(submitted.acknowledged, written);
  } else {
    directory.CrashDroppingAll();
  }
  return CheckAfterCrash(directory, submitted, OnePageBlocks());
}

// The blocks of a segment, as their headers say: read here once more, as what is being tested must
// not be asked.
struct PlainBlock {
  uint64_t number = 0;
  uint64_t durable_block = 0;
  uint64_t first_sequence = 0;
  size_t begin = 0;
  size_t end = 0;  // Of header and payload.
};

std::vector<PlainBlock> BlocksOf(const std::vector<std::byte>& bytes) {
  std::vector<PlainBlock> blocks;
  for (size_t at = 0; at + kPage <= bytes.size(); at += kPage) {
    if (std::memcmp(bytes.data() + at, "TBLK", 4) != 0) continue;
    const auto word = [&](size_t offset) {
      return engine::LoadLittleEndian<uint64_t>(bytes.data() + at + offset);
    };
    blocks.push_back(
        {.number = word(16),
         .durable_block = word(64),
         .first_sequence = word(24),
         .begin = at,
         .end = at + kHeader + engine::LoadLittleEndian<uint32_t>(bytes.data() + at + 36)});
  }
  return blocks;
}

// What follows when this block is not there any more.
Expected WithoutBlock(const std::vector<PlainBlock>& blocks, const PlainBlock& lost,
                      bool is_sealed) {
  bool promised = is_sealed;
  for (const PlainBlock& other : blocks) {
    promised |= other.number != lost.number && other.durable_block >= lost.number;
  }
  // A writer trusts the index of a sealed segment, and begins the next one.
  return {.verdict = promised ? &kDamaged : &kTorn, .is_refused = promised && !is_sealed};
}

Expected WithFlip(const std::vector<PlainBlock>& blocks, size_t byte, bool is_sealed) {
  for (const PlainBlock& block : blocks) {
    if (byte >= block.begin && byte < block.end) return WithoutBlock(blocks, block, is_sealed);
  }
  // A preamble, an index, padding.
  const bool is_index = is_sealed && byte >= blocks.back().begin + kPage;
  return {.is_whole = true, .verdict = is_index ? &kTorn : &kClean};
}

std::string FlipEveryBit(const JournalBytes& whole, const std::vector<OwnedRecord>& log,
                         bool is_sealed, Share share, uint64_t& number) {
  const std::vector<std::byte>& bytes = whole.at(kFirstSegment);
  const std::vector<PlainBlock> blocks = BlocksOf(bytes);
  for (size_t byte = 0; byte < bytes.size(); ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (!share.Has(number++)) continue;
      JournalBytes files = whole;
      files[kFirstSegment][byte] ^= static_cast<std::byte>(1 << bit);
      const std::string violation =
          CheckAfterDamage(files, log, WithFlip(blocks, byte, is_sealed), bit == byte % 8);
      if (!violation.empty()) return absl::StrCat("bit ", bit, " of ", byte, ": ", violation);
    }
  }
  return "";
}

std::string CutAtEveryLength(const JournalBytes& whole, const std::vector<OwnedRecord>& log,
                             Share share, uint64_t& number) {
  const std::vector<std::byte>& bytes = whole.at(kFirstSegment);
  const std::vector<PlainBlock> blocks = BlocksOf(bytes);
  for (size_t length = 0; length < bytes.size(); ++length) {
    if (!share.Has(number++)) continue;
    JournalBytes files = whole;
    files[kFirstSegment].resize(length);
    Expected expected{.is_noticed = false};
    for (const PlainBlock& block : blocks) {
      if (block.begin >= length) break;
      // Of the blocks that are left, the last says most; one of which a part is there, all it can.
      if (length - block.begin >= kHeader) {
        for (const PlainBlock& other : blocks) {
          if (other.number <= block.durable_block) expected.durable = other.first_sequence - 1;
        }
      }
    }
    const std::string violation = CheckAfterDamage(files, log, expected, length % 8 == 0);
    if (!violation.empty()) return absl::StrCat("cut at ", length, ": ", violation);
  }
  return "";
}

// One page of a journal whose blocks take one page each becomes `page`.
std::string ReplacePage(const JournalBytes& whole, size_t at, const std::vector<std::byte>& page,
                        bool is_sealed) {
  JournalBytes files = whole;
  std::vector<std::byte>& bytes = files[kFirstSegment];
  if (std::equal(page.begin(), page.end(), bytes.begin() + static_cast<ptrdiff_t>(at))) return "";
  std::copy(page.begin(), page.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
  const std::vector<PlainBlock> blocks = BlocksOf(whole.at(kFirstSegment));
  const bool is_zero = page == std::vector<std::byte>(kPage);
  Expected expected{.is_noticed = !is_zero};
  for (const PlainBlock& block : blocks) {
    // Zeros in the place of the last block, when nothing vouches for it, are a shorter journal.
    const bool is_last = block.number == blocks.back().number;
    if (block.begin == at && !(is_zero && is_last)) {
      expected = WithoutBlock(blocks, block, is_sealed);
    }
  }
  return CheckAfterDamage(files, FirstOfSmallLog(kUnsealedRecords), expected);
}

std::string ReplaceEveryPage(const JournalBytes& whole, bool is_sealed, Share share,
                             uint64_t& number) {
  const std::vector<std::byte>& bytes = whole.at(kFirstSegment);
  engine::Prng prng(3);
  std::vector<std::vector<std::byte>> pages = {std::vector<std::byte>(kPage),
                                               std::vector<std::byte>(kPage)};
  for (std::byte& byte : pages.back()) byte = static_cast<std::byte>(prng.Below(256));
  for (size_t from = 0; from < bytes.size(); from += kPage) {
    pages.emplace_back(bytes.begin() + static_cast<ptrdiff_t>(from),
                       bytes.begin() + static_cast<ptrdiff_t>(from + kPage));
  }
  for (size_t at = 0; at < bytes.size(); at += kPage) {
    for (size_t i = 0; i < pages.size(); ++i) {
      if (!share.Has(number++)) continue;
      const std::string violation = ReplacePage(whole, at, pages[i], is_sealed);
      if (!violation.empty()) return absl::StrCat("page at ", at, " by page ", i, ": ", violation);
    }
  }
  return "";
}

// All that was promised before the last block was written stands in the log: without, nothing that
// is damaged could be told from what is torn.
std::string CheckVouching() {
  const std::pair<JournalBytes, uint64_t> journals[] = {{UnsealedJournal(), kUnsealedDurable},
                                                        {SealedJournal(), kUnsealedRecords},
                                                        {CompressedJournal(), kCompressedRecords}};
  for (const auto& [files, durable] : journals) {
    const uint64_t says = Verify(*MemoryDirectory::FromSnapshot(files))->durable_sequence.value();
    if (says != durable) {
      return absl::StrCat("(c) the log says that ", says, " was durable, and ", durable, " was");
    }
  }
  return "";
}

// The same journal, but for what its records say.
JournalBytes AnotherFuture() {
  MemoryDirectory directory;
  const auto writer =
      Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks()).value();
  for (OwnedRecord record : FirstOfSmallLog(kUnsealedRecords)) {
    record.row.payload[47] ^= std::byte{1};
    CHECK_OK(writer->Append(record.row, record.attachment));
  }
  CHECK_OK(writer->Write());
  return directory.Snapshot();
}

}  // namespace

std::string EveryCrash(Share share) {
  uint64_t number = 0;
  // The first writer's life; then of one that takes over what was closed, or was left by a kill.
  for (const int kind : {0, 1, 2}) {
    bool stopped = true;
    for (uint64_t call = 0; stopped; ++call) {
      MemoryDirectory directory;
      Submitted submitted{.log = SmallLog()};
      if (kind != 0) {
        LiveShortLife(directory, /*begins=*/true, /*closes=*/kind == 1, submitted);
        directory.Kill();
      }
      FaultyDirectory faulty(directory, {.failing_call = call, .stays_broken = true});
      LiveShortLife(faulty, /*begins=*/kind == 0, /*closes=*/true, submitted);
      stopped = faulty.has_failed();
      const std::string violation = EverySubset(directory, submitted, share, number);
      if (!violation.empty()) {
        return absl::StrCat("life ", kind, ", stopped at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string EveryFailingCall(Share share) {
  uint64_t number = 0;
  for (uint64_t kind = 0; kind < 64; ++kind) {
    bool failed = true;
    for (uint64_t call = 0; failed; ++call) {
      if (!share.Has(number++)) continue;
      const std::string violation = FailCall(call, FailingOf(kind), failed);
      if (!violation.empty()) {
        return absl::StrCat("kind ", kind, ", failing at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string EveryCrashOfRecovery(Share share) {
  uint64_t number = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    engine::Prng prng(seed);
    MemoryDirectory torn;
    Submitted submitted{.log = SmallLog()};
    LiveShortLife(torn, /*begins=*/true, /*closes=*/seed % 3 == 0, submitted);
    torn.Crash(prng);
    const JournalBytes files = torn.Snapshot();
    bool stopped = true;
    for (uint64_t call = 0; stopped; ++call) {
      if (!share.Has(number++)) continue;
      const auto directory = MemoryDirectory::FromSnapshot(files);
      FaultyDirectory faulty(*directory, {.failing_call = call, .stays_broken = true});
      Writer::Open(faulty, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks())
          .status()
          .IgnoreError();
      stopped = faulty.has_failed();
      directory->Crash(prng);
      Submitted here = submitted;
      const std::string violation = CheckAfterCrash(*directory, here, OnePageBlocks());
      if (!violation.empty()) {
        return absl::StrCat("seed ", seed, ", stopped at call ", call, ": ", violation);
      }
    }
  }
  return "";
}

std::string EveryBit(Share share) {
  uint64_t number = 0;
  const auto log = FirstOfSmallLog(kUnsealedRecords);
  std::string violation = FlipEveryBit(UnsealedJournal(), log, false, share, number);
  if (!violation.empty()) return absl::StrCat("unsealed, ", violation);
  violation = FlipEveryBit(SealedJournal(), log, true, share, number);
  if (!violation.empty()) return absl::StrCat("sealed, ", violation);
  violation =
      FlipEveryBit(CompressedJournal(), FirstOfSmallLog(kCompressedRecords), false, share, number);
  return violation.empty() ? "" : absl::StrCat("compressed, ", violation);
}

std::string EveryLength(Share share) {
  uint64_t number = 0;
  const auto log = FirstOfSmallLog(kUnsealedRecords);
  std::string violation = CutAtEveryLength(UnsealedJournal(), log, share, number);
  if (!violation.empty()) return absl::StrCat("unsealed, ", violation);
  violation = CutAtEveryLength(SealedJournal(), log, share, number);
  return violation.empty() ? "" : absl::StrCat("sealed, ", violation);
}

std::string EveryPage(Share share) {
  uint64_t number = 0;
  std::string violation = CheckVouching();
  if (!violation.empty()) return violation;
  violation = ReplaceEveryPage(UnsealedJournal(), false, share, number);
  if (!violation.empty()) return absl::StrCat("unsealed, ", violation);
  violation = ReplaceEveryPage(SealedJournal(), true, share, number);
  return violation.empty() ? "" : absl::StrCat("sealed, ", violation);
}

std::string WrongPlaces() {
  const JournalBytes other = AnotherFuture();
  for (const bool is_sealed : {false, true}) {
    const JournalBytes whole = is_sealed ? SealedJournal() : UnsealedJournal();
    for (const PlainBlock& block : BlocksOf(other.at(kFirstSegment))) {
      if (block.number == 1) continue;  // It follows nothing by which it could be told.
      const auto from = other.at(kFirstSegment).begin() + static_cast<ptrdiff_t>(block.begin);
      const std::string violation =
          ReplacePage(whole, block.begin, {from, from + kPage}, is_sealed);
      if (!violation.empty()) return absl::StrCat("block of another future: ", violation);
    }
  }
  // Neither the first, whose absence a reader sees by the first number, nor the last, without which
  // it is a shorter journal.
  const JournalBytes whole = ThreeSegments();
  const std::string second = std::next(whole.begin())->first;
  const Expected damaged{.verdict = &kDamaged, .is_refused = true};
  JournalBytes files = whole;
  files.erase(second);
  std::string violation = CheckAfterDamage(files, SmallLog(), damaged);
  if (!violation.empty()) return absl::StrCat("without ", second, ": ", violation);
  files[second] = other.at(kFirstSegment);
  violation = CheckAfterDamage(files, SmallLog(), damaged, /*also_open=*/false);
  return violation.empty() ? "" : absl::StrCat(second, " of another journal: ", violation);
}

}  // namespace journal
