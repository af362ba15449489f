// Trace vectors that were taken before: of a log, by a build. The next bisect is then free.
//
//   FOLDER / <log digest>-<digest of the build> / checkpoints.trace
//                                               / states    some that it was in on the way
//
// Derived, and may be deleted at any time.

#ifndef TOOLS_CLI_COMPARE_TRACE_CACHE_H_
#define TOOLS_CLI_COMPARE_TRACE_CACHE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/uuid.h"
#include "replay/compare/subject.h"

namespace tools {

class TraceCache {
 public:
  // $XDG_CACHE_HOME/ticktape, or ~/.cache/ticktape; empty where there is neither.
  static std::string DefaultFolder();

  // An empty folder caches nothing.
  explicit TraceCache(std::string folder) : folder_(std::move(folder)) {}

  // Of a log with the last record `last`; empty where there is none.
  std::vector<journal::Checkpoint> Find(const engine::Digest& log,
                                        const replay::SubjectIdentity& identity,
                                        engine::SequenceNumber last) const;

  // Errors: the storage's.
  absl::Status Keep(const engine::Digest& log, const replay::SubjectIdentity& identity,
                    const std::vector<journal::Checkpoint>& checkpoints) const;

  // Some of these states, at most 64 MiB; and those that were kept. What cannot be read is not
  // there.
  absl::Status KeepStates(const engine::Digest& log, const replay::SubjectIdentity& identity,
                          const std::vector<const replay::SavedState*>& states) const;
  std::vector<replay::SavedState> FindStates(const engine::Digest& log,
                                             const replay::SubjectIdentity& identity) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(const engine::Digest& log, const replay::SubjectIdentity& identity) const;

  const std::string folder_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_TRACE_CACHE_H_
