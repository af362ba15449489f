#include "tools/serve/conversation_replay.h"

#include <algorithm>
#include <bit>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace tools {

using engine::SequenceNumber;
using engine::TalkKind;
using engine::TalkRow;

namespace {

// What is quoted of a request or a reply.
constexpr size_t kQuotedMax = 300;

constexpr size_t kConfigurationBytesMax = size_t{16} << 20;

std::string Quoted(absl::string_view text) {
  const bool is_cut = text.size() > kQuotedMax;
  return absl::StrCat("\"", absl::CEscape(text.substr(0, kQuotedMax)), is_cut ? "\"..." : "\"");
}

uint64_t HashOf(engine::Bytes bytes) { return engine::DigestOf(bytes).low; }

std::string Words(uint64_t length, uint64_t hash) {
  return absl::StrCat(length, length == 1 ? " byte" : " bytes", ", hash ",
                      absl::Hex(hash, absl::kZeroPad16));
}

std::string Words(const TalkRow& row, engine::Bytes bytes) {
  const std::string words = Words(row.length, row.hash);
  return bytes.empty() ? words : absl::StrCat(words, ", ", Quoted(engine::AsText(bytes)));
}

std::string Words(const engine::Command& command) {
  return absl::StrCat(engine::NameOf(command.kind), " account=", command.account.value(),
                      " client_order=", command.client_order_id.value(),
                      " order=", command.order_id.value(), " market=", command.market.value(),
                      " price_units=", command.price.units(),
                      " quantity_units=", command.quantity.units());
}

engine::SessionId SessionOf(const TalkRow& row) {
  return {.place = row.place, .generation = row.generation};
}

}  // namespace

ConversationReplay::ConversationReplay(journal::Reader& conversation, journal::Reader& commands,
                                       PrintBooks print_books)
    : conversation_(conversation),
      commands_(commands),
      print_books_(std::move(print_books)),
      text_gateway_(venue_, *this, *this, markets_) {}

absl::StatusOr<SequenceNumber> ConversationReplay::ReadStart() {
  RETURN_IF_ERROR(ReadRow());
  if (!next_.has_value()) {
    return absl::NotFoundError(absl::StrCat(conversation_.info().path, " has no row"));
  }
  if (!NextIs(TalkKind::kStarted)) {
    return absl::DataLossError(absl::StrCat(conversation_.info().path,
                                            ": the first row is not that of a start of a venue"));
  }
  const SequenceNumber start = next_->talk.applied;
  ++report_.rows;
  RETURN_IF_ERROR(ReadRow());
  while (NextIs(TalkKind::kConfigured)) {
    if (configuration_.size() >= kConfigurationBytesMax) return Unfit("is too much configuration");
    absl::StrAppend(&configuration_, engine::AsText(next_->attachment));
    takes_faults_ = (next_->talk.detail & engine::kTakesFaults) != 0;
    ++report_.rows;
    RETURN_IF_ERROR(ReadRow());
  }
  return start;
}

void ConversationReplay::ServeKalshi(const VenueConfig& config) {
  KalshiWitness& witness = *this;
  kalshi_ = std::make_unique<ReplayedKalshi>(config, takes_faults_, venue_, witness, markets_,
                                             commands_.info().uuid);
}

void ConversationReplay::Restore(engine::VenueMemory memory,
                                 const engine::MarketDirectory& markets) {
  venue_.Restore(std::move(memory));
  for (const auto& [id, market] : markets.all()) markets_.Add(market);
}

void ConversationReplay::OnHistory(const journal::Record& record,
                                   std::span<const engine::Event> events) {
  const engine::Command command = replay::ToCommand(*record.row);
  venue_.OnHistory(command, record.attachment, events);
  if (events.back().kind == engine::EventKind::kMarketDefined) {  // Expiries may precede it.
    const auto definition = engine::DecodeMarketDefinition(record.attachment);
    if (definition.ok()) markets_.Add(*definition);
  }
  text_gateway_.OnHistory(command, events);
  if (kalshi_ != nullptr) kalshi_->gateway().OnHistory(command, record.attachment, events);
}

