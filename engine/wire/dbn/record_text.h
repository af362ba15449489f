// DBN records as CSV and JSON lines, exactly as Databento's tools write them with readable prices,
// times and symbols.
//
//   ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,depth,price,size,...,symbol
//   {"ts_recv":"2020-01-30T09:30:06.000000000Z","hd":{...},"action":"A",...,"symbol":"AAPL"}

#ifndef ENGINE_WIRE_DBN_RECORD_TEXT_H_
#define ENGINE_WIRE_DBN_RECORD_TEXT_H_

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/dbn/records.h"

namespace engine {

// The first line of CSV, with its line end.
std::string DbnCsvHeader(const DbnMbo& kind);
std::string DbnCsvHeader(const DbnTrade& kind);
std::string DbnCsvHeader(const DbnMbp10& kind);

// A symbol as a field of CSV, and as a text of JSON with its quotes.
std::string DbnCsvSymbol(absl::string_view symbol);
std::string DbnJsonSymbol(absl::string_view symbol);

// Appends lines to a text. Not thread-safe: owned by the writer of the text. `symbol` is one of the
// two forms above. Times are at most 2^63 nanoseconds.
class DbnRecordText {
 public:
  void AppendCsv(const DbnMbo& record, absl::string_view symbol, std::string& out);
  void AppendCsv(const DbnTrade& record, absl::string_view symbol, std::string& out);
  void AppendCsv(const DbnMbp10& record, absl::string_view symbol, std::string& out);
  void AppendJson(const DbnMbo& record, absl::string_view symbol, std::string& out);
  void AppendJson(const DbnTrade& record, absl::string_view symbol, std::string& out);
  void AppendJson(const DbnMbp10& record, absl::string_view symbol, std::string& out);

 private:
  // Returns the end of what it writes at `at`.
  char* WriteTime(uint64_t nanos, char* at);
  template <typename Record>
  char* WriteCsvStart(const Record& record, char* at);
  template <typename Record>
  char* WriteJsonStart(const Record& record, char* at);

  uint64_t second_ = std::numeric_limits<uint64_t>::max();  // Whose text is second_text_.
  std::array<char, 20> second_text_ = {};                   // "2020-01-30T09:30:06."
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_RECORD_TEXT_H_
