// What must hold of a record before anything that follows from it may be known to anyone outside.

#ifndef JOURNAL_ACK_POLICY_H_
#define JOURNAL_ACK_POLICY_H_

#include <cstdint>

namespace journal {

// Written to disk: do not renumber.
enum class AckPolicy : uint8_t {
  kNone = 0,     // Nothing: a crash of the process may take back what was said.
  kWritten = 1,  // The operating system has it: it survives the process.
  kDisk = 2,     // It is on the medium: it survives the machine.
};

}  // namespace journal

#endif  // JOURNAL_ACK_POLICY_H_
