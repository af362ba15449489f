#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"

namespace replay {
namespace {

constexpr uint32_t kCookie = 0x1c849313;
constexpr uint32_t kCompressedCookie = 0x1c849314;
constexpr size_t kHeaderBytes = 40;
constexpr size_t kCompressedHeaderBytes = 8;
constexpr uint32_t kSignificantDigits = 2;
constexpr uint64_t kLowest = 1;
constexpr uint64_t kHighest = (uint64_t{1} << LatencyHistogram::kValueBits) - 1;
constexpr uint64_t kRatioOne = 0x3ff0000000000000;  // 1.0: values are nanoseconds.
constexpr size_t kEncodedBytesMax = kHeaderBytes + LatencyHistogram::kSlots * 9;

void Append(std::string& out, uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i) out.push_back(static_cast<char>(value >> (8 * i)));
}

uint64_t Read(absl::string_view in, size_t at, size_t bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<uint8_t>(in[at + i]);
  return value;
}

// ZigZag, then seven bits per byte; a ninth byte has eight.
void AppendVarint(std::string& out, int64_t signed_value) {
  auto value =
      (static_cast<uint64_t>(signed_value) << 1) ^ static_cast<uint64_t>(signed_value >> 63);
  for (int i = 0; i < 8 && value >= 0x80; ++i, value >>= 7) {
    out.push_back(static_cast<char>(value | 0x80));
  }
  out.push_back(static_cast<char>(value));
}

std::optional<int64_t> ReadVarint(absl::string_view in, size_t& at) {
  uint64_t value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at == in.size()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(in[at++]);
    value |= uint64_t{i < 8 ? byte & 0x7fu : byte} << (7 * i);
    if (byte < 0x80) break;
  }
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

// A run of empty slots is encoded as its negative length.
std::string EncodeCounts(std::span<const uint64_t> slots) {
  while (!slots.empty() && slots.back() == 0) slots = slots.first(slots.size() - 1);
  std::string out;
  for (size_t i = 0; i < slots.size();) {
    int64_t zeros = 0;
    for (; slots[i] == 0; ++i) ++zeros;
    if (zeros > 0) AppendVarint(out, zeros == 1 ? 0 : -zeros);
    AppendVarint(out, static_cast<int64_t>(slots[i++]));
  }
  return out;
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("histogram: ", what));
}

absl::StatusOr<std::string> Inflate(absl::string_view text) {
  std::string bytes;
  if (!absl::Base64Unescape(text, &bytes)) return Damaged("not base64");
  if (bytes.size() < kCompressedHeaderBytes) {
    return Damaged(absl::StrCat(bytes.size(), " bytes, expected at least 8"));
  }
  if (Read(bytes, 0, 4) != kCompressedCookie) {
    return Damaged(absl::StrFormat("begins with %08x, expected %08x (compressed, version 2)",
                                   Read(bytes, 0, 4), kCompressedCookie));
  }
  if (Read(bytes, 4, 4) != bytes.size() - kCompressedHeaderBytes) {
    return Damaged(absl::StrCat("says that ", Read(bytes, 4, 4), " bytes follow, and there are ",
                                bytes.size() - kCompressedHeaderBytes));
  }
  std::string out(kEncodedBytesMax, '\0');
  uLongf size = out.size();
  if (uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                 reinterpret_cast<const Bytef*>(bytes.data()) + kCompressedHeaderBytes,
                 bytes.size() - kCompressedHeaderBytes) != Z_OK) {
    return Damaged("its compressed part cannot be read");
  }
  out.resize(size);
  return out;
}

}  // namespace

std::string EncodeHistogram(const LatencyHistogram& histogram) {
  const std::string counts = EncodeCounts(histogram.slots());
  std::string plain;
  Append(plain, kCookie, 4);
  Append(plain, counts.size(), 4);
  Append(plain, 0, 4);  // The normalizing index offset.
  Append(plain, kSignificantDigits, 4);
  Append(plain, kLowest, 8);
  Append(plain, kHighest, 8);
  Append(plain, kRatioOne, 8);
  plain += counts;
  uLongf size = compressBound(plain.size());
  std::string compressed(size, '\0');
  compress(reinterpret_cast<Bytef*>(compressed.data()), &size,
           reinterpret_cast<const Bytef*>(plain.data()), plain.size());
  std::string out;
  Append(out, kCompressedCookie, 4);
  Append(out, size, 4);
  out.append(compressed, 0, size);
  return absl::Base64Escape(out);
}

absl::StatusOr<LatencyHistogram> DecodeHistogram(absl::string_view text, uint64_t max) {
  const absl::StatusOr<std::string> plain = Inflate(text);
  if (!plain.ok()) return plain.status();
  if (plain->size() < kHeaderBytes || Read(*plain, 0, 4) != kCookie) {
    return Damaged("its header is not that of version 2");
  }
  if (Read(*plain, 4, 4) != plain->size() - kHeaderBytes) return Damaged("its length is wrong");
  if (Read(*plain, 8, 4) != 0 || Read(*plain, 12, 4) != kSignificantDigits ||
      Read(*plain, 16, 8) != kLowest || Read(*plain, 24, 8) != kHighest) {
    return absl::UnimplementedError(absl::StrCat(
        "histogram: expected 2 significant digits of values from 1 to ", kHighest, ", unshifted"));
  }
  std::vector<uint64_t> slots;
  uint64_t sum = 0;
  for (size_t at = kHeaderBytes; at < plain->size();) {
    const std::optional<int64_t> value = ReadVarint(*plain, at);
    if (!value.has_value()) return Damaged("its last count is cut off");
    const uint64_t zeros = *value < 0 ? -static_cast<uint64_t>(*value) : 0;
    if (zeros >= LatencyHistogram::kSlots - slots.size()) return Damaged("it has too many counts");
    if (zeros > 0) {
      slots.resize(slots.size() + zeros);
    } else {
      slots.push_back(static_cast<uint64_t>(*value));
      if (__builtin_add_overflow(sum, slots.back(), &sum)) return Damaged("its counts overflow");
    }
  }
  return LatencyHistogram(slots, max);
}

std::string PercentileTable(const LatencyHistogram& histogram) {
  std::string out = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";
  uint64_t seen = 0;
  double shown_up_to = 0;
  for (size_t slot = 0; slot < histogram.slots().size(); ++slot) {
    if (histogram.slots()[slot] == 0) continue;
    seen += histogram.slots()[slot];
    const double share = static_cast<double>(seen) / static_cast<double>(histogram.count());
    // A line each time a tenth of the remaining share has been passed.
    if (seen != histogram.count() && share < shown_up_to) continue;
    shown_up_to = share + (1 - share) / 10;
    const auto value =
        static_cast<double>(std::min(LatencyHistogram::HighestIn(slot), histogram.max())) / 1000;
    absl::StrAppendFormat(&out, "%12.3f %14.12f %10d", value, share, seen);
    if (seen != histogram.count()) absl::StrAppendFormat(&out, " %14.2f", 1 / (1 - share));
    out += "\n";
  }
  return out;
}

}  // namespace replay
