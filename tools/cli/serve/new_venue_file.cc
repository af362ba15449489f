#include <array>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/substitute.h"
#include "engine/base/check.h"
#include "tools/cli/serve/venue_file.h"

namespace tools {
namespace {

constexpr char kNewVenue[] = R"({
  "schema": "ticktape.venue/1",
  "accounts": [
    {"id": 1, "money": "100000.00"},
    {"id": 2, "money": "100000.00"}
  ],
  "markets": [
    {
      "definition": {
        "id": 1, "symbol": "ACME",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "9999.99",
        "quantity_decimals": 0
      }
    },
    {
      "definition": {
        "id": 2, "symbol": "BOLT",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "9999.99",
        "quantity_decimals": 0
      }
    },
    {
      "definition": {
        "id": 3, "symbol": "RAIN", "kind": "binary",
        "price_decimals": 2, "tick": "0.01", "price_min": "0.01", "price_max": "0.99",
        "quantity_decimals": 0
      }
    }
  ],
  "logins": [
    {"name": "desk-1", "secret": "$0", "account": 1, "cancel_on_disconnect": true},
    {"name": "desk-2", "secret": "$1", "account": 1},
    {"name": "desk-3", "secret": "$2", "account": 2}
  ],
  "text": {
    "listen": "127.0.0.1:7001",
    "connections_max": 10000,
    "login_seconds_max": 10
  }
}
)";

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)); }

}  // namespace

std::string NewVenueFile(const std::array<std::string, kNewVenueLogins>& secrets) {
  for (const std::string& secret : secrets) CHECK(absl::c_all_of(secret, IsAlphanumeric));
  return absl::Substitute(kNewVenue, secrets[0], secrets[1], secrets[2]);
}

}  // namespace tools
