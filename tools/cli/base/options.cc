#include "tools/cli/base/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/integer_text.h"
#include "tools/cli/base/time_zone.h"

namespace tools {
namespace {

// A check returns the error message, or an empty string.

// CLI11 would read -1, and numbers of more than 64 bits, as very large unsigned numbers.
std::string RefuseUnlessNatural(const std::string& text) {
  uint64_t number = 0;
  if (engine::ParseInteger(text, number)) return "";
  return "'" + text + "' is not a whole number from 0 to " + std::to_string(UINT64_MAX);
}

// Replaces a decimal unit by its zeros: 10k becomes 10000. Leaves all other text to the checks.
std::string ReadDecimalUnit(std::string& text) {
  constexpr std::pair<char, const char*> kUnits[] = {
      {'k', "000"}, {'M', "000000"}, {'G', "000000000"}};
  for (const auto& [unit, zeros] : kUnits) {
    if (text.size() < 2 || text.back() != unit) continue;
    const std::string digits = text.substr(0, text.size() - 1);
    if (digits.find_first_not_of("0123456789") == std::string::npos) text = digits + zeros;
  }
  return "";
}

std::string RefuseUnlessPositive(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  uint64_t number = 0;
  if (is_number && engine::ParseInteger(text, number) && number > 0) return "";
  return "'" + text + "' is not a count; expected a number above zero, e.g. 500, 10k or 1M";
}

// Replaces times by the form that a Timestamp prints.
CLI::Validator ReadTimes(const std::optional<absl::TimeZone>& zone) {
  return {[zone](std::string& text) -> std::string {
            absl::StatusOr<std::string> read = WithTimesInUtc(text, zone);
            if (!read.ok()) return std::string(read.status().message());
            text = *std::move(read);
            return "";
          },
          ""};
}

// Replaces CLI11's own check, whose messages name the numbers that the words stand for.
CLI::Validator OneOf(const std::map<std::string, int64_t>& words) {
  return {[words](std::string& text) -> std::string {
            if (const auto found = words.find(text); found != words.end()) {
              text = std::to_string(found->second);
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

// `units` is a CLI11 transformer; `expected` describes valid values in the message.
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

}  // namespace

Option Option::Required(bool is_required) const {
  return Option(option_->required(is_required), zone_);
}
Option Option::Type(const std::string& name) const {
  if (name == "COUNT") option_->transform({ReadDecimalUnit, ""});
  constexpr std::array<const char*, 5> kWithTimes = {"POSITION", "POSITION,...", "RANGE", "A B",
                                                     "EXPRESSION"};
  if (std::ranges::count(kWithTimes, name) > 0) option_->transform(ReadTimes(zone_));
  return Option(option_->type_name(name), zone_);
}
Option Option::ShowDefault() const { return Option(option_->capture_default_str(), zone_); }
Option Option::Excludes(Option other) const {
  return Option(option_->excludes(other.option_), zone_);
}
Option Option::Takes(int word_count) const { return Option(option_->expected(word_count), zone_); }
Option Option::TakesOneEachTime() const { return Option(option_->allow_extra_args(false), zone_); }
Option Option::SplitAt(char delimiter) const {
  return Option(option_->delimiter(delimiter), zone_);
}
bool Option::given() const { return option_->count() > 0; }
Option Option::Hide() const { return Option(option_->group(""), zone_); }

template <typename T>
Option Option::InRange(T min, T max) const {
  return Option(option_->check({[min, max](const std::string& text) -> std::string {
                                  T number{};
                                  bool is_number = false;
                                  if constexpr (std::is_integral_v<T>) {
                                    is_number = engine::ParseInteger(text, number);
                                  } else {
                                    is_number = CLI::detail::lexical_cast(text, number);
                                  }
                                  if (is_number && number >= min && number <= max) return "";
                                  return "'" + text + "' is not a number from " +
                                         CLI::detail::to_string(min) + " to " +
                                         CLI::detail::to_string(max);
                                },
                                ""}));
}

template Option Option::InRange(int min, int max) const;
template Option Option::InRange(int64_t min, int64_t max) const;
template Option Option::InRange(uint64_t min, uint64_t max) const;
template Option Option::InRange(double min, double max) const;

Option Option::NotNegative() const { return Option(option_->check(RefuseUnlessNatural), zone_); }
Option Option::Positive() const { return Option(option_->check(RefuseUnlessPositive), zone_); }

Option Option::Size() const {
  return Option(option_->transform(WithUnit(CLI::AsSizeValue(/*kb_is_1000=*/false),
                                            "bytes, e.g. 4096, 64K, 8M or 1G")),
                zone_);
}

Option Option::TimeSpan(bool unit_is_required, const std::string& example) const {
  const std::map<std::string, int64_t> units = {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  const auto kind = unit_is_required ? CLI::AsNumberWithUnit::UNIT_REQUIRED
                                     : CLI::AsNumberWithUnit::CASE_SENSITIVE;
  return Option(
      option_->transform(WithUnit(CLI::AsNumberWithUnit(units, kind), "a time, e.g. " + example)));
}

Options::Options(CLI::App& parser, std::optional<absl::TimeZone> zone)
    : parser_(parser), zone_(zone) {}

Options::~Options() = default;

template <typename T>
Option Options::Add(const std::string& names, T& value, const std::string& help) {
  return Option(parser_.add_option(names, value, help), zone_);
}

using std::optional;
using std::string;

template Option Options::Add(const string&, string&, const string&);
template Option Options::Add(const string&, optional<string>&, const string&);
template Option Options::Add(const string&, std::vector<string>&, const string&);
template Option Options::Add(const string&, int&, const string&);
template Option Options::Add(const string&, optional<int>&, const string&);
template Option Options::Add(const string&, uint32_t&, const string&);
template Option Options::Add(const string&, optional<uint32_t>&, const string&);
template Option Options::Add(const string&, int64_t&, const string&);
template Option Options::Add(const string&, uint64_t&, const string&);
template Option Options::Add(const string&, optional<uint64_t>&, const string&);
template Option Options::Add(const string&, std::vector<uint64_t>&, const string&);
template Option Options::Add(const string&, double&, const string&);
template Option Options::Add(const string&, optional<double>&, const string&);

Option Options::AddFlag(const string& names, bool& value, const string& help) {
  return Option(parser_.add_flag(names, value, help), zone_);
}

Option Options::AddFlag(const string& names, string& value, const string& help) {
  return Option(parser_.add_flag(names, value, help), zone_);
}

Option Options::AddWords(const string& names, const std::map<string, int64_t>& words,
                         const string& help, const std::function<void(int64_t)>& set) {
  return Option(parser_.add_option_function<int64_t>(names, set, help)->transform(OneOf(words)),
                zone_);
}

Options& Options::AddAction(const string& name, const string& help) {
  CLI::App* const action = parser_.add_subcommand(name, help);
  action->fallthrough();
  parser_.require_subcommand(1);
  return *actions_.emplace_back(std::make_unique<Options>(*action, zone_));
}

void Options::ActionIsOptional() { parser_.require_subcommand(0, 1); }

bool Options::chosen() const { return parser_.parsed(); }

void AddEngineOption(Options& options, replay::EngineKind& engine) {
  std::map<std::string, replay::EngineKind> kinds;
  for (size_t i = 0; i < replay::kEngineNames.size(); ++i) {
    kinds.emplace(replay::kEngineNames[i], static_cast<replay::EngineKind>(i));
  }
  options
      .AddChoice("--engine", engine, kinds, "fast (the default) or reference: the same rules twice")
      .Type("ENGINE");
}

}  // namespace tools
