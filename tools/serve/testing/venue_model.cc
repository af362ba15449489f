#include "tools/serve/testing/venue_model.h"

#include <algorithm>

#include "absl/strings/str_split.h"
#include "engine/messages/kinds.h"
#include "engine/wire/text/line_reader.h"
#include "engine/wire/text/reply.h"
#include "journal/record.h"
#include "rapidcheck.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace tools {

using engine::AccountId;
using engine::Command;
using engine::CommandKind;
using engine::Event;
using engine::EventKind;
using engine::MarketDefinition;
using engine::OrderId;
using engine::Quantity;
using engine::SequenceNumber;

void VenueModel::OnHistory(const Command& command, engine::Bytes attachment) {
  Apply(command, attachment, nullptr);
}

absl::string_view VenueModel::replies(size_t connection) const {
  const auto found = sessions_.find(connection);
  return found == sessions_.end() ? absl::string_view() : found->second.replies;
}

size_t VenueModel::owed(size_t connection) const {
  const auto found = sessions_.find(connection);
  if (found == sessions_.end()) return 0;
  return found->second.owed.value_or(found->second.replies.size());
}

void VenueModel::CatchUp(SequenceNumber last) {
  while (position() < last) {
    const Command& command = lived_[position().value()].command;
    RC_ASSERT(command.kind != CommandKind::kNewOrder && command.kind != CommandKind::kCancel &&
              command.kind != CommandKind::kAmend);
    Apply(command, {}, nullptr);
  }
  RC_ASSERT(position() == last);
}

void VenueModel::Take(const Note& note) {
  switch (note.what) {
    case Note::What::kWaiting:
      CatchUp(note.applied);
      is_turning_ = true;
      return;
    case Note::What::kRead:
      if (std::exchange(is_turning_, false)) EndTurn(note);
      return;
    case Note::What::kDrain:
      for (auto& [connection, session] : sessions_) {
        session.takes_lines = false;
        if (!session.owed.has_value()) session.owed = session.replies.size();
      }
      return;
    case Note::What::kAccepted:
      sessions_[note.connection].login_until =
          note.time + int64_t{config_.text.login_seconds_max} * 1'000'000'000;
      return;
    case Note::What::kBytes: {
      CatchUp(note.applied);
      Session& session = sessions_.at(note.connection);
      if (!session.takes_lines) return;
      session.input += note.bytes;
      return TakeLines(session);
    }
    case Note::What::kInputEnded:
      CatchUp(note.applied);
      return OnInputEnded(sessions_.at(note.connection));
    case Note::What::kSent:
      return OnSent(sessions_.at(note.connection), note);
    case Note::What::kClosed:
      closed_.push_back(note.connection);
      return;
  }
}

// Nothing leaves that a crash could make untrue, and nothing that the session must not see.
void VenueModel::OnSent(Session& session, const Note& note) {
  const std::string expected = session.replies.substr(session.sent, note.bytes.size());
  RC_ASSERT(note.bytes == expected);
  session.sent += note.bytes.size();
  for (const auto& [end, sequence] : session.waits) {
    RC_ASSERT(sequence <= note.durable);
    last_shown_ = std::max(last_shown_, sequence);
    if (end >= session.sent) break;
  }
}

void VenueModel::EndTurn(const Note& note) {
  for (const size_t connection : std::exchange(closed_, {})) {
    Session& session = sessions_.at(connection);
    session.is_gone = true;
    session.takes_lines = false;
    if (session.login == nullptr || !session.login->cancel_on_disconnect) continue;
    for (const uint64_t id : session.submitted) to_cancel_.push_back({session.login->account, id});
  }
  for (Session* const session : std::exchange(resting_, {})) {
    session->rests = false;
    if (session->takes_lines) TakeLines(*session);
  }
  for (const auto& [account, client_id] : std::exchange(to_cancel_, {})) {
    const Order& order = *FindOrder(account, client_id);
    if (order.has_ended) continue;
    Command command;
    command.kind = CommandKind::kCancel;
    command.market = order.market->id;
    command.order_id = order.id;
    command.client_order_id = engine::ClientOrderId(client_id);
    Submit(account, command, nullptr);
  }
  CatchUp(note.applied);
  for (auto& [connection, session] : sessions_) {
    if (session.login == nullptr && session.login_until <= note.time) session.takes_lines = false;
  }
}

void VenueModel::OnInputEnded(Session& session) {
  if (session.login != nullptr && session.takes_lines && !session.input.empty()) {
    OnLine(session, std::exchange(session.input, {}));
  }
  session.takes_lines = false;
  if (!session.owed.has_value()) session.owed = session.replies.size();
}

void VenueModel::TakeLines(Session& session) {
  while (session.takes_lines && !session.rests) {
    const size_t end = session.input.find('\n');
    if (session.login == nullptr &&
        std::min(end, session.input.size()) > engine::kTextLineBytesMax) {
      return Refuse(session, "expected at most 512 bytes, found more");
    }
    if (end == std::string::npos) return;
    std::string line = session.input.substr(0, end);
    session.input.erase(0, end + 1);
    if (line.ends_with('\r')) line.pop_back();
    session.login == nullptr ? TakeLogin(session, line) : OnLine(session, line);
  }
}

