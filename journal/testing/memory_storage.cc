#include "journal/testing/memory_storage.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "journal/testing/tear_model.h"

namespace journal {

struct MemoryDirectory::Node : UnsyncedFile {
  std::vector<uint64_t> rewritten;  // Offsets of sectors that had been synced.

  // Reads return what is on the disk.
  void SetBoth(std::vector<std::byte> bytes) {
    current = synced = std::move(bytes);
    between.clear();
    lost.clear();
    length_lost = false;
  }
};

struct MemoryDirectory::Shared {
  uint64_t generation = 0;  // Grows when the machine or the process stops.
  bool locked = false;
  bool keeps_cache = false;
  bool locked_for_maintenance = false;
  uint64_t changes_without_lock = 0;

  void NoteChange() {
    if (!locked && !locked_for_maintenance) ++changes_without_lock;
  }
};

namespace {

using Node = MemoryDirectory::Node;
using Shared = MemoryDirectory::Shared;

class MemoryFile final : public File {
 public:
  MemoryFile(std::shared_ptr<Node> node, std::shared_ptr<Shared> shared, bool writable)
      : node_(std::move(node)),
        shared_(std::move(shared)),
        generation_(shared_->generation),
        writable_(writable) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    if (offset >= node_->current.size()) return size_t{0};
    const size_t bytes = std::min<size_t>(into.size(), node_->current.size() - offset);
    if (bytes != 0) std::memcpy(into.data(), node_->current.data() + offset, bytes);
    return bytes;
  }

  absl::Status Write(uint64_t offset, engine::Bytes bytes) override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    CHECK(writable_);
    shared_->NoteChange();
    NoteRewrites(offset, bytes.size());
    if (node_->current.size() < offset + bytes.size()) {
      node_->current.resize(offset + bytes.size());
      node_->length_lost = false;
    }
    if (!bytes.empty()) std::memcpy(node_->current.data() + offset, bytes.data(), bytes.size());
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    SyncFile(*node_);
    return absl::OkStatus();
  }

  bool DropCache() override {
    if (!CheckAlive().ok() || shared_->keeps_cache) return false;
    DropCleanPages(*node_);
    return UnsyncedSectors(*node_).empty();
  }

  absl::Status Truncate(uint64_t bytes) override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    CHECK(writable_);
    shared_->NoteChange();
    if (node_->current.size() != bytes) node_->length_lost = false;
    node_->current.resize(bytes);
    node_->lost.erase(node_->lost.lower_bound(bytes), node_->lost.end());
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> Size() const override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    return node_->current.size();
  }

  absl::Status Close() override { return CheckAlive(); }

 private:
  absl::Status CheckAlive() const {
    if (generation_ == shared_->generation) return absl::OkStatus();
    return absl::UnavailableError("file of before a crash");
  }

  void NoteRewrites(uint64_t offset, size_t bytes) {
    constexpr Sector kZeros = {};
    for (uint64_t at = offset / kSectorBytes * kSectorBytes; at < offset + bytes;
         at += kSectorBytes) {
      const Sector synced = SectorOf(node_->synced, at);
      if (synced != kZeros) node_->rewritten.push_back(at);
      const Sector before = SectorOf(node_->current, at);
      const bool was_lost = node_->lost.erase(at) != 0;
      if (before != synced && !was_lost) node_->between[at].push_back(before);
    }
  }

  const std::shared_ptr<Node> node_;
  const std::shared_ptr<Shared> shared_;
  const uint64_t generation_;
  const bool writable_;
};

class MemoryLock final : public DirectoryLock {
 public:
  MemoryLock(std::shared_ptr<Shared> shared, bool Shared::*locked)
      : shared_(std::move(shared)), generation_(shared_->generation), locked_(locked) {
    (*shared_).*locked_ = true;
  }
  ~MemoryLock() override {
    if (generation_ == shared_->generation) (*shared_).*locked_ = false;
  }

