#include "engine/wire/dbn/record_text.h"

#include <charconv>
#include <concepts>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/timestamp.h"

namespace engine {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr size_t kLineBytesMax = 4096;  // Without the symbol; JSON of ten levels has 1,700.

constexpr absl::string_view kCsvStart = "ts_recv,ts_event,rtype,publisher_id,instrument_id,";
constexpr absl::string_view kCsvTradeFields =
    "action,side,depth,price,size,flags,ts_in_delta,sequence,";

char* Write(absl::string_view text, char* at) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char* WriteNumber(std::integral auto number, char* at) {
  return std::to_chars(at, at + 24, number).ptr;
}

// Exactly nine digits.
char* WriteNanos(uint32_t nanos, char* at) {
  for (int i = 8; i >= 0; --i) {
    at[i] = static_cast<char>('0' + nanos % 10);
    nanos /= 10;
  }
  return at + 9;
}

// "-320.140000000".
char* WritePrice(int64_t price, char* at) {
  uint64_t size = static_cast<uint64_t>(price);
  if (price < 0) {
    *at++ = '-';
    size = 0 - size;
  }
  at = WriteNumber(size / kSecond, at);
  *at++ = '.';
  return WriteNanos(static_cast<uint32_t>(size % kSecond), at);
}

// Nothing for no price.
char* WriteCsvPrice(int64_t price, char* at) {
  return price == kDbnNoPrice ? at : WritePrice(price, at);
}

char* WriteJsonPrice(int64_t price, char* at) {
  if (price == kDbnNoPrice) return Write("null", at);
  *at++ = '"';
  at = WritePrice(price, at);
  *at++ = '"';
  return at;
}

char* WriteCsvNumbers(char* at, const auto... numbers) {
  ((at = WriteNumber(numbers, at), *at++ = ','), ...);
  return at;
}

// Appends the line that `write` makes, the symbol and `end`.
template <typename Write>
void AppendLine(std::string& out, absl::string_view symbol, absl::string_view end, Write write) {
  std::array<char, kLineBytesMax> line;
  const char* const written = write(line.data());
  out.append(line.data(), static_cast<size_t>(written - line.data()));
  out.append(symbol.data(), symbol.size());
  out.append(end.data(), end.size());
}

// What a trade and a row of levels have in common, after the start.
template <typename Record>
char* WriteCsvTrade(const Record& record, char* at) {
  *at++ = record.action;
  *at++ = ',';
  *at++ = record.side;
  *at++ = ',';
  at = WriteCsvNumbers(at, record.depth);
  at = WriteCsvPrice(record.price, at);
  *at++ = ',';
  return WriteCsvNumbers(at, record.size, record.flags, record.ts_in_delta, record.sequence);
}

template <typename Record>
char* WriteJsonAction(const Record& record, char* at) {
  at = Write(",\"action\":\"", at);
  *at++ = record.action;
  at = Write("\",\"side\":\"", at);
  *at++ = record.side;
  return Write("\"", at);
}

template <typename Record>
char* WriteJsonPriceAndSize(const Record& record, char* at) {
  at = Write(",\"price\":", at);
  at = WriteJsonPrice(record.price, at);
  at = Write(",\"size\":", at);
  return WriteNumber(record.size, at);
}

template <typename Record>
char* WriteJsonEnd(const Record& record, char* at) {
  at = Write(",\"flags\":", at);
  at = WriteNumber(record.flags, at);
  at = Write(",\"ts_in_delta\":", at);
  at = WriteNumber(record.ts_in_delta, at);
  at = Write(",\"sequence\":", at);
  return WriteNumber(record.sequence, at);
}

template <typename Record>
char* WriteJsonTrade(const Record& record, char* at) {
  at = WriteJsonAction(record, at);
  at = Write(",\"depth\":", at);
  at = WriteNumber(record.depth, at);
  at = WriteJsonPriceAndSize(record, at);
  return WriteJsonEnd(record, at);
}

char* WriteJsonLevel(const DbnLevel& level, char* at) {
  at = Write("{\"bid_px\":", at);
  at = WriteJsonPrice(level.bid_px, at);
  at = Write(",\"ask_px\":", at);
  at = WriteJsonPrice(level.ask_px, at);
  at = Write(",\"bid_sz\":", at);
  at = WriteNumber(level.bid_sz, at);
  at = Write(",\"ask_sz\":", at);
  at = WriteNumber(level.ask_sz, at);
  at = Write(",\"bid_ct\":", at);
  at = WriteNumber(level.bid_ct, at);
  at = Write(",\"ask_ct\":", at);
  at = WriteNumber(level.ask_ct, at);
  return Write("}", at);
}

}  // namespace

std::string DbnCsvHeader(const DbnMbo&) {
  return absl::StrCat(
      kCsvStart, "action,side,price,size,channel_id,order_id,flags,ts_in_delta,sequence,symbol\n");
}

std::string DbnCsvHeader(const DbnTrade&) {
  return absl::StrCat(kCsvStart, kCsvTradeFields, "symbol\n");
}

