// Where a promise can be broken on purpose, to see that a test notices (canary_test).
//
//   if (!JOURNAL_FAULT(kDirectoryNotSynced)) RETURN_IF_ERROR(directory.Sync());
//
// In the journal that is run this is `false`, and the compiler removes it. A variant of the same
// sources that is built with TICKTAPE_FAULTS, for the test alone, breaks one promise at a time.

#ifndef JOURNAL_FAULT_H_
#define JOURNAL_FAULT_H_

#ifdef TICKTAPE_FAULTS
#include "journal/testing/faults.h"
#define JOURNAL_FAULT(name) (::journal::broken_promise == ::journal::Fault::name)
#else
#define JOURNAL_FAULT(name) false
#endif

#endif  // JOURNAL_FAULT_H_
