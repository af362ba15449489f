// Any bytes are metadata or an error; what was read is written and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/dbn/metadata.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using engine::Bytes;
  if (size < engine::kDbnPrefixBytes) return 0;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto prefix = engine::ParseDbnPrefix(bytes.first(engine::kDbnPrefixBytes));
  if (!prefix.ok()) return 0;
  const auto metadata =
      engine::ParseDbnMetadata(prefix->first, bytes.subspan(engine::kDbnPrefixBytes));
  if (!metadata.ok() || metadata->dataset.size() > 15) return 0;
  for (const auto& symbol : metadata->symbols) {
    if (symbol.size() > 70) return 0;
  }
  for (const auto& mapping : metadata->mappings) {
    if (mapping.symbol.size() > 70) return 0;
    for (const auto& interval : mapping.intervals) {
      if (interval.symbol.size() > 70) return 0;
    }
  }
  const std::string encoded = engine::EncodeDbnMetadata(*metadata);
  const Bytes again = engine::AsBytes(absl::string_view(encoded));
  const auto parsed = engine::ParseDbnMetadata(3, again.subspan(engine::kDbnPrefixBytes));
  CHECK(parsed.ok()) << parsed.status();
  CHECK(engine::EncodeDbnMetadata(*parsed) == encoded);
  return 0;
}
