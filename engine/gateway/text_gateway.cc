#include "engine/gateway/text_gateway.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/reply.h"
#include "engine/wire/text/words.h"

namespace engine {

absl::StatusOr<SequenceNumber> TextGateway::Session::Submit(const Command& command,
                                                            Bytes attachment) {
  return gateway.venue_.Submit(
      command, attachment,
      {.gateway = gateway.number_, .session = id.place, .generation = id.generation, .request = 0});
}

TextGateway::TextGateway(Venue& venue, TextSessionHost& host, TextLogins& logins,
                         MarketDirectory& markets)
    : venue_(venue), number_(venue.Add(*this)), host_(host), logins_(logins), markets_(markets) {}

void TextGateway::AddAccount(AccountId account) {
  std::unique_ptr<Account>& added = accounts_[account];
  if (added == nullptr) added = std::make_unique<Account>(account, markets_, venue_.memory());
}

TextGateway::Account* TextGateway::FindAccount(AccountId id) const {
  const auto found = accounts_.find(id);
  return found == accounts_.end() ? nullptr : found->second.get();
}

void TextGateway::Close(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return;
  if (session->account != nullptr) std::erase(session->account->sessions, session);
  for (const uint64_t client_id : session->submitted) {
    to_cancel_.push_back({.account = session->account, .client_id = client_id});
  }
  sessions_.Remove(id);
}

absl::Status TextGateway::OnBytes(SessionId id, Bytes bytes) {
  Session* const session = Find(id);
  CHECK(session != nullptr) << "session " << id.place;
  if (session->is_over) return absl::OkStatus();
  if (session->logged_in == nullptr) bytes = TakeLogin(*session, bytes);
  if (session->logged_in == nullptr) return absl::OkStatus();
  return Drive(*session, [&](TextSession& text) { return text.OnBytes(bytes); });
}

bool TextGateway::is_full(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->logged_in != nullptr && session->logged_in->is_full();
}

absl::Status TextGateway::Continue(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr || session->logged_in == nullptr) return absl::OkStatus();
  return Drive(*session, [](TextSession& text) { return text.Continue(); });
}

absl::Status TextGateway::OnEnd(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return absl::OkStatus();
  if (session->logged_in == nullptr) {
    session->is_over = true;
    MakeReady(*session);
    return absl::OkStatus();
  }
  return Drive(*session, [](TextSession& text) { return text.Finish(); });
}

bool TextGateway::is_over(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->is_over;
}

bool TextGateway::has_logged_in(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->logged_in != nullptr;
}

bool TextGateway::has_held(SessionId id) const {
  const Session* const session = Find(id);
  return session != nullptr && session->logged_in != nullptr && session->logged_in->has_held();
}

Bytes TextGateway::TakeLogin(Session& session, Bytes bytes) {
  const absl::string_view text = AsText(bytes);
  const size_t end = text.find('\n');
  const absl::string_view piece = text.substr(0, end);
  if (session.login.size() + piece.size() > kTextLineBytesMax) {
    Refuse(session, absl::StrCat("expected at most ", kTextLineBytesMax, " bytes, found more"));
    return {};
  }
  absl::StrAppend(&session.login, piece);
  if (end == absl::string_view::npos) return {};
  const std::string line = std::exchange(session.login, std::string());
  LogIn(session, absl::StripSuffix(line, "\r"));
  return bytes.subspan(end + 1);
}

void TextGateway::LogIn(Session& session, absl::string_view line) {
  Words words(line);
  const absl::string_view keyword = words.Take();
  const absl::string_view name = words.Take();
  const absl::string_view secret = words.Take();
  if (!IsKeyword(keyword, "LOGIN") || secret.empty() || !words.Take().empty()) {
    return Refuse(session, "expected LOGIN <name> <secret>");
  }
  const absl::StatusOr<TextLogin> login = logins_.Login(name, secret);
  if (!login.ok()) return Refuse(session, login.status().message());
  session.account = FindAccount(login->account);
  CHECK(session.account != nullptr) << "account " << login->account;
  session.cancels_at_end = login->cancels_at_end;
  session.account->sessions.push_back(&session);
  session.logged_in =
      std::make_unique<TextSession>(session, host_, markets_, session.account->words,
                                    TextSession::Options{.rests_after_print = true});
  AppendWelcome(name, login->account, session.logged_in->words());
  session.logged_in->Hold(venue_.last_applied());
}

void TextGateway::Refuse(Session& session, absl::string_view why) {
  AppendError(1, why, session.farewell);
  session.is_over = true;
  MakeReady(session);
}

absl::Status TextGateway::Drive(Session& session,
                                absl::FunctionRef<absl::Status(TextSession&)> take_lines) {
  session.logged_in->SetLastApplied(venue_.last_applied());
  const absl::Status status = take_lines(*session.logged_in);
  session.logged_in->Release(venue_.last_released());
  if (session.logged_in->has_held()) {
    held_.push_back({.sequence = venue_.last_applied(), .session = session.id});
  }
  MakeReady(session);
  return status;
}

