// Any lines get replies, and the replies do not depend on how the lines were cut into chunks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"

namespace {

class Host final : public engine::TextSessionHost {
 public:
  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const engine::MarketDefinition* market, std::string& out) override {
    absl::StrAppend(&out, "BOOK ", market == nullptr ? "all" : market->symbol, "\n");
  }
};

std::string Say(engine::Bytes bytes, size_t chunk_bytes) {
  engine::ToyExchange exchange(/*waiting_max=*/3);
  Host host;
  engine::TextSession::Options options;
  options.auto_define_markets = true;
  options.auto_markets_max = 20;
  engine::MarketDirectory markets;
  engine::TextAccount account(engine::AccountId(6), markets);
  engine::TextSession session(exchange, host, markets, account, options);
  exchange.ListenWith(&session);
  while (!bytes.empty()) {
    const size_t count = std::min(chunk_bytes, bytes.size());
    CHECK(session.OnBytes(bytes.first(count)).ok());
    CHECK(!session.is_full());
    bytes = bytes.subspan(count);
  }
  CHECK(session.Finish().ok());
  exchange.Release();
  account.CheckInvariants();
  return std::string(session.output());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  CHECK(Say(bytes, bytes.size() + 1) == Say(bytes, size_t{1} + data[0]));
  return 0;
}
