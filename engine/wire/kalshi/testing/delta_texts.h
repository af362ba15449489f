// The yardstick of what reads the feed: simdjson's On-Demand alone.

#ifndef ENGINE_WIRE_KALSHI_TESTING_DELTA_TEXTS_H_
#define ENGINE_WIRE_KALSHI_TESTING_DELTA_TEXTS_H_

#include <cstdint>
#include <string_view>

#include "simdjson.h"

namespace engine::kalshi {

// The members of a delta that its reader needs, as texts: no values are made of them.
struct DeltaTexts {
  std::string_view type, ticker, price, count, side, time;
  int64_t sid = 0;
  int64_t seq = 0;
};

// Finds them in the order in which they come; false if one is missing. Texts are views of `bytes`
// and of the parser, whose `document` is used again.
bool FindDeltaTexts(simdjson::ondemand::parser& parser, simdjson::padded_string_view bytes,
                    simdjson::ondemand::document& document, DeltaTexts& texts);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_TESTING_DELTA_TEXTS_H_
