// The version of the rules of this build, which journals and snapshots record.

#ifndef REPLAY_SEMANTICS_VERSION_H_
#define REPLAY_SEMANTICS_VERSION_H_

#include <cstdint>

namespace replay {

// Version 2 gave a meaning to bytes and kinds that version 1 refused (accounts, lifecycle, order
// flags); logs that use none of them replay the same. Version 3 checks notional limits against the
// price farthest from zero at which an order may trade, fills fill-or-kill orders only against
// others' orders, refuses changes after which a post-only order would trade, keeps the priority of
// an amend that changes nothing, refuses definitions under which no order could be accepted, and
// names in a rejection only an order that the command names. Version 4 gave a meaning to kinds 25
// and 26, suspend_account and resume_account, which version 3 refused as unknown commands; logs
// that use neither replay the same.
// Version 5 bounds what a fill-or-kill order looks at, and counts a group's fills of one time as
// one in the state digest; logs with neither replay the same.
// Version 6 gave a meaning to kind 27, note, which version 5 refused as an unknown command; logs
// without one replay the same.
// Version 7 gave a meaning to kind 28, set_position_limit, which version 6 refused as an unknown
// command; logs without one replay the same.
// Version 8 gave a meaning to kinds 29 to 31, trigger_group, delete_group and set_expiry, which
// version 7 refused as unknown commands; logs that use none of them replay the same.
// Version 9 gave a meaning to kind 32, execute, and to the property `mirrored` of a market, which
// version 8 refused as an unknown command and as a malformed definition. It reads a command's kind
// from one byte of the two that it had, and the highest byte of its group from the other; version 8
// refused commands whose kind was above 255 as unknown. Logs without any of these replay the same.
inline constexpr uint32_t kSemanticsVersion = 9;

}  // namespace replay

#endif  // REPLAY_SEMANTICS_VERSION_H_
