// The options and arguments of a verb, and the variables that receive their values.
//
//   options.Add("--depth", depth_, "Price levels of each side").Type("COUNT").InRange(1, 1000);
//
// CLI11 parses the command line. Files that include it take seconds to compile, so only options.cc
// does, for all verbs; it also words the errors about values.

#ifndef TOOLS_CLI_BASE_OPTIONS_H_
#define TOOLS_CLI_BASE_OPTIONS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "absl/time/time.h"
#include "replay/engines.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tools {

// A handle of one option or argument, valid as long as its Options.
class Option {
 public:
  explicit Option(CLI::Option* option, std::optional<absl::TimeZone> zone = std::nullopt)
      : option_(option), zone_(zone) {}

  Option Required(bool is_required = true) const;

  // The placeholder in help: "FILE", "COUNT". A COUNT may have a decimal unit: 10k, 1M or 2G. The
  // times in a POSITION, a RANGE or an EXPRESSION may have any form of WithTimesInUtc().
  Option Type(const std::string& name) const;

  // Help shows the variable's current value as the default.
  Option ShowDefault() const;

  // Rejects values outside [min, max]. T: int, int64_t, uint64_t, double.
  template <typename T>
  Option InRange(T min, T max) const;
  Option NotNegative() const;  // A whole number of at most 64 bits.
  Option Positive() const;     // Digits only, and not zero.

  // A size in bytes, with an optional unit: 64K is 65536.
  Option Size() const;

  // A time in seconds, with a unit: 2h is 7200. With `unit_is_required`, a number without a unit is
  // rejected.
  Option TimeSpan(bool unit_is_required, const std::string& example) const;

  // Rejected together with `other`.
  Option Excludes(Option other) const;

  // Takes exactly `word_count` words.
  Option Takes(int word_count) const;

  // Takes one word per occurrence, and may be repeated.
  Option TakesOneEachTime() const;

  // With ',', "A,B" are two values.
  Option SplitAt(char delimiter) const;

  // Whether the command line has it. After parsing.
  bool given() const;

  // Not shown in help: for use by programs.
  Option Hide() const;

 private:
  CLI::Option* option_;
  std::optional<absl::TimeZone> zone_;
};

// Not copyable. It and all variables outlive the parsing.
class Options {
 public:
  // `parser` outlives it. Times without an offset are read in `zone`; nullopt refuses them.
  explicit Options(CLI::App& parser, std::optional<absl::TimeZone> zone = std::nullopt);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // `names`: "-o,--output", or a word without dashes for an argument. T: std::string, numbers,
  // std::optional of those, vectors of strings or uint64_t.
  template <typename T>
  Option Add(const std::string& names, T& value, const std::string& help = "");

  // A number in [min, max], whose default help shows.
  template <typename T, typename Bound>
  Option AddCount(const std::string& names, T& value, const std::string& help, Bound min,
                  Bound max) {
    return Add(names, value, help).Type("COUNT").ShowDefault().InRange(min, max);
  }

  Option AddFlag(const std::string& names, bool& value, const std::string& help = "");

  // "--name{default}": a flag with an optional value, --name=value.
  Option AddFlag(const std::string& names, std::string& value, const std::string& help);

  // Takes one of `words`. Value: Enum, or std::optional of it.
  template <typename Value, typename Enum>
  Option AddChoice(const std::string& names, Value& value, const std::map<std::string, Enum>& words,
                   const std::string& help) {
    std::map<std::string, int64_t> numbers;
    for (const auto& [word, meaning] : words) numbers.emplace(word, static_cast<int64_t>(meaning));
    return AddWords(names, numbers, help,
                    [&value](int64_t number) { value = static_cast<Enum>(number); });
  }

  // Adds an action with its own options, as in `ticktape snapshot make`. Exactly one of a verb's
  // actions must be given, or, after ActionIsOptional(), at most one. --json and --quiet may follow
  // it.
  Options& AddAction(const std::string& name, const std::string& help);
  void ActionIsOptional();

  // Whether the command line has chosen this action.
  bool chosen() const;

  CLI::App& parser() const { return parser_; }

 private:
  Option AddWords(const std::string& names, const std::map<std::string, int64_t>& words,
                  const std::string& help, const std::function<void(int64_t)>& set);

  CLI::App& parser_;
  const std::optional<absl::TimeZone> zone_;
  std::vector<std::unique_ptr<Options>> actions_;
};

// --engine, for every verb that drives an engine. `engine` outlives the parsing of `options`.
void AddEngineOption(Options& options, replay::EngineKind& engine);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_OPTIONS_H_
