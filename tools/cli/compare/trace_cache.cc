#include "tools/cli/compare/trace_cache.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"

namespace tools {
namespace {

engine::Digest DigestOfIdentity(const replay::SubjectIdentity& identity) {
  const std::string text =
      absl::StrCat(identity.name, "\n", identity.build_id, "\n", identity.semantics_version);
  return engine::DigestOf(engine::AsBytes(text));
}

journal::Uuid UuidOf(const engine::Digest& log, const replay::SubjectIdentity& identity) {
  return journal::Uuid::FromWords(log.low, DigestOfIdentity(identity).low);
}

}  // namespace

std::string TraceCache::DefaultFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0') {
    return absl::StrCat(cache, "/ticktape");
  }
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : absl::StrCat(home, "/.cache/ticktape");
}

std::string TraceCache::PathOf(const engine::Digest& log,
                               const replay::SubjectIdentity& identity) const {
  return absl::StrCat(folder_, "/", log.ToString(), "-", DigestOfIdentity(identity).ToString());
}

std::vector<journal::Checkpoint> TraceCache::Find(const engine::Digest& log,
                                                  const replay::SubjectIdentity& identity) const {
  if (folder_.empty()) return {};
  const auto directory =
      journal::OpenPosixDirectory(PathOf(log, identity), journal::DirectoryMode::kReadOnly);
  if (!directory.ok()) return {};
  auto checkpoints = journal::ReadSidecar(**directory, UuidOf(log, identity));
  if (!checkpoints.ok()) return {};
  return *std::move(checkpoints);
}

absl::Status TraceCache::Keep(const engine::Digest& log, const replay::SubjectIdentity& identity,
                              const std::vector<journal::Checkpoint>& checkpoints) const {
  if (folder_.empty()) return absl::OkStatus();
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) return absl::UnavailableError(absl::StrCat(folder_, ": ", error.message()));
  std::filesystem::remove_all(PathOf(log, identity), error);
  ASSIGN_OR_RETURN(
      const auto directory,
      journal::OpenPosixDirectory(PathOf(log, identity), journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(const auto sidecar,
                   journal::SidecarWriter::Create(*directory, UuidOf(log, identity)));
  for (const journal::Checkpoint& checkpoint : checkpoints) {
    RETURN_IF_ERROR(sidecar->Append(checkpoint));
  }
  return sidecar->Close();
}

}  // namespace tools
