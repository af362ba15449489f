#include "engine/wire/dbn/testing/streams.h"

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {
namespace {

template <typename T>
std::string Number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

std::string Text(absl::string_view text, size_t bytes) {
  return std::string(text) + std::string(bytes - text.size(), '\0');
}

}  // namespace

std::string DbnTestMetadata(int version) {
  const size_t symbol = version == 1 ? 22 : 71;
  std::string rest = Text("TICKTAPE", 16) + Number(uint16_t{0});
  rest += Number(kDbnTestStart) + Number(kDbnTestStart + 1'000'000'000);
  rest += Number(uint64_t{0});
  if (version == 1) rest += Number(~uint64_t{0});
  rest += std::string("\1\0\0", 3);
  if (version > 1) rest += Number(static_cast<uint16_t>(symbol));
  rest += std::string(version == 1 ? 47 : 53, '\0') + Number(uint32_t{0});
  rest += Number(uint32_t{1}) + Text("AAPL", symbol);
  rest += Number(uint32_t{0}) + Number(uint32_t{0});
  rest += Number(uint32_t{1}) + Text("AAPL", symbol) + Number(uint32_t{1});
  rest += Number(uint32_t{20'200'130}) + Number(uint32_t{20'200'131}) + Text("7", symbol);
  if (version == 3) rest += std::string((8 - rest.size() % 8) % 8, '\0');
  return "DBN" + Number(static_cast<uint8_t>(version)) +
         Number(static_cast<uint32_t>(rest.size())) + rest;
}

DbnMbo DbnTestRecord(char action, char side) {
  return {.header = {.length = sizeof(DbnMbo) / 4,
                     .rtype = kDbnMboType,
                     .publisher_id = 2,
                     .instrument_id = 7,
                     .ts_event = kDbnTestStart},
          .order_id = 1,
          .price = 100'000'000'000,
          .size = 10,
          .flags = kDbnLast,
          .action = action,
          .side = side,
          .ts_recv = kDbnTestStart + 1'000'000'000};
}

std::string DbnTestBytes(const std::vector<DbnMbo>& records) {
  std::string bytes;
  for (const DbnMbo& record : records) bytes += std::string(AsText(AsBytes(record)));
  return bytes;
}

}  // namespace engine