std::string DbnCsvHeader(const DbnMbp10&) {
  std::string header = absl::StrCat(kCsvStart, kCsvTradeFields);
  for (size_t i = 0; i < kDbnLevels; ++i) {
    for (const char* const name : {"bid_px", "ask_px", "bid_sz", "ask_sz", "bid_ct", "ask_ct"}) {
      absl::StrAppend(&header, name, "_0", i, ",");
    }
  }
  return header + "symbol\n";
}

std::string DbnCsvSymbol(absl::string_view symbol) {
  if (symbol.find_first_of(",\"\r\n") == absl::string_view::npos) return std::string(symbol);
  return absl::StrCat("\"", absl::StrReplaceAll(symbol, {{"\"", "\"\""}}), "\"");
}

std::string DbnJsonSymbol(absl::string_view symbol) {
  return absl::StrCat("\"", absl::StrReplaceAll(symbol, {{"\\", "\\\\"}, {"\"", "\\\""}}), "\"");
}

void DbnRecordText::AppendCsv(const DbnMbo& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "\n", [&](char* at) {
    at = WriteCsvStart(record, at);
    *at++ = record.action;
    *at++ = ',';
    *at++ = record.side;
    *at++ = ',';
    at = WriteCsvPrice(record.price, at);
    *at++ = ',';
    return WriteCsvNumbers(at, record.size, record.channel_id, record.order_id, record.flags,
                           record.ts_in_delta, record.sequence);
  });
}

void DbnRecordText::AppendCsv(const DbnTrade& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "\n",
             [&](char* at) { return WriteCsvTrade(record, WriteCsvStart(record, at)); });
}

void DbnRecordText::AppendCsv(const DbnMbp10& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "\n", [&](char* at) {
    at = WriteCsvTrade(record, WriteCsvStart(record, at));
    for (const DbnLevel& level : record.levels) {
      at = WriteCsvPrice(level.bid_px, at);
      *at++ = ',';
      at = WriteCsvPrice(level.ask_px, at);
      *at++ = ',';
      at = WriteCsvNumbers(at, level.bid_sz, level.ask_sz, level.bid_ct, level.ask_ct);
    }
    return at;
  });
}

void DbnRecordText::AppendJson(const DbnMbo& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "}\n", [&](char* at) {
    at = WriteJsonAction(record, WriteJsonStart(record, at));
    at = WriteJsonPriceAndSize(record, at);
    at = Write(",\"channel_id\":", at);
    at = WriteNumber(record.channel_id, at);
    at = Write(",\"order_id\":\"", at);
    at = WriteNumber(record.order_id, at);
    at = WriteJsonEnd(record, Write("\"", at));
    return Write(",\"symbol\":", at);
  });
}

void DbnRecordText::AppendJson(const DbnTrade& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "}\n", [&](char* at) {
    at = WriteJsonTrade(record, WriteJsonStart(record, at));
    return Write(",\"symbol\":", at);
  });
}

void DbnRecordText::AppendJson(const DbnMbp10& record, absl::string_view symbol, std::string& out) {
  AppendLine(out, symbol, "}\n", [&](char* at) {
    at = WriteJsonTrade(record, WriteJsonStart(record, at));
    at = Write(",\"levels\":[", at);
    for (const DbnLevel& level : record.levels) {
      at = WriteJsonLevel(level, at);
      *at++ = ',';
    }
    return Write("],\"symbol\":", at - 1);
  });
}

char* DbnRecordText::WriteTime(uint64_t nanos, char* at) {
  const uint64_t second = nanos / kSecond;
  if (second != second_) {
    second_ = second;
    const std::string text =
        Timestamp::FromNanos(static_cast<int64_t>(second * kSecond)).ToString();
    std::memcpy(second_text_.data(), text.data(), second_text_.size());
  }
  at = Write({second_text_.data(), second_text_.size()}, at);
  at = WriteNanos(static_cast<uint32_t>(nanos % kSecond), at);
  *at++ = 'Z';
  return at;
}

template <typename Record>
char* DbnRecordText::WriteCsvStart(const Record& record, char* at) {
  at = WriteTime(record.ts_recv, at);
  *at++ = ',';
  at = WriteTime(record.header.ts_event, at);
  *at++ = ',';
  return WriteCsvNumbers(at, record.header.rtype, record.header.publisher_id,
                         record.header.instrument_id);
}

template <typename Record>
char* DbnRecordText::WriteJsonStart(const Record& record, char* at) {
  at = Write("{\"ts_recv\":\"", at);
  at = WriteTime(record.ts_recv, at);
  at = Write("\",\"hd\":{\"ts_event\":\"", at);
  at = WriteTime(record.header.ts_event, at);
  at = Write("\",\"rtype\":", at);
  at = WriteNumber(record.header.rtype, at);
  at = Write(",\"publisher_id\":", at);
  at = WriteNumber(record.header.publisher_id, at);
  at = Write(",\"instrument_id\":", at);
  at = WriteNumber(record.header.instrument_id, at);
  return Write("}", at);
}

}  // namespace engine
