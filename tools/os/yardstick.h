// The speed of the machine at this moment, measured with fixed work.
//
// Other load on the host, a lower frequency or a full cache slow everything down. Timings of a
// program are only comparable while the yardstick is the same.

#ifndef TOOLS_OS_YARDSTICK_H_
#define TOOLS_OS_YARDSTICK_H_

namespace tools {

// Nanoseconds per step; each is the lower quartile of several repetitions.
struct Yardstick {
  double arithmetic = 0;   // A chain of multiplications.
  double near_memory = 0;  // A walk through 256 KiB in random order.
  double far_memory = 0;   // The same through 8 MiB.
};

// Takes some tens of milliseconds.
Yardstick MeasureYardstick();

}  // namespace tools

#endif  // TOOLS_OS_YARDSTICK_H_
