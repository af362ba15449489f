// Any bytes are a command within its bounds, or a refusal with a text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/kalshi/commands.h"

namespace {

using engine::kalshi::CommandDecoder;

void CheckList(const std::vector<absl::string_view>& texts) {
  CHECK(texts.size() <= CommandDecoder::kListMax);
  CHECK(std::is_sorted(texts.begin(), texts.end()));
}

struct CheckBody {
  void operator()(const engine::kalshi::Subscribe& subscribe) const {
    CHECK(!subscribe.channels.empty());
    CHECK(subscribe.channels.size() <= size_t{engine::kalshi::kChannelCount});
    CheckList(subscribe.market_tickers);
    CheckList(subscribe.market_ids);
  }
  void operator()(const engine::kalshi::Unsubscribe& unsubscribe) const {
    CHECK(!unsubscribe.sids.empty() && unsubscribe.sids.size() <= CommandDecoder::kListMax);
  }
  void operator()(const engine::kalshi::UpdateSubscription& update) const {
    CheckList(update.market_tickers);
    CheckList(update.market_ids);
  }
  void operator()(const engine::kalshi::ListSubscriptions&) const {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static CommandDecoder decoder;
  const auto command = decoder.Decode({reinterpret_cast<const char*>(data), size});
  if (const auto* refusal = std::get_if<engine::kalshi::SocketRefusal>(&command)) {
    CHECK(!engine::kalshi::SocketErrorText(refusal->code).empty());
  } else {
    std::visit(CheckBody(), std::get<engine::kalshi::SocketCommand>(command).body);
  }
  return 0;
}