 private:
  const std::shared_ptr<Shared> shared_;
  const uint64_t generation_;
  bool Shared::*const locked_;
};

}  // namespace

MemoryDirectory::MemoryDirectory() : shared_(std::make_shared<Shared>()) {}

MemoryDirectory::~MemoryDirectory() = default;

std::shared_ptr<Node> MemoryDirectory::Find(absl::string_view name) const {
  const auto found = live_.find(std::string(name));
  return found == live_.end() ? nullptr : found->second;
}

absl::StatusOr<std::vector<std::string>> MemoryDirectory::List() const {
  std::vector<std::string> names;
  for (const auto& [name, node] : live_) names.push_back(name);
  return names;
}

absl::StatusOr<std::unique_ptr<File>> MemoryDirectory::OpenForRead(absl::string_view name) const {
  std::shared_ptr<Node> node = Find(name);
  if (node == nullptr) return absl::NotFoundError(absl::StrCat("open memory/", name));
  return std::make_unique<MemoryFile>(std::move(node), shared_, /*writable=*/false);
}

absl::StatusOr<std::unique_ptr<File>> MemoryDirectory::OpenForWrite(absl::string_view name) {
  std::shared_ptr<Node> node = Find(name);
  if (node == nullptr) return absl::NotFoundError(absl::StrCat("open memory/", name));
  return std::make_unique<MemoryFile>(std::move(node), shared_, /*writable=*/true);
}

absl::StatusOr<std::unique_ptr<File>> MemoryDirectory::Create(absl::string_view name) {
  const auto [entry, created] = live_.try_emplace(std::string(name), std::make_shared<Node>());
  if (!created) return absl::AlreadyExistsError(absl::StrCat("open memory/", name));
  shared_->NoteChange();
  return std::make_unique<MemoryFile>(entry->second, shared_, /*writable=*/true);
}

absl::Status MemoryDirectory::Rename(absl::string_view from, absl::string_view to) {
  if (Find(to) != nullptr) return absl::AlreadyExistsError(absl::StrCat("rename memory/", to));
  return Replace(from, to);
}

absl::Status MemoryDirectory::Replace(absl::string_view from, absl::string_view to) {
  std::shared_ptr<Node> node = Find(from);
  if (node == nullptr) return absl::NotFoundError(absl::StrCat("rename memory/", from));
  shared_->NoteChange();
  live_.erase(std::string(from));
  if (Find(to) != nullptr) replaced_.insert(std::string(to));
  live_[std::string(to)] = std::move(node);
  return absl::OkStatus();
}

absl::Status MemoryDirectory::Remove(absl::string_view name) {
  replaced_.erase(std::string(name));
  if (live_.erase(std::string(name)) == 0) {
    return absl::NotFoundError(absl::StrCat("remove memory/", name));
  }
  shared_->NoteChange();
  return absl::OkStatus();
}

