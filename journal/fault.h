// Points where a guarantee can be broken on purpose, to prove that a test notices (canary_test).
//
//   if (!JOURNAL_FAULT(kDirectoryNotSynced)) RETURN_IF_ERROR(directory.Sync());
//
// In production builds the macro is `false` and the compiler removes the branch. A test-only build
// of the same sources with TICKTAPE_FAULTS breaks one guarantee at a time.

#ifndef JOURNAL_FAULT_H_
#define JOURNAL_FAULT_H_

#ifdef TICKTAPE_FAULTS
#include "journal/testing/faults.h"
#define JOURNAL_FAULT(name) (::journal::broken_promise == ::journal::Fault::name)
#else
#define JOURNAL_FAULT(name) false
#endif

#endif  // JOURNAL_FAULT_H_
