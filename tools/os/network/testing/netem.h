// A link by the kernel itself: its queueing discipline netem, on the loopback of a network
// namespace of this program's own.

#ifndef TOOLS_OS_NETWORK_TESTING_NETEM_H_
#define TOOLS_OS_NETWORK_TESTING_NETEM_H_

#include "absl/status/status.h"
#include "tools/os/network/testing/link_model.h"

namespace tools {

// Whether SetNetemLink() would succeed; tried by other processes, so that nothing of this one
// changes. Errors: FAILED_PRECONDITION with the words of the kernel or the tool that refuses.
absl::Status CheckNetem();

// Moves the calling thread, and what it starts from now on, to a network namespace whose loopback
// is such a link in each direction; at further calls, changes that link. Sockets that are open
// remain where they are. Errors: the same.
absl::Status SetNetemLink(const LinkTerms& terms);

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_NETEM_H_
