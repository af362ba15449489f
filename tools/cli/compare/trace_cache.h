// A cache of trace vectors by log and build, so that the next bisect need not take them again.
//
//   FOLDER / <log digest>-<digest of the build> / checkpoints.trace
//                                               / states    some states within the log
//
// Everything in it is derived, and may be deleted at any time.

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

// Not thread-safe: owned by the verb.
class TraceCache {
 public:
  // Returns $XDG_CACHE_HOME/ticktape, or ~/.cache/ticktape; "" if neither variable is set.
  static std::string DefaultFolder();

  // If `folder` is empty, nothing is cached.
  explicit TraceCache(std::string folder) : folder_(std::move(folder)) {}

  // Returns the trace of the log that ends with record `last`; empty if it is not cached.
  std::vector<journal::Checkpoint> Find(const engine::Digest& log,
                                        const replay::SubjectIdentity& identity,
                                        engine::SequenceNumber last) const;

  // Errors: the storage's.
  absl::Status Keep(const engine::Digest& log, const replay::SubjectIdentity& identity,
                    const std::vector<journal::Checkpoint>& checkpoints) const;

  // Stores some of these states, at most 64 MiB.
  absl::Status KeepStates(const engine::Digest& log, const replay::SubjectIdentity& identity,
                          const std::vector<const replay::SavedState*>& states) const;
  // Returns the stored states, without those that cannot be read.
  std::vector<replay::SavedState> FindStates(const engine::Digest& log,
                                             const replay::SubjectIdentity& identity) const;

  const std::string& folder() const { return folder_; }

 private:
  std::string PathOf(const engine::Digest& log, const replay::SubjectIdentity& identity) const;

  const std::string folder_;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_TRACE_CACHE_H_
