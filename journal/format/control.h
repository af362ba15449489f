// What a CONTROL block says: something about the journal itself, not about what it records.
// FORMAT.md, section 3.
//
//   bits 0 … 7 │ 8 … 15 │ 16 … 23 │ 24 … 63
//   subject    │ before │ after   │ 0
//
// Readers of records pass it over: it is no part of the log, nor of its digest.

#ifndef JOURNAL_FORMAT_CONTROL_H_
#define JOURNAL_FORMAT_CONTROL_H_

#include <cstdint>

#include "journal/ack_policy.h"

namespace journal {

// Written to disk: do not renumber. Zero is no subject.
enum class ControlSubject : uint8_t {
  kAckPolicy = 1,  // The records from here on are acknowledged by another policy.
};

constexpr uint64_t EncodeAckPolicyChange(AckPolicy before, AckPolicy after) {
  return static_cast<uint64_t>(ControlSubject::kAckPolicy) | static_cast<uint64_t>(before) << 8 |
         static_cast<uint64_t>(after) << 16;
}

// Whether this build knows what it says.
constexpr bool IsControl(uint64_t control) {
  return (control & 0xff) == static_cast<uint64_t>(ControlSubject::kAckPolicy) &&
         (control >> 8 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) &&
         (control >> 16 & 0xff) <= static_cast<uint64_t>(AckPolicy::kDisk) && control >> 24 == 0;
}

}  // namespace journal

#endif  // JOURNAL_FORMAT_CONTROL_H_
