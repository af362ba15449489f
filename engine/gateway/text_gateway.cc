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
  if (added == nullptr) added = std::make_unique<Account>(account, markets_);
}

TextGateway::Account* TextGateway::FindAccount(AccountId id) const {
  const auto found = accounts_.find(id);
  return found == accounts_.end() ? nullptr : found->second.get();
}

TextGateway::Session* TextGateway::Find(SessionId id) const {
  if (id.place >= places_.size() || generations_[id.place] != id.generation) return nullptr;
  return places_[id.place].get();
}

TextGateway::SessionId TextGateway::Open() {
  if (free_places_.empty()) {
    free_places_.push_back(static_cast<uint32_t>(places_.size()));
    places_.emplace_back();
    generations_.push_back(0);
  }
  const uint32_t place = free_places_.back();
  free_places_.pop_back();
  const SessionId id = {.place = place, .generation = ++generations_[place]};
  places_[place] = std::make_unique<Session>(*this, id);
  return id;
}

void TextGateway::Close(SessionId id) {
  Session* const session = Find(id);
  if (session == nullptr) return;
  if (session->account != nullptr) std::erase(session->account->sessions, session);
  places_[id.place].reset();
  free_places_.push_back(id.place);
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
  const absl::StatusOr<AccountId> id = logins_.Login(name, secret);
  if (!id.ok()) return Refuse(session, id.status().message());
  session.account = FindAccount(*id);
  CHECK(session.account != nullptr) << "account " << *id;
  session.account->sessions.push_back(&session);
  session.logged_in = std::make_unique<TextSession>(session, host_, markets_,
                                                    session.account->words, TextSession::Options());
  AppendWelcome(name, *id, session.logged_in->words());
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
