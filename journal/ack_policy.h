// When a record is acknowledged: the state it must reach before its effects may leave the process.

#ifndef JOURNAL_ACK_POLICY_H_
#define JOURNAL_ACK_POLICY_H_

#include <cstdint>

namespace journal {

// Written to disk: do not renumber.
enum class AckPolicy : uint8_t {
  kNone = 0,     // None: a crash of the process may lose acknowledged records.
  kWritten = 1,  // The operating system has the record: it survives a crash of the process.
  kDisk = 2,     // The record is on the medium: it survives a power cut.
};

}  // namespace journal

#endif  // JOURNAL_ACK_POLICY_H_