absl::StatusOr<TalkReport> ConversationReplay::Run(replay::Driver& driver) {
  driver_ = &driver;
  applied_ = released_ = driver.last_applied();
  venue_.Connect(*this, applied_);
  RETURN_IF_ERROR(commands_.SeekToSequence(applied_.Next()));
  RETURN_IF_ERROR(ReadCommand());
  while (next_.has_value() && !is_over()) {
    const Row row = *std::move(next_);
    RETURN_IF_ERROR(ReadRow());
    handled_ = row.talk.sequence;
    handled_time_ = row.talk.timestamp;
    handled_gateway_ = row.talk.gateway();
    ++report_.rows;
    absl::Status status = CatchUp(row.talk);
    if (status.ok() && !is_over()) status = Handle(row);
    RETURN_IF_ERROR(read_status_);
    if (!status.ok() && !is_over()) return status;
  }
  return report_;
}

absl::Status ConversationReplay::ReadRow() {
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, conversation_.Next());
  next_.reset();
  if (record.has_value()) {
    next_ = {.talk = std::bit_cast<TalkRow>(*record->row),
             .attachment = {record->attachment.begin(), record->attachment.end()}};
  }
  return absl::OkStatus();
}

absl::Status ConversationReplay::ReadCommand() {
  ASSIGN_OR_RETURN(next_command_, commands_.Next());
  return absl::OkStatus();
}

absl::Status ConversationReplay::CatchUp(const TalkRow& row) {
  while (applied_ < row.applied) {
    if (!HasCommandUntil(row.timestamp)) return absl::OkStatus();
    is_others_ = true;
    const auto applied = venue_.Submit(replay::ToCommand(*next_command_->row),
                                       next_command_->attachment, engine::Origin());
    is_others_ = false;
    RETURN_IF_ERROR(applied.status());
  }
  if (applied_ > row.applied) {
    return Differ(SessionOf(row), absl::StrCat("no command after @", row.applied.value()),
                  absl::StrCat("one more, @", applied_.value()));
  }
  ReleaseUpTo(row.released);
  return absl::OkStatus();
}

// Rows of a venue that was killed end anywhere.
bool ConversationReplay::IsCutOff() {
  if (!next_.has_value()) report_.early_end = "the conversation ends here: the venue was killed";
  return !next_.has_value();
}

// A journal that has lost its end in a crash goes on with the commands of the next run.
bool ConversationReplay::HasCommandUntil(engine::Timestamp time) {
  if (next_command_.has_value() && next_command_->timestamp() <= time) return true;
  report_.early_end = absl::StrCat("the command journal has lost the commands of this run after @",
                                   applied_.value(), ", which were not acknowledged");
  return false;
}

absl::Status ConversationReplay::ApplyNext() {
  const journal::Record& record = *next_command_;
  const std::span<const engine::Event> events = replay::AsEvents(driver_->Apply(record));
  const engine::Command command = replay::ToCommand(*record.row);
  in_flight_.push_back({.command = command, .events = {events.begin(), events.end()}});
  applied_ = command.sequence;
  venue_.OnApplied(command, in_flight_.back().events);
  if (events.back().kind == engine::EventKind::kMarketDefined) {
    const auto definition = engine::DecodeMarketDefinition(record.attachment);
    if (definition.ok()) markets_.Add(*definition);
  }
  RETURN_IF_ERROR(ReadCommand());
  if (NextIs(TalkKind::kReleased) && next_->talk.applied == applied_) {
    const SequenceNumber released = next_->talk.released;
    RETURN_IF_ERROR(ReadRow());
    ++report_.rows;
    ReleaseUpTo(released);
  }
  return absl::OkStatus();
}

void ConversationReplay::ReleaseUpTo(SequenceNumber sequence) {
  for (; !in_flight_.empty() && in_flight_.front().command.sequence <= sequence;
       in_flight_.pop_front()) {
    const InFlight& first = in_flight_.front();
    venue_.OnEvents(first.command, first.events);
  }
  released_ = std::max(released_, sequence);
}

absl::StatusOr<SequenceNumber> ConversationReplay::Submit(const engine::Command& command,
                                                          engine::Bytes attachment) {
  if (is_others_) {
    read_status_ = ApplyNext();
    RETURN_IF_ERROR(read_status_);
    return applied_;
  }
  if (is_over()) return absl::AbortedError("the comparison is over");
  if (NextIs(TalkKind::kRefused) && next_->talk.applied == applied_) {
    read_status_ = ReadRow();
    ++report_.rows;
    return absl::ResourceExhaustedError("as recorded");
  }
  // It was submitted before the next row.
  if (!HasCommandUntil(next_.has_value() ? next_->talk.timestamp : handled_time_)) {
    return absl::AbortedError(report_.early_end);
  }
  const engine::Command recorded = replay::ToCommand(*next_command_->row);
  engine::Command submitted = command;
  submitted.sequence = recorded.sequence;
  submitted.timestamp = recorded.timestamp;
  if (submitted != recorded || !std::ranges::equal(attachment, next_command_->attachment)) {
    return Differ({}, absl::StrCat("the command ", Words(recorded)), Words(command));
  }
  ++report_.commands;
  read_status_ = ApplyNext();
  RETURN_IF_ERROR(read_status_);
  return applied_;
}

