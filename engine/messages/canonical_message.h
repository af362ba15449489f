// Encodes and decodes attachments in Cap'n Proto's canonical form (one segment, no framing), so
// that equal values have equal bytes. For codecs; include it in .cc files only.

#ifndef ENGINE_MESSAGES_CANONICAL_MESSAGE_H_
#define ENGINE_MESSAGES_CANONICAL_MESSAGE_H_

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/catch_kj.h"

namespace engine {

// The engine's own attachments are a few words long; longer ones are refused.
inline constexpr size_t kCanonicalBytesMax = 4096;

// Calls `fill` with the struct's builder.
template <typename Struct, typename Fill>
std::vector<std::byte> EncodeCanonical(Fill fill) {
  capnp::MallocMessageBuilder message;
  auto out = message.initRoot<Struct>();
  fill(out);
  const kj::Array<capnp::word> words = capnp::canonicalize(out.asReader());
  const auto bytes = words.asBytes();
  std::vector<std::byte> result(bytes.size());
  std::memcpy(result.data(), bytes.begin(), bytes.size());
  return result;
}

// Accepts any bytes. Calls `read` with the struct's reader. Errors: DATA_LOSS.
template <typename Struct, typename Read>
absl::Status DecodeCanonical(Bytes bytes, Read read) {
  if (bytes.empty() || bytes.size() % sizeof(capnp::word) != 0 ||
      bytes.size() > kCanonicalBytesMax) {
    return absl::DataLossError(absl::StrCat("an attachment of ", bytes.size(),
                                            " bytes; expected whole words, at most ",
                                            kCanonicalBytesMax, " bytes"));
  }
  // A copy, because the attachment may have any alignment.
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), bytes.size());
  return CatchKj([&] {
    const kj::ArrayPtr<const capnp::word> segments[] = {words.asPtr()};
    capnp::SegmentArrayMessageReader message(segments);
    read(message.getRoot<Struct>());
  });
}

}  // namespace engine

#endif  // ENGINE_MESSAGES_CANONICAL_MESSAGE_H_
