// What the sessions of a venue must receive, from what the venue took: one simple program that does
// one thing after the other, with the reference exchange and a std::map of orders.
//
//   Note, in order ─► login, lines ─► command, equal to the venue's ─► reference machine
//                                                                       │ events
//                        replies of each connection, in bytes ◄─────────┘
//
// It knows nothing of gateways, buffers and releases: a reply is in its place, and says which
// command it waits for. Written from engine/wire/text/PROTOCOL.md, section 5.

#ifndef TOOLS_SERVE_TESTING_VENUE_MODEL_H_
#define TOOLS_SERVE_TESTING_VENUE_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/steady_time.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/text/request.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "tools/serve/testing/noted_sockets.h"
#include "tools/serve/venue_config.h"

namespace tools {

// A command with its events, as the venue has applied it.
struct AppliedCommand {
  engine::Command command;
  std::vector<engine::Event> events;

  friend bool operator==(const AppliedCommand&, const AppliedCommand&) = default;
};

// A book of an exchange or of the reference, as PRINT shows it in tests: long, so that slow clients
// have something to be slow with.
void AppendModelBook(const auto& exchange, const engine::MarketDefinition* market,
                     std::string& out) {
  for (const auto& [id, definition] : exchange.markets().all()) {
    if (market != nullptr && market->id != id) continue;
    absl::StrAppend(&out, "BOOK ", definition.symbol, " ", std::string(6'000, '.'), "\n");
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      exchange.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        absl::StrAppend(&out, order.id.value(), " ", order.price.units(), " ",
                        order.quantity_remaining.units(), "\n");
      });
    }
  }
}

// Of one life of a venue. Fails the property of rapidcheck that it runs in where the venue did what
// the model would not have done. Not thread-safe. `config` and `lived` outlive it.
class VenueModel {
 public:
  // `lived`: the commands of all lives so far, in order; may grow.
  VenueModel(const VenueConfig& config, const std::deque<AppliedCommand>& lived)
      : config_(config), lived_(lived) {}

  // What the journal holds when the venue listens.
  void OnHistory(const engine::Command& command, engine::Bytes attachment);

  void Take(const Note& note);
  // After the last note.
  void Finish() { CatchUp(engine::SequenceNumber(lived_.size())); }

  // All replies of a connection; empty if it was not accepted.
  absl::string_view replies(size_t connection) const;
  // How many bytes of them a client receives that reads all and resets nothing.
  size_t owed(size_t connection) const;
  // Whether the venue has no reason to end the connection.
  bool is_open(size_t connection) const { return sessions_.at(connection).takes_lines; }
  // The last command whose replies were sent.
  engine::SequenceNumber last_shown() const { return last_shown_; }

 private:
  struct Order {
    engine::OrderId id;
    engine::AccountId account;
    uint64_t client_id = 0;
    const engine::MarketDefinition* market = nullptr;
    engine::Quantity total;
    engine::Quantity filled;
    bool has_ended = false;

    engine::Quantity remaining() const { return total - filled; }
  };
  struct Account {
    std::set<uint64_t> used;
    std::map<uint64_t, engine::OrderId> latest;  // By client id.
  };
  struct Session {
    engine::SteadyTime login_until;
    const LoginConfig* login = nullptr;  // Null before.
    bool takes_lines = true;             // False once it is over.
    bool is_gone = false;                // The venue knows that it is.
    bool rests = false;                  // After a PRINT, until the others had their turn.
    std::string input;                   // Not yet taken.
    uint64_t line_number = 0;
    std::vector<uint64_t> submitted;  // Client ids of accepted orders.

    std::string replies;
    // What the replies up to an offset wait for; ascending.
    std::vector<std::pair<size_t, engine::SequenceNumber>> waits;
    size_t sent = 0;
    std::optional<size_t> owed;  // Once it has ended; before that, all.
  };

  engine::SequenceNumber position() const { return driver_.last_applied(); }
  // Applies the venue's own commands up to `last`; there must be no others.
  void CatchUp(engine::SequenceNumber last);
  void OnSent(Session& session, const Note& note);
  // The end of a turn: those that rested go on, then the orders of those that are gone end.
  void EndTurn(const Note& note);
  void OnInputEnded(Session& session);
  void TakeLines(Session& session);
  void TakeLogin(Session& session, absl::string_view line);
  void Refuse(Session& session, absl::string_view why);
  void OnLine(Session& session, absl::string_view line);

  void On(Session&, const engine::NoRequest&) {}
  void On(Session& session, const engine::SubmitRequest& request);
  void On(Session& session, const engine::MarketRequest& request);
  void On(Session& session, const engine::CancelRequest& request);
  void On(Session& session, const engine::ModifyRequest& request);
  void On(Session& session, const engine::PrintRequest& request);
  void On(Session& session, const engine::PolicyRequest& request);
  void SubmitOrder(Session& session, uint64_t id, absl::string_view symbol,
                   const engine::DecimalWord& price, const engine::DecimalWord& quantity,
                   engine::Command command);

  const Order* FindOrder(engine::AccountId account, uint64_t client_id) const;
  // Of `account`, by `asker`; null: the venue itself. It must be the next command of the venue.
  void Submit(engine::AccountId account, engine::Command command, Session* asker);
  void Apply(const engine::Command& command, engine::Bytes attachment, Session* asker);
  void OnEvent(const engine::Command& command, const engine::Event& event, Session* asker);
  void OnRejected(const engine::Command& command, const engine::Event& event, Session* asker);
  void Remember(const engine::Command& command, engine::OrderId id, engine::Quantity total,
                bool has_ended);
  // An event of `order`: `words` appends the line for its account.
  void Change(engine::OrderId order, const auto& change);
  void Fill(engine::OrderId order, const engine::Event& trade, bool is_maker);

  void Say(Session& session, absl::string_view words);
  void Error(Session& session, absl::string_view what);
  void TellAll(engine::AccountId account, absl::string_view words);

  const VenueConfig& config_;
  const std::deque<AppliedCommand>& lived_;
  replay::ReferenceMachine machine_;
  replay::Driver driver_{machine_};
  std::map<engine::AccountId, Account> accounts_;
  std::map<engine::OrderId, Order> orders_;
  std::map<size_t, Session> sessions_;  // By connection.
  std::vector<size_t> closed_;          // Since the venue last looked.
  std::vector<Session*> resting_;
  std::vector<std::pair<engine::AccountId, uint64_t>> to_cancel_;
  bool is_turning_ = false;  // The venue waits for the network, or reads it.
  engine::SequenceNumber last_shown_;
};

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_VENUE_MODEL_H_