absl::StatusOr<engine::TextLogin> ConversationReplay::Login(absl::string_view, absl::string_view) {
  if (IsCutOff()) return absl::AbortedError(report_.early_end);
  if (!NextIs(TalkKind::kLogin)) return Differ({}, "no login", "a login");
  const TalkRow verdict = next_->talk;
  read_status_ = ReadRow();
  ++report_.rows;
  if ((verdict.detail & engine::kLoginAccepted) == 0) {
    return absl::PermissionDeniedError("login refused");
  }
  text_gateway_.AddAccount(verdict.account);
  return engine::TextLogin{.account = verdict.account,
                           .cancels_at_end = (verdict.detail & engine::kLoginCancelsAtEnd) != 0};
}

bool ConversationReplay::Proves() {
  ++proofs_;
  if (!NextIs(TalkKind::kUnproven) || next_->talk.length != proofs_) return true;
  read_status_ = ReadRow();
  ++report_.rows;
  return false;
}

ConversationReplay::Talker* ConversationReplay::FindTalker(engine::SessionId session) {
  std::vector<Talker>& talkers = talkers_[static_cast<size_t>(handled_gateway_)];
  const bool is_open = session.generation != 0 && session.place < talkers.size() &&
                       talkers[session.place].generation == session.generation;
  return is_open ? &talkers[session.place] : nullptr;
}

absl::Status ConversationReplay::Unfit(absl::string_view what) const {
  return absl::DataLossError(
      absl::StrCat(conversation_.info().path, ": row @", handled_.value(), " ", what));
}

absl::Status ConversationReplay::Handle(const Row& row) {
  const engine::SessionId session = SessionOf(row.talk);
  if (handled_gateway_ == engine::TalkGateway::kText) {
    gateway_ = &text_gateway_;
  } else if (handled_gateway_ == engine::TalkGateway::kKalshi && kalshi_ != nullptr) {
    gateway_ = &kalshi_->gateway();
  } else {
    return Unfit("is of a gateway without a configuration");
  }
  switch (row.talk.kind) {
    case TalkKind::kOpened:
      return HandleOpened(session);
    case TalkKind::kBytes:
      return HandleBytes(row);
    case TalkKind::kInputEnded:
      return HandleInputEnded(session);
    case TalkKind::kContinued:
      return HandleContinued(session);
    case TalkKind::kOffered:
      Offer();
      return absl::OkStatus();
    case TalkKind::kSent:
    case TalkKind::kHeld:
      return Differ(session, Words(row.talk, row.attachment), "nothing");
    case TalkKind::kLogin:
      return Differ(session, "a login", "none");
    case TalkKind::kResumed:
      gateway_->Resume(session);
      return absl::OkStatus();
    case TalkKind::kClosed:
      if (Talker* const talker = FindTalker(session); talker != nullptr) *talker = {};
      gateway_->Close(session);
      return absl::OkStatus();
    case TalkKind::kWorked:
      return gateway_->Work([&] {
        if (is_over()) return false;
        if (!NextIs(TalkKind::kNoRoom) || next_->talk.applied != applied_) return true;
        read_status_ = ReadRow();
        ++report_.rows;
        return false;
      });
    case TalkKind::kEnded:
      report_.has_ended = true;
      return absl::OkStatus();
    case TalkKind::kUnproven:
      return Differ(session, "a signature that does not hold", "none is checked");
    case TalkKind::kTime:
      gateway_->OnTime(engine::SteadyTime::FromNanos(static_cast<int64_t>(row.talk.length)));
      return absl::OkStatus();
    case TalkKind::kInjected:
      return HandleInjected(row);
    case TalkKind::kConfigured:  // After the first row.
    case TalkKind::kStarted:     // The first row.
    case TalkKind::kReleased:    // While others submitted.
    case TalkKind::kRefused:
    case TalkKind::kNoRoom:
      return absl::OkStatus();
  }
  return Unfit(absl::StrCat("is of the unknown kind ", static_cast<int>(row.talk.kind)));
}

