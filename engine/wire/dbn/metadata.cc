#include "engine/wire/dbn/metadata.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr absl::string_view kMagic = "DBN";
constexpr int kVersionMax = 3;
constexpr size_t kDatasetBytes = 16;
constexpr size_t kSymbolBytesOf1 = 22;  // Version 1; later versions say it themselves.
constexpr size_t kSymbolBytes = 71;
constexpr size_t kSymbolBytesLimit = 4096;
constexpr size_t kReservedBytesOf1 = 47;
constexpr size_t kReservedBytes = 53;
constexpr uint32_t kFixedBytes = 100;
constexpr uint32_t kLengthMin = kFixedBytes + 5 * 4;  // And five counts.
constexpr uint32_t kLengthMax = 256 << 20;

class Writer {
 public:
  template <typename T>
  void Number(T value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  // With at least one zero at its end.
  void Text(absl::string_view text, size_t bytes) {
    CHECK_LT(text.size(), bytes);
    out_.append(text.data(), text.size());
    out_.append(bytes - text.size(), '\0');
  }
  void Texts(const std::vector<std::string>& texts) {
    Number(static_cast<uint32_t>(texts.size()));
    for (const std::string& text : texts) Text(text, kSymbolBytes);
  }
  std::string& out() { return out_; }

 private:
  std::string out_;
};

class Parser {
 public:
  explicit Parser(Bytes rest) : rest_(rest) {}

  template <typename T>
  absl::StatusOr<T> Number(const char* what) {
    RETURN_IF_ERROR(CheckHas(sizeof(T), what));
    return LoadLittleEndian<T>(Take(sizeof(T)).data());
  }
  absl::StatusOr<std::string> Text(size_t bytes, const char* what) {
    RETURN_IF_ERROR(CheckHas(bytes, what));
    const absl::string_view field = AsText(Take(bytes));
    const absl::string_view text = field.substr(0, field.find('\0'));
    for (const char c : text) {
      if (c < ' ' || c > '~') {
        return Refuse(absl::StrCat(what, " \"", absl::CHexEscape(text), "\" is not ASCII text"));
      }
    }
    return std::string(text);
  }
  // A count of things of at least `bytes_each` bytes, which the rest has room for.
  absl::StatusOr<uint32_t> Count(size_t bytes_each, const char* what) {
    ASSIGN_OR_RETURN(const uint32_t count, Number<uint32_t>(what));
    if (count > rest_.size() / bytes_each) {
      return Refuse(
          absl::StrCat(count, " ", what, " do not fit in the remaining ", rest_.size(), " bytes"));
    }
    return count;
  }
  absl::Status Skip(size_t bytes, const char* what) {
    RETURN_IF_ERROR(CheckHas(bytes, what));
    Take(bytes);
    return absl::OkStatus();
  }

 private:
  Bytes Take(size_t bytes) {
    const Bytes taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    offset_ += bytes;
    return taken;
  }
  absl::Status CheckHas(size_t bytes, const char* what) const {
    if (bytes <= rest_.size()) return absl::OkStatus();
    return Refuse(absl::StrCat("the metadata ends inside ", what));
  }
  absl::Status Refuse(absl::string_view why) const {
    return absl::InvalidArgumentError(absl::StrCat("metadata at byte ", offset_, ": ", why));
  }

