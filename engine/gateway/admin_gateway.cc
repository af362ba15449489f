#include "engine/gateway/admin_gateway.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/constant_time.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/wire/text/reply.h"

namespace engine {
namespace {

// Of an error: it may quote a word of the line.
constexpr size_t kErrorBytesMax = 200;

bool IsPrintable(absl::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return absl::ascii_isprint(static_cast<unsigned char>(c)); });
}

// The command of a line. Errors: INVALID_ARGUMENT.
absl::StatusOr<ParsedCommand> Parse(const MessageText& text, const TextLine& line) {
  if (line.is_too_long) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected at most ", AdminGateway::kLineBytesMax, " bytes, found more"));
  }
  if (!IsPrintable(line.text)) {
    return absl::InvalidArgumentError("expected printable ASCII, found another byte");
  }
  absl::StatusOr<ParsedCommand> parsed = text.ParseCommand(line.text);
  if (parsed.ok() && parsed->command.sequence != SequenceNumber()) {
    return absl::InvalidArgumentError(
        "expected a command, found a sequence number and a time: the venue gives them");
  }
  return parsed;
}

void AppendOutcome(const Command& command, std::span<const Event> events, std::string& out) {
  const Event& last = events.back();
  if (last.kind == EventKind::kRejected) {
    absl::StrAppend(&out, "REFUSED @", command.sequence.value(), " ", NameOf(last.reject_reason()),
                    "\n");
  } else {
    absl::StrAppend(&out, "DONE @", command.sequence.value(), " events=", events.size(), "\n");
  }
}

}  // namespace

AdminGateway::AdminGateway(Venue& venue, MarketDirectory& markets, std::string token)
    : venue_(venue),
      number_(venue.Add(*this)),
      markets_(markets),
      text_(markets),
      token_(std::move(token)) {}

void AdminGateway::Close(SessionId id) {
  if (Find(id) != nullptr) sessions_.Remove(id);
}

absl::Status AdminGateway::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  if (session->is_over) return absl::OkStatus();
  session->lines.Feed(bytes);
  return TakeLines(*session);
}

bool AdminGateway::IsFull(const Session& session) {
  return !session.is_over &&
         (session.lines_of_turn >= kLinesOfTurn || session.replies.size_bytes() >= kReplyBytesMax);
}

bool AdminGateway::is_full(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && IsFull(*session);
}

absl::Status AdminGateway::Continue(SessionId id) {
  Session* const session = Find(id);
  return session == nullptr || session->is_over ? absl::OkStatus() : TakeLines(*session);
}

absl::Status AdminGateway::TakeLines(Session& session) {
  session.lines_of_turn = 0;
  TextLine line;
  absl::Status status;
  while (status.ok() && !session.is_over && !IsFull(session) && session.lines.Next(line)) {
    ++session.lines_of_turn;
    status = OnLine(session, line);
  }
  return status;
}

absl::Status AdminGateway::OnEnd(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return absl::OkStatus();
  TextLine line;
  absl::Status status;
  if (!session->is_over && session->lines.Finish(line)) status = OnLine(*session, line);
  if (!session->knows_token) session->is_over = true;
  MakeReady(*session);
  return status;
}

absl::Status AdminGateway::OnLine(Session& session, const TextLine& line) {
  if (!session.knows_token) {
    CheckToken(session, line);
    return absl::OkStatus();
  }
  const absl::string_view words = absl::StripLeadingAsciiWhitespace(line.text);
  if (!line.is_too_long && (words.empty() || words[0] == '#')) return absl::OkStatus();
  const absl::StatusOr<ParsedCommand> parsed = Parse(text_, line);
  if (parsed.ok()) return Submit(session, *parsed);
  Error(session, line.number, parsed.status().message());
  return absl::OkStatus();
}

void AdminGateway::CheckToken(Session& session, const TextLine& line) {
  absl::string_view token = line.text;
  session.knows_token =
      absl::ConsumePrefix(&token, "TOKEN ") && !token.empty() && EqualInConstantTime(token, token_);
  if (session.knows_token) {
    session.replies.text() += "OK\n";
  } else {
    AppendError(1, "token refused", session.replies.text());
    session.is_over = true;
  }
  session.replies.HoldUntil(SequenceNumber());  // It waits for nothing.
  MakeReady(session);
}

absl::Status AdminGateway::Submit(Session& session, const ParsedCommand& parsed) {
  being_defined_.reset();
  if (parsed.command.kind == CommandKind::kDefineMarket) {
    auto definition = DecodeMarketDefinition(parsed.attachment);
    if (definition.ok()) being_defined_ = *std::move(definition);
  }
  absl::Status sent = before_(parsed.command);
  if (sent.ok()) {
    sent = venue_
               .Submit(parsed.command, parsed.attachment,
                       {.gateway = number_,
                        .session = session.id.place,
                        .generation = session.id.generation,
                        .request = 0})
               .status();
  }
  // If this is the error that ended the journal, the program sees it there, and the reply never
  // leaves.
  if (!absl::IsResourceExhausted(sent)) return sent;
  session.replies.text() += "REFUSED disk_full\n";
  Answered(session);
  return absl::OkStatus();
}

void AdminGateway::Error(Session& session, uint64_t line, absl::string_view what) {
  const bool is_cut = what.size() > kErrorBytesMax;
  AppendError(line, absl::StrCat(what.substr(0, kErrorBytesMax), is_cut ? "..." : ""),
              session.replies.text());
  Answered(session);
}

void AdminGateway::Answered(Session& session) {
  session.replies.HoldUntil(venue_.last_applied());
  session.replies.Release(venue_.last_released());
  if (session.replies.has_held()) {
    held_.push_back({.sequence = venue_.last_applied(), .session = session.id});
  }
  MakeReady(session);
}

bool AdminGateway::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over;
}

bool AdminGateway::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->knows_token;
}

bool AdminGateway::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->replies.has_held();
}

void AdminGateway::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void AdminGateway::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void AdminGateway::TakeReady(
    absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  for (const SessionId id : std::exchange(ready_, {})) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    if (take(id, session->replies.released())) session->replies.ClearReleased();
  }
}

void AdminGateway::OnApplied(const Command& command, std::span<const Event> events,
                             const Origin& origin) {
  if (origin.gateway != number_) return;
  // Before the events become text, which uses the decimals of the market.
  if (being_defined_.has_value() && events.back().kind == EventKind::kMarketDefined) {
    markets_.Add(*std::exchange(being_defined_, std::nullopt));
  }
  Session* const asker = Find({origin.session, origin.generation});
  CHECK(asker != nullptr) << "session " << origin.session;
  std::string& out = asker->replies.text();
  for (const Event& event : events.first(std::min(events.size(), kEventsShownMax))) {
    absl::StrAppend(&out, text_.Format(event), "\n");
  }
  AppendOutcome(command, events, out);
  asker->replies.HoldUntil(command.sequence);
  held_.push_back({.sequence = command.sequence, .session = asker->id});
}

void AdminGateway::OnReleased(const Command& command, std::span<const Event>, const Origin&) {
  for (; !held_.empty() && held_.front().sequence <= command.sequence; held_.pop_front()) {
    Session* const session = Find(held_.front().session);
    if (session == nullptr) continue;
    session->replies.Release(command.sequence);
    MakeReady(*session);
  }
}

}  // namespace engine
