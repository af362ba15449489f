// Cap'n Proto's words as bytes and back; attachments in its canonical form (one segment, no
// framing), so that equal values have equal bytes. For codecs; include it in .cc files only.

#ifndef ENGINE_MESSAGES_CANONICAL_MESSAGE_H_
#define ENGINE_MESSAGES_CANONICAL_MESSAGE_H_

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"

namespace engine {

// The engine's own attachments are a few words long; longer ones are refused. Notes have a bound of
// their own.
inline constexpr size_t kCanonicalBytesMax = 4096;

inline std::vector<std::byte> ToBytes(kj::ArrayPtr<const capnp::word> words) {
  const Bytes bytes = std::as_bytes(std::span(words.begin(), words.size()));
  return {bytes.begin(), bytes.end()};
}

// A copy, because the bytes may have any alignment. Errors: DATA_LOSS unless they are whole words,
// at least one and at most `bytes_max` bytes; `what` begins the message.
inline absl::StatusOr<kj::Array<capnp::word>> ToWords(absl::string_view what, Bytes bytes,
                                                      size_t bytes_max) {
  if (bytes.empty() || bytes.size() % sizeof(capnp::word) != 0 || bytes.size() > bytes_max) {
    return absl::DataLossError(absl::StrCat(
        what, " of ", bytes.size(), " bytes; expected whole words, at most ", bytes_max, " bytes"));
  }
  auto words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), bytes.size());
  return words;
}

// Calls `fill` with the struct's builder.
template <typename Struct, typename Fill>
std::vector<std::byte> EncodeCanonical(Fill fill) {
  // Enough for nearly all. The default, 8 KiB that are cleared, costs more than the encoding.
  constexpr unsigned kFirstWords = 64;
  capnp::MallocMessageBuilder message(kFirstWords);
  auto out = message.initRoot<Struct>();
  fill(out);
  return ToBytes(capnp::canonicalize(out.asReader()));
}

// Accepts any bytes. Calls `read` with the struct's reader. Errors: DATA_LOSS.
template <typename Struct, typename Read>
absl::Status DecodeCanonical(Bytes bytes, Read read, size_t bytes_max = kCanonicalBytesMax) {
  ASSIGN_OR_RETURN(const auto words, ToWords("an attachment", bytes, bytes_max));
  return CatchKj([&] {
    const kj::ArrayPtr<const capnp::word> segments[] = {words.asPtr()};
    capnp::SegmentArrayMessageReader message(segments);
    read(message.getRoot<Struct>());
  });
}

}  // namespace engine

#endif  // ENGINE_MESSAGES_CANONICAL_MESSAGE_H_
