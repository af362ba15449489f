#include "tools/client/signatures/signature_table.h"

#include <algorithm>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace client {
namespace {

constexpr int64_t kNanosInMilli = 1'000'000;
constexpr int64_t kUsableNanosMax = 1'000'000'000;

int64_t MillisOf(engine::Timestamp time) { return time.nanos() / kNanosInMilli; }

// Between two times of a clock that may have stepped.
int64_t Distance(engine::Timestamp a, engine::Timestamp b) {
  const int64_t nanos = a.nanos() - b.nanos();
  return nanos < 0 ? -nanos : nanos;
}

}  // namespace

SignatureTable::SignatureTable(const tools::PrivateKey& key, const Options& options)
    : key_(key), options_(options) {
  CHECK(options.usable_nanos <= kUsableNanosMax);
  CHECK(options.renew_nanos > 0);
  CHECK(options.renew_nanos < options.usable_nanos);
}

bool SignatureTable::Keep(absl::string_view method, absl::string_view path) {
  const tools::MutexLock lock(mutex_);
  if (table_.size() == options_.paths_max) return false;
  return table_.try_emplace(Request(method, path)).second;
}

void SignatureTable::Drop(absl::string_view method, absl::string_view path) {
  const tools::MutexLock lock(mutex_);
  table_.erase(RequestView(method, path));
}

SignedTime SignatureTable::Sign(absl::string_view method, absl::string_view path,
                                engine::Timestamp now, SignedTime memory) {
  const RequestView request(method, path);
  {
    const tools::MutexLock lock(mutex_);
    const auto found = table_.find(request);
    if (found != table_.end() && !found->second.signature.empty()) {
      const Ready& ready = found->second;
      const int64_t nanos = Distance(now, ready.made);
      if (nanos <= options_.usable_nanos) {
        ++counts_.hits;
        counts_.oldest_used_nanos = std::max(counts_.oldest_used_nanos, nanos);
        memory.millis = MillisOf(ready.made);
        memory.signature = ready.signature;
        return memory;
      }
    }
    ++counts_.misses;
  }
  return {.millis = MillisOf(now), .signature = MakeSignature(request, now)};
}

bool SignatureTable::RenewOne(engine::Timestamp now) {
  Request request;
  {
    const tools::MutexLock lock(mutex_);
    const auto most = std::ranges::max_element(
        table_, {}, [&](const auto& entry) { return NanosOverdue(entry.second, now); });
    if (most == table_.end() || NanosOverdue(most->second, now) < 0) return false;
    request = most->first;
  }
  std::string signature = MakeSignature(request, now);
  const tools::MutexLock lock(mutex_);
  // It may have been dropped meanwhile.
  if (const auto found = table_.find(request); found != table_.end()) {
    found->second = {.made = now, .signature = std::move(signature)};
  }
  return true;
}

int64_t SignatureTable::NanosUntilDue(engine::Timestamp now) const {
  const tools::MutexLock lock(mutex_);
  int64_t nanos = options_.renew_nanos;
  for (const auto& [request, ready] : table_) {
    nanos = std::min(nanos, std::max<int64_t>(-NanosOverdue(ready, now), 0));
  }
  return nanos;
}

SignatureCounts SignatureTable::counts() const {
  const tools::MutexLock lock(mutex_);
  return counts_;
}

int64_t SignatureTable::NanosOverdue(const Ready& ready, engine::Timestamp now) const {
  if (ready.signature.empty()) return INT64_MAX;
  return Distance(now, ready.made) - options_.renew_nanos;
}

std::string SignatureTable::MakeSignature(const RequestView& request, engine::Timestamp now) const {
  absl::StatusOr<std::string> signature =
      key_.SignBase64(absl::StrCat(MillisOf(now), request.first, request.second));
  CHECK(signature.ok()) << signature.status();  // Out of memory: the key can sign.
  return *std::move(signature);
}

}  // namespace client
