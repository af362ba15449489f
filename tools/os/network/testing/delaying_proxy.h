// A server over a slow network, on a machine whose kernel has none to offer: what passes through
// arrives as late as a link has it.
//
//   client ◄─► DelayingProxy ◄─ each direction of each connection by a LinkModel ─► server

#ifndef TOOLS_OS_NETWORK_TESTING_DELAYING_PROXY_H_
#define TOOLS_OS_NETWORK_TESTING_DELAYING_PROXY_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/network/testing/link_model.h"
#include "tools/os/thread.h"

namespace tools {

// Owned by one thread; runs on one of its own, which the destructor ends with all connections. An
// end of either side ends both once what was sent has arrived. A side that does not read makes the
// other one wait.
class DelayingProxy {
 public:
  // At the same time; further ones wait to be accepted.
  static constexpr size_t kConnectionsMax = 64;

  // `server`: "127.0.0.1:8080", by IPv4's numbers. Each direction of connection n draws from
  // numbers of its own that follow from the seed. Errors: INVALID_ARGUMENT for another address;
  // those of the system.
  static absl::StatusOr<std::unique_ptr<DelayingProxy>> Start(absl::string_view server,
                                                              const LinkTerms& terms,
                                                              uint64_t seed);
  ~DelayingProxy();
  DelayingProxy(const DelayingProxy&) = delete;
  DelayingProxy& operator=(const DelayingProxy&) = delete;

  // Where clients connect to.
  const std::string& address() const { return address_; }

 private:
  class Loop;

  DelayingProxy(std::unique_ptr<Loop> loop, std::string address);

  const std::unique_ptr<Loop> loop_;
  const std::string address_;
  Thread thread_;  // The last: it uses the others.
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_DELAYING_PROXY_H_
