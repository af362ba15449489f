// The content of a CONTROL block: information about the journal itself, not about its records.
// FORMAT.md, section 3.
//
//   bits 0 … 7 │ 8 … 15 │ 16 … 23 │ 24 … 63
//   subject    │ before │ after   │ 0
//
// Readers skip CONTROL blocks: they are not part of the log or of its digest.

#ifndef JOURNAL_FORMAT_CONTROL_H_
#define JOURNAL_FORMAT_CONTROL_H_

#include <cstdint>

#include "journal/ack_policy.h"

namespace journal {

// Written to disk: do not renumber. Zero is not a subject.
enum class ControlSubject : uint8_t {
  kAckPolicy = 1,  // The ack policy changes from the next record on.
};

constexpr uint64_t EncodeAckPolicyChange(AckPolicy before, AckPolicy after) {
  return static_cast<uint64_t>(ControlSubject::kAckPolicy) | static_cast<uint64_t>(before) << 8 |
         static_cast<uint64_t>(after) << 16;
}

// Whether this build knows the subject and its values.
constexpr bool IsControl(uint64_t control) {
  return (control & 0xff) == static_cast<uint64_t>(ControlSubject::kAckPolicy) &&
         (control >> 8 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) &&
         (control >> 16 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) && control >> 24 == 0;
}

}  // namespace journal

#endif  // JOURNAL_FORMAT_CONTROL_H_
