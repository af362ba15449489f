// How fast the machine is just now, whatever program is measured on it: fixed work, timed.
//
// A neighbour on the same host, a lower frequency or a full cache make everything slower. What a
// program takes says nothing about the program unless the yardstick is as long as it was.

#ifndef TOOLS_OS_YARDSTICK_H_
#define TOOLS_OS_YARDSTICK_H_

namespace tools {

// Nanoseconds a step, each the lower quartile of several goes.
struct Yardstick {
  double arithmetic = 0;   // A chain of multiplications.
  double near_memory = 0;  // A walk through 256 KiB in random order.
  double far_memory = 0;   // The same through 8 MiB.
};

// Takes some tens of milliseconds.
Yardstick MeasureYardstick();

}  // namespace tools

#endif  // TOOLS_OS_YARDSTICK_H_
