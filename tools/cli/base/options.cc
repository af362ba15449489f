#include "tools/cli/base/options.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace tools {
namespace {

// A check returns the error message, or an empty string.

// CLI11 would read -1 as a very large unsigned number.
std::string RefuseNegative(const std::string& text) {
  const bool is_negative = !text.empty() && text.front() == '-';
  return is_negative ? text + " is below zero" : "";
}

std::string RefuseUnlessPositive(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (is_number && text.find_first_not_of('0') != std::string::npos) return "";
  return "'" + text + "' is not a count; expected a number above zero";
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

Option Option::Required(bool is_required) const { return Option(option_->required(is_required)); }
Option Option::Type(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::ShowDefault() const { return Option(option_->capture_default_str()); }
Option Option::Excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::Takes(int word_count) const { return Option(option_->expected(word_count)); }
Option Option::TakesOneEachTime() const { return Option(option_->allow_extra_args(false)); }
Option Option::SplitAt(char delimiter) const { return Option(option_->delimiter(delimiter)); }
Option Option::Hide() const { return Option(option_->group("")); }

template <typename T>
Option Option::InRange(T min, T max) const {
  return Option(option_->check(CLI::Range(min, max).description("")));
}

template Option Option::InRange(int min, int max) const;
template Option Option::InRange(int64_t min, int64_t max) const;
template Option Option::InRange(uint64_t min, uint64_t max) const;
template Option Option::InRange(double min, double max) const;

Option Option::NotNegative() const { return Option(option_->check(RefuseNegative)); }
Option Option::Positive() const { return Option(option_->check(RefuseUnlessPositive)); }

Option Option::Size() const {
  return Option(option_->transform(
      WithUnit(CLI::AsSizeValue(/*kb_is_1000=*/false), "bytes, e.g. 4096, 64K, 8M or 1G")));
}

Option Option::TimeSpan(bool unit_is_required, const std::string& example) const {
  const std::map<std::string, int64_t> units = {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  const auto kind = unit_is_required ? CLI::AsNumberWithUnit::UNIT_REQUIRED
                                     : CLI::AsNumberWithUnit::CASE_SENSITIVE;
  return Option(
      option_->transform(WithUnit(CLI::AsNumberWithUnit(units, kind), "a time, e.g. " + example)));
}

Options::Options(CLI::App& parser) : parser_(parser) {}

Options::~Options() = default;

template <typename T>
Option Options::Add(const std::string& names, T& value, const std::string& help) {
  return Option(parser_.add_option(names, value, help));
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
  return Option(parser_.add_flag(names, value, help));
}

Option Options::AddFlag(const string& names, string& value, const string& help) {
  return Option(parser_.add_flag(names, value, help));
}

Option Options::AddWords(const string& names, const std::map<string, int64_t>& words,
                         const string& help, const std::function<void(int64_t)>& set) {
  return Option(parser_.add_option_function<int64_t>(names, set, help)->transform(OneOf(words)));
}

Options& Options::AddAction(const string& name, const string& help) {
  CLI::App* const action = parser_.add_subcommand(name, help);
  action->fallthrough();
  parser_.require_subcommand(1);
  return *actions_.emplace_back(std::make_unique<Options>(*action));
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
