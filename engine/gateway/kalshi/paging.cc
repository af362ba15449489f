#include "engine/gateway/kalshi/paging.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/wire/kalshi/public_id.h"

namespace engine {

uint32_t ListingOf(const KalshiIds& ids, AccountId account, const kalshi::QueryString& query) {
  const kalshi::PublicId owner = ids.Of(account);
  std::string text(owner.text());
  for (const absl::string_view name :
       {"ticker", "tickers", "event_ticker", "series_ticker", "order_id"}) {
    std::vector<std::string> values = query.List(name);
    std::ranges::sort(values);
    for (const std::string& value : values) absl::StrAppend(&text, "\n", name, "=", value);
  }
  return static_cast<uint32_t>(DigestOf(AsBytes(text)).low);
}

}  // namespace engine
