#include "tools/backtest/renumbering.h"

#include <algorithm>
#include <cstddef>

namespace tools {

void Renumbering::Insert(uint64_t recorded) {
  const size_t chunk = recorded >> kChunkBits;
  while (chunks_.size() <= chunk) chunks_.push_back(inserted_before_.size());
  inserted_before_.push_back(recorded);
}

uint64_t Renumbering::NumberOf(uint64_t recorded) const {
  const size_t chunk = recorded >> kChunkBits;
  if (chunk >= chunks_.size()) return recorded + inserted_before_.size();
  const auto begin = inserted_before_.begin() + static_cast<ptrdiff_t>(chunks_[chunk]);
  const auto end = chunk + 1 < chunks_.size()
                       ? inserted_before_.begin() + static_cast<ptrdiff_t>(chunks_[chunk + 1])
                       : inserted_before_.end();
  return recorded +
         static_cast<uint64_t>(std::upper_bound(begin, end, recorded) - inserted_before_.begin());
}

}  // namespace tools