absl::Status MemoryDirectory::Sync() {
  durable_ = live_;
  replaced_.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> MemoryDirectory::Lock() {
  if (shared_->locked) return absl::UnavailableError("memory: another writer holds the lock");
  return std::make_unique<MemoryLock>(shared_, &Shared::locked);
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> MemoryDirectory::LockForMaintenance() {
  if (shared_->locked_for_maintenance) {
    return absl::UnavailableError("memory: another program holds the maintenance lock");
  }
  return std::make_unique<MemoryLock>(shared_, &Shared::locked_for_maintenance);
}

void MemoryDirectory::Crash(engine::Prng& prng) {
  Kill();
  auto after = durable_;
  for (const auto& [name, node] : durable_) {
    if (Find(name) != node && !replaced_.contains(name) && prng.Chance(50)) after.erase(name);
  }
  for (const auto& [name, node] : live_) {
    const auto was = durable_.find(name);
    if ((was == durable_.end() || was->second != node) && prng.Chance(50)) after[name] = node;
  }
  for (const auto& [name, node] : after) {
    node->SetBoth(Tear(*node, prng));
  }
  live_ = durable_ = std::move(after);
  replaced_.clear();
}

void MemoryDirectory::CrashDroppingAll() {
  Kill();
  live_ = durable_;
  replaced_.clear();
  for (const auto& [name, node] : live_) node->SetBoth(node->synced);
}

void MemoryDirectory::Kill() {
  ++shared_->generation;
  shared_->locked = shared_->locked_for_maintenance = false;
}

void MemoryDirectory::FailSync(absl::string_view name, engine::Prng& prng) {
  const std::shared_ptr<Node> node = Find(name);
  if (node != nullptr) FailSyncOfFile(*node, prng);
}

void MemoryDirectory::SetKeepsCache(bool keeps_cache) { shared_->keeps_cache = keeps_cache; }

std::vector<std::byte> MemoryDirectory::Contents(absl::string_view name) const {
  const std::shared_ptr<Node> node = Find(name);
  CHECK(node != nullptr) << name;
  return node->current;
}

void MemoryDirectory::SetContents(absl::string_view name, std::vector<std::byte> bytes) {
  auto& node = live_[std::string(name)];
  if (node == nullptr) node = std::make_shared<Node>();
  durable_[std::string(name)] = node;
  node->SetBoth(std::move(bytes));
}

std::vector<UnsyncedPiece> MemoryDirectory::Unsynced() const {
  std::vector<UnsyncedPiece> pieces;
  for (const auto& [name, node] : live_) {
    for (const size_t offset : UnsyncedSectors(*node)) pieces.push_back({name, offset});
  }
  return pieces;
}

std::map<std::string, std::vector<std::byte>> MemoryDirectory::AfterCrash(
    const CrashChoice& choice) const {
  std::map<std::string, std::vector<std::byte>> files;
  // The bits of all live files are concatenated in the order of their names.
  std::map<const Node*, uint64_t> written;
  unsigned bit = 0;
  for (const auto& [name, node] : live_) {
    const size_t sectors = UnsyncedSectors(*node).size();
    CHECK(sectors < 64);
    written[node.get()] = bit < 64 ? choice.sectors >> bit & ((uint64_t{1} << sectors) - 1) : 0;
    bit += static_cast<unsigned>(sectors);
  }
  for (const auto& [name, node] : choice.names ? live_ : durable_) {
    const uint64_t sectors = written.contains(node.get()) ? written[node.get()] : 0;
    const size_t length = choice.lengths ? node->current.size() : node->synced.size();
    files[name] = TearExactly(*node, sectors, length);
  }
  return files;
}

std::map<std::string, std::vector<std::byte>> MemoryDirectory::Snapshot() const {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& [name, node] : live_) files[name] = node->current;
  return files;
}

std::map<std::string, std::vector<std::byte>> MemoryDirectory::SnapshotOfDisk() const {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& [name, node] : live_) {
    UnsyncedFile file = *node;
    if (!shared_->keeps_cache) DropCleanPages(file);
    files[name] = std::move(file.current);
  }
  return files;
}

std::unique_ptr<MemoryDirectory> MemoryDirectory::FromSnapshot(
    const std::map<std::string, std::vector<std::byte>>& files) {
  auto directory = std::make_unique<MemoryDirectory>();
  for (const auto& [name, bytes] : files) directory->SetContents(name, bytes);
  return directory;
}

uint64_t MemoryDirectory::changes_without_lock() const { return shared_->changes_without_lock; }

uint64_t MemoryDirectory::synced_sectors_rewritten(absl::string_view name, uint64_t from) const {
  const std::shared_ptr<Node> node = Find(name);
  if (node == nullptr) return 0;
  return static_cast<uint64_t>(std::count_if(node->rewritten.begin(), node->rewritten.end(),
                                             [from](uint64_t at) { return at >= from; }));
}

}  // namespace journal
