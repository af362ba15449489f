// What options take, and what is said of anything else: words of a list, counts, sizes. CLI11's own
// checks speak of ranges of floating point numbers and of the numbers behind the words.

#ifndef TOOLS_CLI_BASE_OPTION_VALUES_H_
#define TOOLS_CLI_BASE_OPTION_VALUES_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>

namespace tools {

// To be given to transform(): one of these words, as the value of an enumeration.
template <typename Enum>
CLI::Validator OneOf(const std::map<std::string, Enum>& words) {
  return {[words](std::string& text) -> std::string {
            if (const auto found = words.find(text); found != words.end()) {
              text = std::to_string(static_cast<std::underlying_type_t<Enum>>(found->second));
              return "";
            }
            std::string expected;
            for (const auto& [word, value] : words) {
              expected += (expected.empty() ? "" : ", ") + word;
            }
            return "'" + text + "' is not known; expected " + expected;
          },
          ""};
}

// For check(): digits, and not zero.
inline CLI::Validator Positive() {
  return {[](std::string& text) -> std::string {
            const bool is_number =
                !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            if (is_number && text.find_first_not_of('0') != std::string::npos) return "";
            return "'" + text + "' is no count; expected a number above zero";
          },
          ""};
}

// To be given to transform(): `units` that CLI11 knows how to read, `expected` for people.
template <typename Units>
CLI::Validator WithUnit(Units units, const std::string& expected) {
  return {[units, expected](std::string& text) -> std::string {
            std::string value = text;
            try {
              if (units(value).empty()) {
                text = value;
                return "";
              }
            } catch (const CLI::Error&) {
            }
            return "'" + text + "' is not understood; expected " + expected;
          },
          ""};
}

// Bytes: 64K is 65536 of them.
inline CLI::Validator SizeValue() {
  return WithUnit(CLI::AsSizeValue(/*kb_is_1000=*/false), "bytes, e.g. 4096, 64K, 8M or 1G");
}

// Seconds: 2h is 7200 of them.
inline CLI::Validator TimeSpanValue() {
  return WithUnit(
      CLI::AsNumberWithUnit(
          std::map<std::string, int64_t>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}},
          CLI::AsNumberWithUnit::UNIT_REQUIRED),
      "a time, e.g. 30s, 10m, 2h or 7d");
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_OPTION_VALUES_H_
