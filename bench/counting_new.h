// Every allocation of the program, counted: linking this replaces operator new and delete.

#ifndef BENCH_COUNTING_NEW_H_
#define BENCH_COUNTING_NEW_H_

#include <cstdint>

namespace bench {

// Since the program began.
uint64_t AllocationCount();

// Held now, as the allocator counts it.
int64_t BytesInUse();

}  // namespace bench

#endif  // BENCH_COUNTING_NEW_H_