absl::Status ConversationReplay::HandleOpened(engine::SessionId session) {
  ++report_.sessions;
  const engine::SessionId opened = gateway_->Open();
  if (opened != session) {
    return Differ(session, absl::StrCat("session ", session.place, ".", session.generation),
                  absl::StrCat("session ", opened.place, ".", opened.generation));
  }
  std::vector<Talker>& talkers = talkers_[static_cast<size_t>(handled_gateway_)];
  if (talkers.size() <= session.place) talkers.resize(session.place + 1);
  talkers[session.place] = {
      .generation = session.generation, .input = {}, .is_full = false, .request = {}};
  return absl::OkStatus();
}

absl::Status ConversationReplay::HandleBytes(const Row& row) {
  const engine::SessionId session = SessionOf(row.talk);
  Talker* const talker = FindTalker(session);
  if (talker == nullptr) return Unfit("is of a session that is not open");
  if (talker->is_full) return Unfit("is input of a session that is full");
  ++report_.requests;
  talker->input = row.attachment;
  talker->request = std::string(engine::AsText(talker->input).substr(0, kQuotedMax));
  return Settle(*talker, session, gateway_->OnBytes(session, talker->input));
}

absl::Status ConversationReplay::HandleInputEnded(engine::SessionId session) {
  const Talker* const talker = FindTalker(session);
  if (talker == nullptr) return Unfit("is of a session that is not open");
  if (talker->is_full) return Unfit("ends the input of a session that is full");
  return gateway_->OnEnd(session);
}

absl::Status ConversationReplay::HandleContinued(engine::SessionId session) {
  Talker* const talker = FindTalker(session);
  if (talker == nullptr || !talker->is_full) {
    return Differ(session, "a full session", "one that is not");
  }
  return Settle(*talker, session, gateway_->Continue(session));
}

absl::Status ConversationReplay::HandleInjected(const Row& row) {
  if (kalshi_ == nullptr) return Unfit("is a fault without Kalshi's API");
  using Two = std::pair<absl::string_view, absl::string_view>;
  const auto [text, moment] =
      Two(absl::StrSplit(engine::AsText(row.attachment), absl::MaxSplits(' ', 1)));
  const auto [name, parameters] = Two(absl::StrSplit(text, absl::MaxSplits('?', 1)));
  // What it cannot do here, it could not do then.
  kalshi_->gateway().Inject(name, parameters, moment).IgnoreError();
  return absl::OkStatus();
}

// Notes whether the session is full now. SessionServer also decides at this moment, not when
// others fill or empty the session later.
absl::Status ConversationReplay::Settle(Talker& talker, engine::SessionId session,
                                        absl::Status status) {
  talker.is_full = gateway_->is_full(session);
  return status;
}

void ConversationReplay::Offer() {
  gateway_->TakeReady([&](engine::SessionId session, absl::string_view replies) {
    if (is_over()) return false;
    return Compare(session, replies);
  });
}

bool ConversationReplay::Compare(engine::SessionId session, absl::string_view replies) {
  const engine::Bytes bytes = engine::AsBytes(replies);
  const bool is_next = (NextIs(TalkKind::kSent) || NextIs(TalkKind::kHeld)) &&
                       SessionOf(next_->talk) == session &&
                       next_->talk.gateway() == handled_gateway_;
  if (replies.empty() && !(is_next && next_->talk.length == 0)) return true;  // It has no row.
  const uint64_t hash = HashOf(bytes);
  const auto differ = [&](std::string expected) {
    Differ(session, std::move(expected),
           absl::StrCat(Words(replies.size(), hash), ", ", Quoted(replies)))
        .IgnoreError();
    return false;
  };
  if (IsCutOff()) return false;
  if (!is_next) return differ("nothing");
  const Row expected = *std::move(next_);
  read_status_ = ReadRow();
  ++report_.rows;
  if (expected.talk.length != replies.size() || expected.talk.hash != hash) {
    handled_ = expected.talk.sequence;
    return differ(Words(expected.talk, expected.attachment));
  }
  ++report_.replies;
  return expected.talk.kind == TalkKind::kSent;
}

absl::Status ConversationReplay::Differ(engine::SessionId session, std::string expected,
                                        std::string actual) {
  const Talker* const talker = FindTalker(session);
  report_.difference = {.row = handled_,
                        .applied = applied_,
                        .gateway = handled_gateway_,
                        .session = session,
                        .request = talker != nullptr ? Quoted(talker->request) : "",
                        .expected = std::move(expected),
                        .actual = std::move(actual)};
  return absl::AbortedError("a difference");
}

}  // namespace tools
