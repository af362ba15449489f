#include "engine/differential/differential.h"

#include <algorithm>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/differential/random_commands.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "engine/reference/reference_exchange.h"
#include "engine/types/ids.h"
#include "engine/types/order_flags.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

std::string EventsText(std::span<const Event> events, const MarketDirectory& markets) {
  const MessageText text(markets);
  std::string lines;
  for (const Event& event : events) absl::StrAppend(&lines, "    ", text.Format(event), "\n");
  return lines;
}

// The reference and the candidate, which apply each command one after the other.
class Pair {
 public:
  Pair(Candidate& candidate, const CompareOptions& options)
      : candidate_(candidate), options_(options) {}

  // Returns the difference that this command makes, if any.
  std::optional<Divergence> Apply(const SessionCommand& next) {
    const size_t index = count_++;
    reference_.Apply(next.command, next.attachment, expected_);
    candidate_.Apply(next.command, next.attachment, actual_);
    if (!std::ranges::equal(expected_.events(), actual_.events())) {
      return Divergence{
          index, absl::StrCat("  reference\n", EventsText(expected_.events(), reference_.markets()),
                              "  candidate\n", EventsText(actual_.events(), reference_.markets()))};
    }
    if (count_ % options_.digest_every == 0) {
      if (auto divergence = CompareState()) return divergence;
    }
    if (count_ % options_.invariants_every == 0) {
      reference_.CheckInvariants();
      candidate_.CheckInvariants();
    }
    return std::nullopt;
  }

  std::optional<Divergence> CompareState() const {
    const Digest expected = reference_.StateDigest();
    const Digest actual = candidate_.StateDigest();
    if (expected == actual) return std::nullopt;
    return Divergence{count_ - 1, absl::StrCat("  state digests: reference ", expected.ToString(),
                                               ", candidate ", actual.ToString(), "\n")};
  }

  const ReferenceExchange& reference() const { return reference_; }

 private:
  Candidate& candidate_;
  const CompareOptions options_;
  ReferenceExchange reference_;
  EventBuffer expected_;
  EventBuffer actual_;
  size_t count_ = 0;
};

// 2026-01-01T00:00:00Z.
constexpr int64_t kTranscriptsBegin = int64_t{1'767'225'600} * 1'000'000'000;

// `session`, moved in time to begin when transcripts do. Unchanged if it begins later.
Session MovedToTranscriptTime(Session session) {
  const int64_t later = kTranscriptsBegin - session.front().command.timestamp.nanos();
  if (later <= 0) return session;
  for (SessionCommand& next : session) {
    Command& command = next.command;
    const int64_t expires_at = command.expires_at().nanos();
    const bool expires =
        command.kind == CommandKind::kNewOrder && command.tif == TimeInForce::kGoodTillTime;
    if (expires && expires_at >= 0 && expires_at <= kTranscriptsBegin) {
      command.set_expires_at(Timestamp::FromNanos(expires_at + later));
    }
    command.timestamp = Timestamp::FromNanos(command.timestamp.nanos() + later);
  }
  return session;
}

// `session` without `count` commands from `first` on. Order ids are adapted, so that the remaining
// commands name the same orders; the id of a removed replacement becomes that of the order which it
// replaced.
Session Without(const Session& session, size_t first, size_t count) {
  const auto is_gone = [&](uint64_t id) { return id > first && id <= first + count; };
  Session rest;
  rest.reserve(session.size());
  for (size_t i = 0; i < session.size(); ++i) {
    if (is_gone(i + 1)) continue;
    SessionCommand& kept = rest.emplace_back(session[i]);
    kept.command.sequence = SequenceNumber(rest.size());
    if (!NamesAnOrder(kept.command.kind)) continue;
    // An id is the position, from 1, of the command that made the order.
    uint64_t id = kept.command.order_id.value();
    while (is_gone(id)) {
      const Command& maker = session[id - 1].command;
      const bool goes_on = maker.kind == CommandKind::kReplace && maker.order_id.value() < id;
      id = goes_on ? maker.order_id.value() : 0;
    }
    kept.command.order_id = OrderId(id > first + count ? id - count : id);
  }
  return rest;
}

// Makes command `i` of `session` simpler in one of kSimplifications ways.
constexpr int kSimplifications = 3;
void Simplify(Session& session, size_t i, int way) {
  Command& command = session[i].command;
  if (way == 0) command.flags = OrderFlags();
  if (way == 1) command.set_group(GroupId());
  if (way == 2 && i > 0) command.timestamp = session[i - 1].command.timestamp;
}

}  // namespace

std::optional<Divergence> Compare(const Session& session, Candidate& candidate,
                                  const CompareOptions& options) {
  Pair pair(candidate, options);
  for (const SessionCommand& next : session) {
    if (auto divergence = pair.Apply(next)) return divergence;
  }
  return session.empty() ? std::nullopt : pair.CompareState();
}

RandomRun CompareRandom(uint64_t seed, size_t length, Candidate& candidate,
                        const CompareOptions& options) {
  RandomRun run;
  RandomCommands commands(seed);
  Pair pair(candidate, options);
  while (run.session.size() < length) {
    run.session.push_back(commands.Next(pair.reference()));
    run.divergence = pair.Apply(run.session.back());
    if (run.divergence.has_value()) return run;
  }
  run.divergence = pair.CompareState();
  return run;
}

Session Shrink(Session session, const CandidateFactory& make_candidate) {
  const auto divergence_of = [&](const Session& tried) {
    const std::unique_ptr<Candidate> candidate = make_candidate();
    // A broken invariant would end the process before the divergence is found.
    const CompareOptions options = {.invariants_every = static_cast<size_t>(-1)};
    return Compare(tried, *candidate, options);
  };
  if (Session moved = MovedToTranscriptTime(session); divergence_of(moved).has_value()) {
    session = std::move(moved);
  }
  for (size_t count = std::max<size_t>(session.size() / 2, 1); count > 0;) {
    if (const auto divergence = divergence_of(session)) session.resize(divergence->index + 1);
    bool any_went = false;
    for (size_t end = session.size(); end >= count; end -= std::min(end, count)) {
      const Session tried = Without(session, end - count, count);
      if (!divergence_of(tried).has_value()) continue;
      session = tried;
      any_went = true;
    }
    if (count == 1 && any_went) continue;
    count /= 2;
  }
  for (size_t i = 0; i < session.size(); ++i) {
    for (int way = 0; way < kSimplifications; ++way) {
      Session simpler = session;
      Simplify(simpler, i, way);
      if (divergence_of(simpler).has_value()) session = std::move(simpler);
    }
  }
  return session;
}

std::string ToTranscript(absl::string_view title, const Session& session) {
  MarketDirectory markets;
  const MessageText text(markets);
  std::string lines = absl::StrCat("# ", title, "\n\n");
  Timestamp now = Timestamp::FromNanos(kTranscriptsBegin);
  for (const SessionCommand& next : session) {
    if (next.command.timestamp != now) {
      now = next.command.timestamp;
      absl::StrAppend(&lines, "at ", now.ToString(), "\n");
    }
    Command command = next.command;  // A transcript numbers its commands itself.
    command.sequence = SequenceNumber();
    absl::StrAppend(&lines, text.Format(command, next.attachment), "\n");
    if (command.kind != CommandKind::kDefineMarket) continue;
    auto definition = DecodeMarketDefinition(next.attachment);
    if (definition.ok() && definition->id == command.market) markets.Add(*std::move(definition));
  }
  return lines;
}

}  // namespace engine
