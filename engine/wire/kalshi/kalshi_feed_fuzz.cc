// Any bytes are a frame within its bounds, or an error with a text; and the fast path agrees with
// the general one.

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/types/price.h"
#include "engine/wire/kalshi/book_messages.h"
#include "engine/wire/kalshi/feed_fast_path.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/numbers.h"

namespace {

using engine::kalshi::Count;
using engine::kalshi::FeedDecoder;
using engine::kalshi::FeedFrame;

void CheckFrame(const FeedFrame& frame) {
  for (const engine::kalshi::FeedLevel& level : frame.levels) {
    CHECK(level.price > engine::Price() && level.price < engine::kalshi::kOneDollar);
    CHECK(level.count <= engine::kalshi::kVenueCountMax);
    CHECK(Count() - level.count <= engine::kalshi::kVenueCountMax);
  }
}

void Compare(FeedDecoder& decoder, bool use_yes_price, absl::string_view bytes) {
  FeedFrame general;
  const absl::Status status = decoder.DecodeAny(bytes, general);
  CHECK(status.ok() || !status.message().empty());
  if (status.ok()) CheckFrame(general);
  // Its own midnights, so that an input is judged by itself.
  engine::kalshi::FeedFastPath fast_path({.use_yes_price = use_yes_price});
  FeedFrame fast;
  if (fast_path.Read(bytes, fast)) {
    CHECK(status.ok()) << status.message();
    CHECK(fast == general);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static FeedDecoder no_prices(/*use_yes_price=*/false);
  static FeedDecoder yes_prices(/*use_yes_price=*/true);
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  Compare(no_prices, false, bytes);
  Compare(yes_prices, true, bytes);
  return 0;
}
