// What a venue is made of, as its file says it: tools/cli/serve/VENUE_FILE.md.

#ifndef TOOLS_SERVE_VENUE_CONFIG_H_
#define TOOLS_SERVE_VENUE_CONFIG_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/timestamp.h"
#include "engine/gateway/agents/agents.h"
#include "engine/gateway/flow/flow_terms.h"
#include "engine/gateway/itch/itch_snapshots.h"
#include "engine/gateway/kalshi/catalogue.h"
#include "engine/gateway/native/account_streams.h"
#include "engine/gateway/ouch/ledger.h"
#include "engine/messages/kinds.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"

namespace tools {

// What an account may hold in a market; zero is no limit.
struct PositionLimitConfig {
  engine::MarketId market = {};
  engine::Quantity limit = {};
};

struct AccountConfig {
  engine::AccountId id = {};
  engine::Money money = {};  // Paid in when the account is opened; not below zero.
  std::optional<engine::RiskLimits> limits = {};
  std::vector<PositionLimitConfig> position_limits = {};  // At most one of a market.
};

// A command that the venue sends for a market at its time, or as soon as it runs again.
struct ScheduledAction {
  engine::Timestamp at = {};
  engine::CommandKind kind = engine::CommandKind::kOpenMarket;  // Open, close, determine, settle.
  engine::Price value = {};  // Of determine: what one contract pays.
};

struct MarketConfig {
  engine::MarketDefinition definition = {};
  std::vector<ScheduledAction> schedule = {};  // Ascending by time, each kind once.
};

// Who may log in. Names are unique.
struct LoginConfig {
  std::string name;
  std::string secret;
  engine::AccountId account;
  bool cancel_on_disconnect = false;  // Its end cancels the orders that it has submitted.
};

struct TextConfig {
  std::string listen = "127.0.0.1:7001";  // See Network::Listen; empty: not served.
  uint32_t connections_max = 10'000;
  uint32_t login_seconds_max = 10;  // A connection that has not logged in then ends.
};

// A key whose holder trades for the account. Ids are unique.
struct KalshiKeyConfig {
  std::string id;  // A UUID, in lower case.
  engine::AccountId account;
  std::string public_key;  // In PEM; PublicKey::Parse takes it.
};

struct KalshiTierConfig {
  engine::AccountId account;
  std::string tier;  // One of engine::kKalshiTiers.
};

// Kalshi's API. Tickers are unique, also those of markets, which are their symbols; each market is
// binary, with prices in 10^-4 dollar and quantities in 10^-2 contracts.
struct KalshiConfig {
  std::string listen = {};  // See Network::Listen; empty: not served.
  uint32_t connections_max = 10'000;
  uint32_t connections_per_user_max = 200;
  uint32_t signature_window_seconds = 20;  // A request whose time is further away is refused.
  bool sends_date = false;                 // Replies with status 401 have the header Date.
  // The files of TLS, relative to the venue's folder; both or none.
  std::string certificate = {};
  std::string private_key = {};
  std::vector<engine::KalshiSeries> series = {};
  std::vector<engine::KalshiEvent> events = {};
  std::vector<engine::KalshiMarket> markets = {};
  std::vector<KalshiKeyConfig> keys = {};
  std::vector<KalshiTierConfig> tiers = {};  // At most one of an account; the others: basic.
  bool serves_sim = false;                   // Faults on request, to who has the operators' token.
};

// Order entry with OUCH 4.2 over SoupBinTCP.
struct OuchConfig {
  std::string listen = {};  // See Network::Listen; empty: not served.
  uint32_t connections_max = 1'000;
  std::vector<engine::OuchLogin> logins = {};  // Users are unique.
  std::vector<engine::MarketId> markets = {};  // Those that may be traded, each once.
};

// Where packets of market data go.
struct ItchLineConfig {
  std::string address = {};    // Of datagrams: unicast or multicast, with a port.
  std::string interface = {};  // See DatagramSenderOptions, as the next.
  int hops = 1;
};

// Market data with ITCH 5.0: over MoldUDP64, with retransmission, and snapshots over SoupBinTCP.
struct ItchConfig {
  std::vector<ItchLineConfig> lines = {};  // A, or A and B; empty: not published.
  uint32_t packet_bytes = 1'472;           // At most, without the headers of IP and UDP.
  std::string retransmission = {};         // Where requests arrive; empty: there is none.
  uint32_t requests_per_second_max = 10'000;
  uint32_t kept_megabytes = 256;               // Of messages, for retransmission.
  std::string snapshots = {};                  // See Network::Listen; empty: there are none.
  std::vector<engine::ItchLogin> logins = {};  // For snapshots; empty: everyone.
};

// Order entry with the native protocol.
struct NativeConfig {
  std::string listen = {};  // See Network::Listen; empty: not served.
  uint32_t connections_max = 1'000;
  size_t events_kept = 1'000'000;                // Of each account.
  std::vector<engine::NativeLogin> logins = {};  // Users are unique.
};

// A recorded order flow that drives a market. Which accounts it has, its source says.
struct FlowConfig {
  engine::MarketId market = {};
  std::string source = {};         // A journal's folder, or an ITCH file.
  std::string from_market = {};    // Of the source: a symbol, or #ID.
  std::string range = {};          // Of the source, see tools/cli/read/selector.h; empty: all.
  std::optional<double> pace = 1;  // Nullopt: as fast as there is room.
  uint64_t rounds = 1;             // 0: without end.
  std::optional<engine::PriceLine> line = {};
  bool leaves_out = false;  // Orders that do not fit the market.
  engine::AccountId first_account = engine::AccountId(2'000'000);
  engine::Money money = engine::Money::FromDollars(1'000'000);  // Of each account, if binary.
};

// The operators' sessions. Not in the file: the program makes the token.
struct AdminConfig {
  std::string listen = {};  // See Network::Listen; empty: not served.
  std::string token = {};   // Without spaces; empty: refused.
};

// A regular value type; sound once ParseVenueFile has returned it: all references resolve, all
// names and ids are unique.
struct VenueConfig {
  std::vector<AccountConfig> accounts;
  std::vector<MarketConfig> markets;
  std::vector<LoginConfig> logins;
  TextConfig text;
  KalshiConfig kalshi;
  OuchConfig ouch;
  ItchConfig itch;
  NativeConfig native;
  std::optional<engine::AgentsOptions> agents;  // Their accounts are among the accounts.
  std::vector<FlowConfig> flows;                // At most one of a market.
  AdminConfig admin;
};

}  // namespace tools

#endif  // TOOLS_SERVE_VENUE_CONFIG_H_