void VenueModel::TakeLogin(Session& session, absl::string_view line) {
  std::vector<absl::string_view> words =
      absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
  words.erase(std::ranges::find_if(words, [](auto word) { return word.front() == '#'; }),
              words.end());
  if (words.size() != 3 || words[0] != "LOGIN") {
    return Refuse(session, "expected LOGIN <name> <secret>");
  }
  const auto login = std::find_if(
      config_.logins.begin(), config_.logins.end(),
      [&](const LoginConfig& each) { return each.name == words[1] && each.secret == words[2]; });
  if (login == config_.logins.end()) return Refuse(session, "login refused");
  session.login = &*login;
  std::string words_of_welcome;
  engine::AppendWelcome(login->name, login->account, words_of_welcome);
  Say(session, words_of_welcome);
}

void VenueModel::Refuse(Session& session, absl::string_view why) {
  session.line_number = 1;
  Error(session, why);
  session.waits.back().second = SequenceNumber();  // It shows nothing.
  session.takes_lines = false;
}

const VenueModel::Order* VenueModel::FindOrder(AccountId account, uint64_t client_id) const {
  const auto owner = accounts_.find(account);
  if (owner == accounts_.end()) return nullptr;
  const auto latest = owner->second.latest.find(client_id);
  return latest == owner->second.latest.end() ? nullptr : &orders_.at(latest->second);
}

void VenueModel::Submit(AccountId account, Command command, Session* asker) {
  RC_ASSERT(position().value() < lived_.size());
  const Command& next = lived_[position().value()].command;
  command.account = account;
  command.sequence = next.sequence;
  command.timestamp = next.timestamp;
  RC_ASSERT(command == next);
  Apply(command, {}, asker);
}

void VenueModel::Apply(const Command& command, engine::Bytes attachment, Session* asker) {
  const journal::Row row = replay::ToRow(command);
  const std::span<const Event> events =
      replay::AsEvents(driver_.Apply({.row = &row, .attachment = attachment}));
  const AppliedCommand& lived = lived_[command.sequence.value() - 1];
  RC_ASSERT(lived.command == command);
  RC_ASSERT(std::ranges::equal(lived.events, events));
  for (const Event& event : events) OnEvent(command, event, asker);
}

void VenueModel::OnEvent(const Command& command, const Event& event, Session* asker) {
  std::string words;
  switch (event.kind) {
    case EventKind::kAccepted:
      accounts_[command.account].used.insert(command.client_order_id.value());
      Remember(command, event.order_id, event.quantity, /*has_ended=*/false);
      if (asker == nullptr) return;
      asker->submitted.push_back(command.client_order_id.value());
      engine::AppendAck(command.client_order_id.value(), event.order_id, words);
      return Say(*asker, words);
    case EventKind::kRejected:
      return OnRejected(command, event, asker);
    case EventKind::kTrade:
      Fill(event.order_id, event, /*is_maker=*/true);
      return Fill(event.counter_order_id, event, /*is_maker=*/false);
    case EventKind::kCancelled:
      return Change(event.order_id, [&](Order& order) {
        order.has_ended = true;
        engine::AppendCancelled(order.client_id, event, *order.market, words);
        return words;
      });
    case EventKind::kReduced:
      return Change(event.order_id, [&](Order& order) {
        order.total = order.filled + event.quantity_remaining;
        engine::AppendReduced(order.client_id, event, *order.market, words);
        return words;
      });
    case EventKind::kAmended:
      return Change(event.order_id, [&](Order& order) {
        order.total = event.quantity;
        engine::AppendModified(order.client_id, event, order.remaining(), *order.market, words);
        return words;
      });
    case EventKind::kBalance:
      engine::AppendBalance(event, words);
      return TellAll(event.account, words);
    case EventKind::kPosition:
      engine::AppendPosition(event, *machine_.markets().Find(event.market), words);
      return TellAll(event.account, words);
    default:
      return;  // Not for sessions.
  }
}

void VenueModel::OnRejected(const Command& command, const Event& event, Session* asker) {
  if (command.kind == CommandKind::kNewOrder) {
    Remember(command, engine::OrderIdOf(command.sequence), command.quantity, /*has_ended=*/true);
  }
  if (asker == nullptr) return;
  std::string words;
  engine::AppendReject(command.client_order_id.value(), event.reject_reason(), words);
  Say(*asker, words);
}

void VenueModel::Remember(const Command& command, OrderId id, Quantity total, bool has_ended) {
  const uint64_t client_id = command.client_order_id.value();
  accounts_[command.account].latest[client_id] = id;
  orders_[id] = {.id = id,
                 .account = command.account,
                 .client_id = client_id,
                 .market = machine_.markets().Find(command.market),
                 .total = total,
                 .filled = {},
                 .has_ended = has_ended};
}

void VenueModel::Change(OrderId id, const auto& change) {
  Order& order = orders_.at(id);
  TellAll(order.account, change(order));
}

void VenueModel::Fill(OrderId id, const Event& trade, bool is_maker) {
  Change(id, [&](Order& order) {
    order.filled += trade.quantity;
    order.has_ended = order.remaining().is_zero();
    std::string words;
    engine::AppendFill(order.client_id, trade,
                       is_maker ? engine::FillParty::kMaker : engine::FillParty::kTaker,
                       order.remaining(), *order.market, words);
    return words;
  });
}

void VenueModel::Say(Session& session, absl::string_view words) {
  absl::StrAppend(&session.replies, words);
  session.waits.push_back({session.replies.size(), position()});
}

void VenueModel::Error(Session& session, absl::string_view what) {
  std::string words;
  engine::AppendError(session.line_number, what, words);
  Say(session, words);
}

void VenueModel::TellAll(AccountId account, absl::string_view words) {
  for (auto& [connection, session] : sessions_) {
    if (session.login == nullptr || session.is_gone || session.login->account != account) continue;
    Say(session, words);
  }
}

}  // namespace tools