  Bytes rest_;
  uint64_t offset_ = kDbnPrefixBytes;
};

absl::Status ParseMappings(Parser& parser, size_t symbol_bytes, DbnMetadata& metadata) {
  ASSIGN_OR_RETURN(const uint32_t count, parser.Count(symbol_bytes + 4, "symbol mappings"));
  for (uint32_t i = 0; i < count; ++i) {
    DbnMapping& mapping = metadata.mappings.emplace_back();
    ASSIGN_OR_RETURN(mapping.symbol, parser.Text(symbol_bytes, "a mapped symbol"));
    ASSIGN_OR_RETURN(const uint32_t intervals, parser.Count(symbol_bytes + 8, "intervals"));
    for (uint32_t j = 0; j < intervals; ++j) {
      DbnMapping::Interval& interval = mapping.intervals.emplace_back();
      ASSIGN_OR_RETURN(interval.start_date, parser.Number<uint32_t>("a start date"));
      ASSIGN_OR_RETURN(interval.end_date, parser.Number<uint32_t>("an end date"));
      ASSIGN_OR_RETURN(interval.symbol, parser.Text(symbol_bytes, "an interval's symbol"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string EncodeDbnMetadata(const DbnMetadata& metadata) {
  Writer writer;
  writer.Text(metadata.dataset, kDatasetBytes);
  writer.Number(static_cast<uint16_t>(metadata.schema));
  writer.Number(metadata.start);
  writer.Number(metadata.end);
  writer.Number(uint64_t{0});  // No limit.
  writer.Number(metadata.symbols_in);
  writer.Number(metadata.symbols_out);
  writer.Number(static_cast<uint8_t>(metadata.has_send_times));
  writer.Number(static_cast<uint16_t>(kSymbolBytes));
  writer.out().append(kReservedBytes, '\0');
  writer.Number(uint32_t{0});  // No schema definition.
  writer.Texts(metadata.symbols);
  writer.Texts({});  // Partly found.
  writer.Texts({});  // Not found.
  writer.Number(static_cast<uint32_t>(metadata.mappings.size()));
  for (const DbnMapping& mapping : metadata.mappings) {
    writer.Text(mapping.symbol, kSymbolBytes);
    writer.Number(static_cast<uint32_t>(mapping.intervals.size()));
    for (const DbnMapping::Interval& interval : mapping.intervals) {
      writer.Number(interval.start_date);
      writer.Number(interval.end_date);
      writer.Text(interval.symbol, kSymbolBytes);
    }
  }
  std::string& rest = writer.out();
  rest.append((8 - rest.size() % 8) % 8, '\0');
  Writer prefix;
  prefix.out() = std::string(kMagic);
  prefix.Number(static_cast<uint8_t>(kVersionMax));
  prefix.Number(static_cast<uint32_t>(rest.size()));
  return prefix.out() + rest;
}

absl::StatusOr<std::pair<int, uint32_t>> ParseDbnPrefix(Bytes prefix) {
  CHECK_EQ(prefix.size(), kDbnPrefixBytes);
  const absl::string_view text = AsText(prefix);
  if (text.substr(0, kMagic.size()) != kMagic) {
    return absl::InvalidArgumentError(absl::StrCat("the stream begins with \"",
                                                   absl::CHexEscape(text.substr(0, kMagic.size())),
                                                   "\", expected \"DBN\", or zstd of that"));
  }
  const int version = static_cast<uint8_t>(text[kMagic.size()]);
  if (version < 1 || version > kVersionMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("version ", version, " of DBN is not known, expected 1, 2 or 3"));
  }
  const auto length = LoadLittleEndian<uint32_t>(prefix.data() + 4);
  if (length < kLengthMin || length > kLengthMax) {
    return absl::InvalidArgumentError(absl::StrCat("the metadata has ", length, " bytes, expected ",
                                                   kLengthMin, " to ", kLengthMax));
  }
  return std::pair(version, length);
}

absl::StatusOr<DbnMetadata> ParseDbnMetadata(int version, Bytes rest) {
  Parser parser(rest);
  DbnMetadata metadata = {.version = version};
  ASSIGN_OR_RETURN(metadata.dataset, parser.Text(kDatasetBytes, "the dataset"));
  ASSIGN_OR_RETURN(const uint16_t schema, parser.Number<uint16_t>("the schema"));
  metadata.schema = static_cast<DbnSchema>(schema);
  ASSIGN_OR_RETURN(metadata.start, parser.Number<uint64_t>("the start"));
  ASSIGN_OR_RETURN(metadata.end, parser.Number<uint64_t>("the end"));
  RETURN_IF_ERROR(parser.Skip(8, "the limit"));
  if (version == 1) RETURN_IF_ERROR(parser.Skip(8, "the number of records"));
  ASSIGN_OR_RETURN(metadata.symbols_in, parser.Number<uint8_t>("the kind of symbols"));
  ASSIGN_OR_RETURN(metadata.symbols_out, parser.Number<uint8_t>("the kind of symbols"));
  ASSIGN_OR_RETURN(const uint8_t send_times, parser.Number<uint8_t>("ts_out"));
  metadata.has_send_times = send_times != 0;
  size_t symbol_bytes = kSymbolBytesOf1;
  if (version > 1) {
    ASSIGN_OR_RETURN(symbol_bytes, parser.Number<uint16_t>("the length of symbols"));
    if (symbol_bytes == 0 || symbol_bytes > kSymbolBytesLimit) {
      return absl::InvalidArgumentError(absl::StrCat("metadata: symbols have ", symbol_bytes,
                                                     " bytes, expected 1 to ", kSymbolBytesLimit));
    }
  }
  RETURN_IF_ERROR(
      parser.Skip(version == 1 ? kReservedBytesOf1 : kReservedBytes, "the reserved bytes"));
  ASSIGN_OR_RETURN(const uint32_t definition_bytes,
                   parser.Number<uint32_t>("the length of a schema definition"));
  RETURN_IF_ERROR(parser.Skip(definition_bytes, "the schema definition"));
  ASSIGN_OR_RETURN(const uint32_t count, parser.Count(symbol_bytes, "symbols"));
  for (uint32_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(metadata.symbols.emplace_back(), parser.Text(symbol_bytes, "a symbol"));
  }
  for (const char* const what : {"partly found symbols", "symbols not found"}) {
    ASSIGN_OR_RETURN(const uint32_t skipped, parser.Count(symbol_bytes, what));
    RETURN_IF_ERROR(parser.Skip(skipped * symbol_bytes, what));
  }
  RETURN_IF_ERROR(ParseMappings(parser, symbol_bytes, metadata));
  return metadata;
}

}  // namespace engine
