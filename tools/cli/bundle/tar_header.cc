#include "tools/cli/bundle/tar_header.h"

#include <bit>
#include <cstring>
#include <span>
#include <string>

#include "absl/strings/str_format.h"
#include "engine/base/check.h"

namespace tools {
namespace {

// POSIX.1-1988, "ustar". Numbers are octal text.
struct UstarHeader {
  char name[100];
  char mode[8];
  char user[8];
  char group[8];
  char size[12];
  char time[12];
  char checksum[8];
  char type;
  char link[100];
  char magic[8];
  char rest[247];
};
static_assert(sizeof(UstarHeader) == kTarBlockBytes);

template <size_t kBytes>
void PutOctal(char (&field)[kBytes], uint64_t value) {
  const std::string text = absl::StrFormat("%0*o", static_cast<int>(kBytes) - 1, value);
  CHECK_LE(text.size(), kBytes - 1);
  std::memcpy(field, text.data(), text.size());
}

}  // namespace

std::array<std::byte, kTarBlockBytes> MakeTarHeader(absl::string_view name, uint64_t bytes,
                                                    uint64_t seconds) {
  CHECK_LE(name.size(), kArchiveNameBytesMax);
  UstarHeader header = {};
  std::memcpy(header.name, name.data(), name.size());
  PutOctal(header.mode, 0644);
  PutOctal(header.user, 0);
  PutOctal(header.group, 0);
  // Sizes from 8 GiB do not fit eleven octal digits: GNU writes them in binary, big-endian, after a
  // set top bit.
  if (bytes >> 33 == 0) {
    PutOctal(header.size, bytes);
  } else {
    header.size[0] = static_cast<char>(0x80);
    for (size_t i = 0; i < 8; ++i) {
      header.size[11 - i] = static_cast<char>(bytes >> (8 * i) & 0xff);
    }
  }
  PutOctal(header.time, seconds);
  header.type = '0';
  std::memcpy(header.magic,
              "ustar\0"
              "00",
              sizeof(header.magic));
  std::memset(header.checksum, ' ', sizeof(header.checksum));
  unsigned sum = 0;
  for (const std::byte byte : std::as_bytes(std::span(&header, 1))) {
    sum += std::to_integer<unsigned>(byte);
  }
  const std::string text = absl::StrFormat("%06o", sum);
  std::memcpy(header.checksum, text.c_str(), text.size() + 1);
  return std::bit_cast<std::array<std::byte, kTarBlockBytes>>(header);
}

}  // namespace tools
