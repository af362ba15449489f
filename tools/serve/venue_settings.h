// Brings the exchange to what the venue file says, by commands: accounts, their money and limits,
// logins, markets, their fees, and what markets do at their times.
//
//   VenueMemory: what there is ─┐
//   venue file ─────────────────┴─► the commands that are missing ─► Venue
//
// Each step is decided by what the log holds, so that a venue that was stopped between two commands
// goes on with the second, and repeats none.

#ifndef TOOLS_SERVE_VENUE_SETTINGS_H_
#define TOOLS_SERVE_VENUE_SETTINGS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "tools/serve/venue_config.h"

namespace tools {

// Not thread-safe: owned by the thread that submits. All references outlive it.
class VenueSettings final : public engine::Gateway {
 public:
  // Adds the markets that it defines, and those of the history, to `markets`.
  VenueSettings(const VenueConfig& config, engine::Venue& venue, engine::MarketDirectory& markets);

  // A command of the journal, with its events, in order: it may define a market.
  void OnHistory(engine::Bytes attachment, std::span<const engine::Event> events);

  // Submits what is missing. Call it after the history. A market that is no longer in the file
  // stays; limits and logins become those of the file.
  // Errors: FAILED_PRECONDITION (the file contradicts the journal, or the exchange refuses a
  // command); the sink's.
  absl::Status Apply();

  // Submits the actions of markets whose time has come. A full disk is not an error: they follow
  // later. Errors: the sink's.
  absl::Status ActDue(engine::Timestamp now);
  // The time of the next action; Timestamp::Max() if there is none.
  engine::Timestamp next_action() const;

  void OnApplied(const engine::Command& command, std::span<const engine::Event> events,
                 const engine::Origin& origin) override;
  void OnReleased(const engine::Command&, std::span<const engine::Event>,
                  const engine::Origin&) override {}

 private:
  // An action that is not done yet.
  struct Pending {
    engine::MarketId market;
    ScheduledAction action;
  };

  absl::Status ApplyAccount(const AccountConfig& account);
  absl::Status ApplyPositionLimits(const AccountConfig& account);
  absl::Status ApplyLogin(const LoginConfig& login);
  absl::Status ApplyMarket(const MarketConfig& market);
  // Those of the series of Kalshi's API, in each of its markets.
  absl::Status ApplyFees();
  // `what`: for the error, if the exchange refuses the command.
  absl::Status Submit(const engine::Command& command, engine::Bytes attachment,
                      const std::string& what);

  const VenueConfig& config_;
  engine::Venue& venue_;
  engine::MarketDirectory& markets_;
  const uint32_t number_;  // Of this gateway, in origins.

  std::vector<Pending> schedule_;  // Descending by time: the next is the last.
  std::string refusal_;            // Of the command that was submitted last; empty if none.
};

}  // namespace tools

#endif  // TOOLS_SERVE_VENUE_SETTINGS_H_
