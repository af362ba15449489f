#include "engine/wire/testing/compressed.h"

#include <zlib.h>

#include "engine/base/check.h"
#include "engine/wire/zstd.h"

namespace engine {

std::string Gzipped(absl::string_view plain) {
  z_stream stream = {};
  CHECK_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));  // NOLINT
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  CHECK_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstandard(absl::string_view plain) {
  ZstdWriter writer;
  std::string packed;
  writer.Write(plain, packed);
  writer.Finish(packed);
  return packed;
}

}  // namespace engine
