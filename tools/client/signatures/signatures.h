// Signatures of requests, made ahead of time by a thread of their own.

#ifndef TOOLS_CLIENT_SIGNATURES_SIGNATURES_H_
#define TOOLS_CLIENT_SIGNATURES_SIGNATURES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "tools/client/signatures/signature_table.h"
#include "tools/os/crypto/private_key.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace client {

// Thread-safe. For the paths that an order needs next: that of new orders for the whole run, and
// one for each live order, to cancel it, dropped when the order ends.
class Signatures {
 public:
  struct Options {
    SignatureTable::Options table;
    std::optional<int> core;  // Of the thread.
  };

  // `key` and `clock`, the machine's real time, which is thread-safe, outlive it. Errors: INTERNAL,
  // if the key cannot sign; RESOURCE_EXHAUSTED, if the system has no thread for it.
  static absl::StatusOr<std::unique_ptr<Signatures>> Make(const tools::PrivateKey& key,
                                                          engine::Clock& clock,
                                                          const Options& options);
  Signatures(const Signatures&) = delete;
  Signatures& operator=(const Signatures&) = delete;

  // From the machine's time to the venue's, which signatures carry. 0 at first.
  void SetOffset(int64_t nanos);

  // Keeps a signature ready for requests of `method` to `path`, until Drop(). See SignatureTable.
  void Keep(absl::string_view method, absl::string_view path);
  void Drop(absl::string_view method, absl::string_view path);

  // The signature of a request that is sent now. Takes a lookup and a copy if one is ready, else
  // the time of a signature.
  SignedTime Sign(absl::string_view method, absl::string_view path);

  SignatureCounts counts() const { return table_.counts(); }

 private:
  Signatures(const tools::PrivateKey& key, engine::Clock& clock, const Options& options);

  void Run();
  engine::Timestamp VenueTime();

  engine::Clock& clock_;
  std::atomic<int64_t> offset_nanos_ = 0;
  SignatureTable table_;

  std::atomic<bool> is_stopped_ = false;
  tools::FutexDoorbell bell_;  // Rung when more may be due.
  tools::Thread thread_;       // The last: it uses all others.
};

}  // namespace client

#endif  // TOOLS_CLIENT_SIGNATURES_SIGNATURES_H_
