// Compares two exchanges that get the same commands: they must emit the same events and be in the
// same state.
//
//   seed ─► RandomCommands ─► ReferenceExchange ─┐
//                  └────────► Candidate ─────────┴─► equal? ──no──► Divergence ─► Shrink ─► text

#ifndef ENGINE_DIFFERENTIAL_DIFFERENTIAL_H_
#define ENGINE_DIFFERENTIAL_DIFFERENTIAL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"

namespace engine {

// An engine that is compared with the reference.
class Candidate {
 public:
  virtual ~Candidate() = default;
  virtual void Apply(const Command& command, Bytes attachment, EventBuffer& events) = 0;
  virtual Digest StateDigest() const = 0;
  virtual void CheckInvariants() const = 0;
};

template <typename Engine>
class CandidateOf final : public Candidate {
 public:
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) override {
    engine_.Apply(command, attachment, events);
  }
  Digest StateDigest() const override { return engine_.StateDigest(); }
  void CheckInvariants() const override { engine_.CheckInvariants(); }

 private:
  Engine engine_;
};

using CandidateFactory = std::function<std::unique_ptr<Candidate>()>;

struct Divergence {
  size_t index = 0;  // Of the command in the session.
  std::string what;  // The events or digests that differ.
};

struct CompareOptions {
  size_t digest_every = 1;      // Compares state digests every so many commands, and at the end.
  size_t invariants_every = 1;  // Checks the invariants of both every so many commands.
};

// Returns the first difference, if there is one. A broken invariant ends the process (CHECK).
std::optional<Divergence> Compare(const Session& session, Candidate& candidate,
                                  const CompareOptions& options = {});

struct RandomRun {
  Session session;  // Up to and including the command of the first difference.
  std::optional<Divergence> divergence;
};
// Makes a session of `length` commands and compares after each; ends at the first difference.
RandomRun CompareRandom(uint64_t seed, size_t length, Candidate& candidate,
                        const CompareOptions& options = {});

// Returns a session that also diverges, but no longer does if any one of its commands is removed.
// REQUIRES: `session` diverges.
Session Shrink(Session session, const CandidateFactory& make_candidate);

// The session as a transcript (testdata/transcripts/README.md) without its answers. It can be run
// as one if the session does not begin before transcripts do.
std::string ToTranscript(absl::string_view title, const Session& session);

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_DIFFERENTIAL_H_
