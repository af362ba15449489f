// Messages of OUCH and packets of SoupBinTCP as lines of text, for tests.

#ifndef ENGINE_GATEWAY_OUCH_TESTING_OUCH_TEXT_H_
#define ENGINE_GATEWAY_OUCH_TESTING_OUCH_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/ouch/messages.h"
#include "engine/wire/soup/packets.h"

namespace engine {

// "accepted T1 B 100 ACME @ 10.0000 tif=99999 order=1"; the time is left out.
std::string OuchText(const ouch::Outbound& message);

// The packet, as bytes, that a client sends:
//
//   login USER PASSWORD [SESSION|-] [NUMBER]
//   enter TOKEN SIDE SHARES STOCK PRICE [FIELD=VALUE...]
//   replace TOKEN NEW_TOKEN SHARES PRICE [FIELD=VALUE...]
//   cancel TOKEN SHARES
//   modify TOKEN SIDE SHARES
//   heartbeat | logout | debug TEXT | packet TYPE [TEXT]
//
// Prices are counts of 0.0001, or "market". Fields: tif, firm, display, capacity, sweep, min,
// cross, customer.
std::string OuchBytes(absl::string_view line);

// What a client receives, numbered as it counts.
class OuchReceiver {
 public:
  // Returns a line for each packet: "#2 accepted ...", "login accepted SESSION 1".
  std::vector<std::string> Take(absl::string_view bytes);

  // The payloads of sequenced data so far, from `first_number` on.
  const std::vector<std::string>& messages() const { return messages_; }
  uint64_t first_number() const { return first_number_; }
  const std::string& session() const { return session_; }

 private:
  SoupReader reader_;
  std::string session_;
  uint64_t first_number_ = 0;
  std::vector<std::string> messages_;
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_OUCH_TESTING_OUCH_TEXT_H_
