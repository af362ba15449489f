// Decodes the records of a DBN file or pipe, plain or compressed with zstd, in chunks of any size.
//
//   chunks ──► zstd (if it begins so) ──► metadata ──► records ──► those of orders (MBO)

#ifndef ENGINE_WIRE_DBN_STREAM_READER_H_
#define ENGINE_WIRE_DBN_STREAM_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/zstd.h"

namespace engine {

// Sans-I/O. Not thread-safe: owned by the reader of the stream. Failure is sticky. Keeps at most
// the metadata, and one record.
//
//   while (chunk = read the input) {
//     reader.Feed(chunk);
//     while (true) { ASSIGN_OR_RETURN(const bool more, reader.Next(record)); if (!more) break; … }
//   }
//   reader.Finish()
class DbnStreamReader {
 public:
  using PerType = std::array<uint64_t, 256>;  // By rtype.

  // `chunk` stays valid until Next returns false. REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next record of type MBO; those of other types are counted. Returns false if the chunk
  // is used up. Errors: INVALID_ARGUMENT with the byte offset in the uncompressed stream if it is
  // malformed, or its metadata says that it has no orders; those of ZstdReader.
  absl::StatusOr<bool> Next(DbnMbo& record);

  // Call at the end of the input. Errors: DATA_LOSS if it ends inside the metadata, a record or
  // compressed data.
  absl::Status Finish();

  // Null until it has arrived whole.
  const DbnMetadata* metadata() const { return metadata_.has_value() ? &*metadata_ : nullptr; }
  // Records so far.
  const PerType& counts() const { return counts_; }
  bool is_zstd() const { return zstd_ != nullptr; }

 private:
  void Begin();
  absl::StatusOr<bool> Take(DbnMbo& record);
  absl::StatusOr<bool> TakePlain(DbnMbo& record);
  absl::StatusOr<bool> TakeMetadata();
  absl::Status CheckRecord(size_t size, uint8_t rtype) const;
  // The next `size` bytes, valid until the next call; nullopt if they have not all arrived.
  std::optional<Bytes> Collect(size_t size);

  std::vector<std::byte> beginning_;  // Copied until there is enough to detect zstd.
  bool began_ = false;                // Whether there was enough.
  std::unique_ptr<ZstdReader> zstd_;  // Null for a plain stream.
  std::vector<std::byte> plain_;      // The output of zstd_; kept for reuse.

  Bytes input_;                       // Plain bytes that are not used yet.
  std::vector<std::byte> collected_;  // The beginning of what Collect() waits for.
  std::vector<std::byte> piece_;      // What it has returned.
  uint64_t offset_ = 0;               // Of the next piece.

  int version_ = 0;              // 0 until the prefix has arrived.
  uint32_t metadata_bytes_ = 0;  // After the prefix.
  std::optional<DbnMetadata> metadata_;
  PerType counts_ = {};
  absl::Status status_;  // Sticky; see the class comment.
};

// Databento's name of a type of records, as "mbp-10"; empty if it is not known.
absl::string_view DbnTypeName(uint8_t rtype);

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_STREAM_READER_H_
