// Marks the places where a rule can be broken on purpose, to check that a test notices
// (engine/core/mutation_test).
//
//   if (order.expires_at <= now && !ENGINE_FAULT(kExpiryLate)) ...
//
// In the production exchange this is `false`, and the compiler removes it. A variant of the same
// sources, built with TICKTAPE_FAULTS for the test alone, breaks one rule at a time.

#ifndef ENGINE_BOOK_FAULT_H_
#define ENGINE_BOOK_FAULT_H_

#ifdef TICKTAPE_FAULTS
#include "engine/book/testing/faults.h"
#define ENGINE_FAULT(name) (::engine::broken_rule == ::engine::Fault::name)
#else
#define ENGINE_FAULT(name) false
#endif

#endif  // ENGINE_BOOK_FAULT_H_
