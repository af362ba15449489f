#include "tools/cli/compare/trace_cache.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/storage/posix_storage.h"
#include "replay/compare/event_stream.h"
#include "tools/os/output.h"

namespace tools {
namespace {

constexpr char kStatesName[] = "/states";
constexpr size_t kStatesBytesMax = size_t{64} << 20;

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
                                                  const replay::SubjectIdentity& identity,
                                                  engine::SequenceNumber last) const {
  if (folder_.empty()) return {};
  const auto directory =
      journal::OpenPosixDirectory(PathOf(log, identity), journal::DirectoryMode::kReadOnly);
  if (!directory.ok()) return {};
  auto checkpoints = journal::ReadSidecar(**directory, UuidOf(log, identity), last);
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

absl::Status TraceCache::KeepStates(const engine::Digest& log,
                                    const replay::SubjectIdentity& identity,
                                    const std::vector<const replay::SavedState*>& states) const {
  if (folder_.empty() || states.empty()) return absl::OkStatus();
  size_t size = 0;
  for (const replay::SavedState* state : states) {
    for (const std::vector<std::byte>& part : state->parts) size += part.size();
  }
  ASSIGN_OR_RETURN(const auto file,
                   Output::Create(PathOf(log, identity) + kStatesName, /*replace=*/true));
  // Evenly spaced states within the size limit, including the newest.
  const size_t stride = size / kStatesBytesMax + 1;
  for (size_t i = (states.size() - 1) % stride; i < states.size(); i += stride) {
    const std::vector<std::byte> bytes = replay::Encode(*states[i]);
    std::byte length[sizeof(uint64_t)];
    engine::StoreLittleEndian(static_cast<uint64_t>(bytes.size()), length);
    file->Write(engine::AsText(length));
    file->Write(engine::AsText(bytes));
  }
  return file->Finish();
}

std::vector<replay::SavedState> TraceCache::FindStates(
    const engine::Digest& log, const replay::SubjectIdentity& identity) const {
  std::vector<replay::SavedState> states;
  if (folder_.empty()) return states;
  std::ifstream file(PathOf(log, identity) + kStatesName, std::ios::binary);
  const std::string contents{std::istreambuf_iterator<char>(file), {}};
  engine::Bytes rest = engine::AsBytes(contents);
  while (rest.size() >= sizeof(uint64_t)) {
    const uint64_t length = engine::LoadLittleEndian<uint64_t>(rest.data());
    rest = rest.subspan(sizeof(uint64_t));
    if (length > rest.size()) break;
    absl::StatusOr<replay::SavedState> state = replay::DecodeState(rest.first(length));
    if (!state.ok()) break;
    states.push_back(*std::move(state));
    rest = rest.subspan(length);
  }
  return states;
}

}  // namespace tools
