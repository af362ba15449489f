#include "journal/testing/memory_storage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "journal/storage/storage.h"

namespace journal {

struct MemoryDirectory::Node {
  std::vector<std::byte> current;
  std::vector<std::byte> synced;
  uint64_t synced_sectors_rewritten = 0;
};

struct MemoryDirectory::Shared {
  uint64_t generation = 0;  // Grows when the machine or the process stops.
  bool locked = false;
};

namespace {

using Node = MemoryDirectory::Node;
using Shared = MemoryDirectory::Shared;

using Sector = std::array<std::byte, kSectorBytes>;

// Those of `bytes` in the sector, with zeros where the file has ended.
Sector SectorOf(const std::vector<std::byte>& bytes, size_t offset) {
  Sector sector = {};
  if (offset < bytes.size()) {
    std::memcpy(sector.data(), bytes.data() + offset,
                std::min(kSectorBytes, bytes.size() - offset));
  }
  return sector;
}

bool IsSame(const Sector& a, const Sector& b) {
  return std::memcmp(a.data(), b.data(), kSectorBytes) == 0;
}

void CrashFile(Node& node, engine::Prng& prng) {
  const size_t low = std::min(node.current.size(), node.synced.size());
  const size_t high = std::max(node.current.size(), node.synced.size());
  size_t length = prng.Chance(50) ? node.current.size() : node.synced.size();
  if (prng.Chance(30)) length = low + prng.Below(high - low + 1);
  std::vector<std::byte> after(length);
  for (size_t offset = 0; offset < length; offset += kSectorBytes) {
    const Sector old_sector = SectorOf(node.synced, offset);
    Sector sector = SectorOf(node.current, offset);
    if (!IsSame(sector, old_sector)) {
      const uint64_t fate = prng.Below(8);
      const size_t cut = fate == 0 ? prng.Below(kSectorBytes) : fate < 4 ? 0 : kSectorBytes;
      std::memcpy(sector.data() + cut, old_sector.data() + cut, kSectorBytes - cut);
    }
    std::memcpy(after.data() + offset, sector.data(), std::min(kSectorBytes, length - offset));
  }
  node.current = after;
  node.synced = std::move(after);
}

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
    CountRewrites(offset, bytes.size());
    if (node_->current.size() < offset + bytes.size()) node_->current.resize(offset + bytes.size());
    if (!bytes.empty()) std::memcpy(node_->current.data() + offset, bytes.data(), bytes.size());
    return absl::OkStatus();
  }

  absl::Status Sync() override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    node_->synced = node_->current;
    return absl::OkStatus();
  }

  absl::Status Truncate(uint64_t bytes) override {
    if (absl::Status status = CheckAlive(); !status.ok()) return status;
    CHECK(writable_);
    node_->current.resize(bytes);
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

  void CountRewrites(uint64_t offset, size_t bytes) {
    for (uint64_t at = offset / kSectorBytes * kSectorBytes; at < offset + bytes;
         at += kSectorBytes) {
      if (!IsSame(SectorOf(node_->synced, at), {})) ++node_->synced_sectors_rewritten;
    }
  }

  const std::shared_ptr<Node> node_;
  const std::shared_ptr<Shared> shared_;
  const uint64_t generation_;
  const bool writable_;
};

class MemoryLock final : public DirectoryLock {
 public:
  explicit MemoryLock(std::shared_ptr<Shared> shared)
      : shared_(std::move(shared)), generation_(shared_->generation) {
    shared_->locked = true;
  }
  ~MemoryLock() override {
    if (generation_ == shared_->generation) shared_->locked = false;
  }

 private:
  const std::shared_ptr<Shared> shared_;
  const uint64_t generation_;
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
  return std::make_unique<MemoryFile>(entry->second, shared_, /*writable=*/true);
}

absl::Status MemoryDirectory::Rename(absl::string_view from, absl::string_view to) {
  std::shared_ptr<Node> node = Find(from);
  if (node == nullptr) return absl::NotFoundError(absl::StrCat("rename memory/", from));
  live_.erase(std::string(from));
  live_[std::string(to)] = std::move(node);
  return absl::OkStatus();
}

absl::Status MemoryDirectory::Remove(absl::string_view name) {
  if (live_.erase(std::string(name)) == 0) {
    return absl::NotFoundError(absl::StrCat("remove memory/", name));
  }
  return absl::OkStatus();
}

absl::Status MemoryDirectory::Sync() {
  durable_ = live_;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<DirectoryLock>> MemoryDirectory::Lock() {
  if (shared_->locked) return absl::UnavailableError("memory: another writer holds the lock");
  return std::make_unique<MemoryLock>(shared_);
}

void MemoryDirectory::Crash(engine::Prng& prng) {
  Kill();
  auto after = durable_;
  for (const auto& [name, node] : durable_) {
    if (Find(name) != node && prng.Chance(50)) after.erase(name);
  }
  for (const auto& [name, node] : live_) {
    const auto was = durable_.find(name);
    if ((was == durable_.end() || was->second != node) && prng.Chance(50)) after[name] = node;
  }
  for (const auto& [name, node] : after) CrashFile(*node, prng);
  live_ = durable_ = std::move(after);
}

void MemoryDirectory::CrashDroppingAll() {
  Kill();
  live_ = durable_;
  for (const auto& [name, node] : live_) node->current = node->synced;
}

void MemoryDirectory::Kill() {
  ++shared_->generation;
  shared_->locked = false;
}

void MemoryDirectory::DropUnsynced(absl::string_view name) {
  const std::shared_ptr<Node> node = Find(name);
  if (node != nullptr) node->current = node->synced;
}

std::vector<std::byte> MemoryDirectory::Contents(absl::string_view name) const {
  const std::shared_ptr<Node> node = Find(name);
  CHECK(node != nullptr) << name;
  return node->current;
}

void MemoryDirectory::SetContents(absl::string_view name, std::vector<std::byte> bytes) {
  auto& node = live_[std::string(name)];
  if (node == nullptr) node = std::make_shared<Node>();
  durable_[std::string(name)] = node;
  node->current = bytes;
  node->synced = std::move(bytes);
}

std::map<std::string, std::vector<std::byte>> MemoryDirectory::Snapshot() const {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& [name, node] : live_) files[name] = node->current;
  return files;
}

std::unique_ptr<MemoryDirectory> MemoryDirectory::FromSnapshot(
    const std::map<std::string, std::vector<std::byte>>& files) {
  auto directory = std::make_unique<MemoryDirectory>();
  for (const auto& [name, bytes] : files) directory->SetContents(name, bytes);
  return directory;
}

uint64_t MemoryDirectory::synced_sectors_rewritten(absl::string_view name) const {
  const std::shared_ptr<Node> node = Find(name);
  return node == nullptr ? 0 : node->synced_sectors_rewritten;
}

}  // namespace journal
