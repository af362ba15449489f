#include "tools/client/signatures/signatures.h"

#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"

namespace client {

absl::StatusOr<std::unique_ptr<Signatures>> Signatures::Make(const tools::PrivateKey& key,
                                                             engine::Clock& clock,
                                                             const Options& options) {
  RETURN_IF_ERROR(key.SignBase64("").status());
  std::unique_ptr<Signatures> signatures(new Signatures(key, clock, options));
  RETURN_IF_ERROR(signatures->thread_.status());
  return signatures;
}

Signatures::Signatures(const tools::PrivateKey& key, engine::Clock& clock, const Options& options)
    : clock_(clock),
      table_(key, options.table),
      thread_(
          "signatures", [this] { Run(); },
          [this] {
            is_stopped_ = true;
            bell_.Ring();
          },
          options.core) {}

void Signatures::SetOffset(int64_t nanos) {
  offset_nanos_ = nanos;
  bell_.Ring();
}

void Signatures::Keep(absl::string_view method, absl::string_view path) {
  if (table_.Keep(method, path)) bell_.Ring();
}

void Signatures::Drop(absl::string_view method, absl::string_view path) {
  table_.Drop(method, path);
}

SignedTime Signatures::Sign(absl::string_view method, absl::string_view path) {
  return table_.Sign(method, path, VenueTime());
}

void Signatures::Run() {
  while (!is_stopped_) {
    if (!table_.RenewOne(VenueTime())) bell_.Wait(table_.NanosUntilDue(VenueTime()));
  }
}

engine::Timestamp Signatures::VenueTime() {
  return engine::Timestamp::FromNanos(clock_.Now().nanos() + offset_nanos_);
}

}  // namespace client
