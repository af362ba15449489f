#include "engine/core/settlement.h"

namespace engine {

void SettleMarked(VenueState& venue, OrderBook::Fill fill) {
  if (fill.maker.marks.has(kFillMarks)) CountMarkedFill(venue, fill.slot, fill.traded);
  FinishMaker(venue, fill);
}

}  // namespace engine