absl::Status TextGateway::Work(absl::FunctionRef<bool()> has_room) {
  for (; !to_cancel_.empty() && has_room(); to_cancel_.pop_front()) {
    const TextAccount& account = to_cancel_.front().account->words;
    const KnownOrder* const known = account.FindLive(to_cancel_.front().client_id);
    if (known == nullptr) continue;
    Command command;
    command.kind = CommandKind::kCancel;
    command.account = account.id();
    command.market = known->market->id;
    command.order_id = known->order;
    command.client_order_id = ClientOrderId(known->client_id);
    const absl::Status sent = venue_.Submit(command, {}, Origin()).status();
    waits_for_space_ = absl::IsResourceExhausted(sent);
    if (waits_for_space_) return host_.JournalStatus();
    RETURN_IF_ERROR(sent);
  }
  return absl::OkStatus();
}

void TextGateway::NoteSubmitted(Session& session, const Command& command) {
  std::vector<uint64_t>& ids = session.submitted;
  ids.push_back(command.client_order_id.value());
  if (ids.size() < session.submitted_max) return;
  const TextAccount& account = session.account->words;
  std::erase_if(ids, [&](uint64_t id) { return account.FindLive(id) == nullptr; });
  session.submitted_max = std::max(session.submitted_max, 2 * ids.size());
}

void TextGateway::MakeReady(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.id);
}

void TextGateway::Resume(SessionId id) {
  if (Session* const session = Find(id); session != nullptr) MakeReady(*session);
}

void TextGateway::TakeReady(absl::FunctionRef<bool(SessionId id, absl::string_view replies)> take) {
  std::vector<SessionId> ready = std::exchange(ready_, {});
  for (const SessionId id : ready) {
    Session* const session = Find(id);
    if (session == nullptr) continue;
    session->is_ready = false;
    if (session->logged_in == nullptr) {
      if (take(id, session->farewell)) session->farewell.clear();
    } else if (take(id, session->logged_in->output())) {
      session->logged_in->ClearOutput();
    }
  }
  ready.clear();
  if (ready_.empty()) ready_ = std::move(ready);  // Keeps the capacity.
}

void TextGateway::OnHistory(const Command& command, std::span<const Event> events) {
  OnApplied(command, events, Origin());
  held_.clear();
}

void TextGateway::OnApplied(const Command& command, std::span<const Event> events,
                            const Origin& origin) {
  Session* const asker =
      origin.gateway == number_ ? Find({origin.session, origin.generation}) : nullptr;
  Account* const own = FindAccount(command.account);
  const auto concern = [&](Account& account, const Event& event, bool is_own) {
    if (!account.is_concerned) {
      account.is_concerned = true;
      concerned_.push_back(&account);
    }
    const bool has_asker = is_own && asker != nullptr;
    account.words.OnEvent(
        command, event,
        {.asker = has_asker ? &asker->logged_in->words() : nullptr,
         .others = account.sessions.size() > (has_asker ? 1 : 0) ? &account.for_others : nullptr});
  };
  for (const Event& event : events) {
    if (own != nullptr) concern(*own, event, /*is_own=*/true);
    if (event.account == command.account) continue;
    if (Account* const other = FindAccount(event.account); other != nullptr) {
      concern(*other, event, /*is_own=*/false);
    }
  }
  if (asker != nullptr) {
    asker->logged_in->Hold(command.sequence);
    held_.push_back({.sequence = command.sequence, .session = asker->id});
  }
  for (Account* const account : concerned_) Tell(*account, command.sequence, asker);
  concerned_.clear();
  if (asker != nullptr && asker->cancels_at_end &&
      std::ranges::count(events, EventKind::kAccepted, &Event::kind) != 0) {
    NoteSubmitted(*asker, command);
  }
  if (own != nullptr) own->words.ForgetEnded(command.sequence);
}

void TextGateway::Tell(Account& account, SequenceNumber sequence, const Session* asker) {
  account.is_concerned = false;
  if (account.for_others.empty()) return;
  for (Session* const session : account.sessions) {
    if (session == asker || session->is_over) continue;
    TextSession& receiver = *session->logged_in;
    receiver.words() += account.for_others;
    receiver.Hold(sequence);
    held_.push_back({.sequence = sequence, .session = session->id});
    if (receiver.reply_bytes() > kReplyBytesEnd) {
      session->is_over = true;
      MakeReady(*session);
    }
  }
  account.for_others.clear();
}

void TextGateway::OnReleased(const Command& command, std::span<const Event>, const Origin&) {
  for (; !held_.empty() && held_.front().sequence <= command.sequence; held_.pop_front()) {
    Session* const session = Find(held_.front().session);
    if (session == nullptr || session->logged_in == nullptr) continue;
    session->logged_in->Release(command.sequence);
    MakeReady(*session);
  }
}

}  // namespace engine
