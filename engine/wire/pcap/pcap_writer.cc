#include "engine/wire/pcap/pcap_writer.h"

#include <cstdint>
#include <limits>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/pcap/pcap_reader.h"

namespace engine {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

struct FileHeader {
  uint32_t magic = 0xa1b23c4d;
  uint16_t major = 2;
  uint16_t minor = 4;
  uint32_t reserved_1 = 0;
  uint32_t reserved_2 = 0;
  uint32_t snap_length = PcapReader::kPacketBytesMax;
  uint32_t link_type = 0;
};
static_assert(sizeof(FileHeader) == 24);

struct RecordHeader {
  uint32_t seconds = 0;
  uint32_t nanos = 0;
  uint32_t captured_bytes = 0;
  uint32_t original_bytes = 0;
};
static_assert(sizeof(RecordHeader) == 16);

void Append(Bytes bytes, std::string& out) {
  const absl::string_view text = AsText(bytes);
  out.append(text.data(), text.size());
}

}  // namespace

bool IsPcapTime(Timestamp time) {
  return time.nanos() >= 0 &&
         time.nanos() / kSecondNanos <= int64_t{std::numeric_limits<uint32_t>::max()};
}

void AppendPcapHeader(LinkType link, std::string& out) {
  Append(AsBytes(FileHeader{.link_type = static_cast<uint32_t>(link)}), out);
}

void AppendPcapRecord(Timestamp time, Bytes packet, std::string& out) {
  CHECK(IsPcapTime(time)) << time;
  CHECK_LE(packet.size(), size_t{PcapReader::kPacketBytesMax});
  const auto bytes = static_cast<uint32_t>(packet.size());
  Append(AsBytes(RecordHeader{.seconds = static_cast<uint32_t>(time.nanos() / kSecondNanos),
                              .nanos = static_cast<uint32_t>(time.nanos() % kSecondNanos),
                              .captured_bytes = bytes,
                              .original_bytes = bytes}),
         out);
  Append(packet, out);
}

}  // namespace engine
