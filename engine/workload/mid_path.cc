#include "engine/workload/mid_path.h"

#include <algorithm>

#include "engine/base/check.h"
#include "engine/workload/fixed_point.h"

namespace bench {
namespace {

// The limit of the logarithm of the relative price; e^2.5 is enough for every swing.
constexpr Fixed kFurthest = FixedRatio(5, 2);

// A Brownian motion that starts at 0.
std::vector<Fixed> MakeWalk(RandomNumbers& random, size_t step_count) {
  std::vector<Fixed> walk(step_count);
  Fixed at = 0;
  for (Fixed& each : walk) {
    each = at;
    at += random.Normal();
  }
  return walk;
}

// The walk at `step`, with a linear drift that falls by `fall` over its whole length.
Fixed Drifted(const std::vector<Fixed>& walk, size_t step, Fixed fall) {
  const auto fallen =
      static_cast<__int128>(fall) * static_cast<int64_t>(step) / static_cast<int64_t>(walk.size());
  return walk[step] - static_cast<Fixed>(fallen);
}

// See MidPath::apart_permille. Uses a sample of the steps.
int64_t ApartPermille(const std::vector<Fixed>& walk, Fixed fall) {
  const size_t stride = std::max<size_t>(walk.size() / 20'000, 1);
  std::vector<Fixed> before, after;
  for (size_t step = 0; step < walk.size(); step += stride) {
    (step < walk.size() / 2 ? before : after).push_back(Drifted(walk, step, fall));
  }
  std::sort(before.rbegin(), before.rend());
  std::sort(after.begin(), after.end());
  size_t pairs = 0;
  while (pairs < before.size() && pairs < after.size() && before[pairs] >= after[pairs]) ++pairs;
  return 1000 - static_cast<int64_t>(1000 * pairs / before.size());
}

// Finds the drift by bisection: the further the walk falls, the smaller the part that is apart.
void AddDrift(int64_t apart_permille, std::vector<Fixed>& walk) {
  const auto deviation = static_cast<int64_t>(SquareRoot(walk.size()));
  Fixed least = FixedOf(-8 * deviation), most = FixedOf(8 * deviation);
  while (most - least > kFixedOne) {
    const Fixed fall = least + (most - least) / 2;
    (ApartPermille(walk, fall) > apart_permille ? least : most) = fall;
  }
  for (size_t step = 0; step < walk.size(); ++step) walk[step] = Drifted(walk, step, most);
}

int64_t PriceAt(Fixed walked, Fixed scale, int64_t first) {
  return Round(first * ExpOf(std::clamp(Multiply(walked, scale), -kFurthest, kFurthest)));
}

}  // namespace

std::vector<int64_t> MakeMidPath(RandomNumbers& random, const MidPath& path) {
  CHECK(path.step_count >= 2 && path.first > 0);
  CHECK(path.swing_percent >= 0 && path.swing_percent <= 90);
  std::vector<Fixed> walk = MakeWalk(random, path.step_count);
  AddDrift(path.apart_permille, walk);
  const auto [lowest, highest] = std::minmax_element(walk.begin(), walk.end());
  // The largest scale that does not exceed the swing, bit by bit.
  Fixed scale = 0;
  const int64_t swing = path.first * path.swing_percent / 100;
  for (Fixed bit = kFixedOne; bit > 0; bit /= 2) {
    const int64_t reached =
        PriceAt(*highest, scale + bit, path.first) - PriceAt(*lowest, scale + bit, path.first);
    if (reached <= swing) scale += bit;
  }
  if (swing == 0) scale = 0;
  std::vector<int64_t> mids;
  mids.reserve(walk.size());
  for (const Fixed each : walk) mids.push_back(PriceAt(each, scale, path.first));
  return mids;
}

}  // namespace bench
