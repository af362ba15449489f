// The options and arguments of a verb, and where their values go.
//
//   options.Add("--depth", depth_, "Price levels of each side").Type("COUNT").InRange(1, 1000);
//
// CLI11 reads the command line. A file that includes it takes seconds to compile, so options.cc
// does for all verbs, and says what is wrong with a value in the program's own words.

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

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tools {

// One option or argument that was added: a handle, valid as long as its Options.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option Required(bool is_required = true) const;

  // What help shows for the value: "FILE", "COUNT".
  Option Type(const std::string& name) const;

  // Help shows the value that the variable has now.
  Option ShowDefault() const;

  // A value outside of [min, max] is refused. T: int, int64_t, uint64_t, double.
  template <typename T>
  Option InRange(T min, T max) const;
  Option NotNegative() const;
  Option Positive() const;  // Digits, and not zero.

  // Bytes: 64K is 65536 of them.
  Option Size() const;

  // Seconds: 2h is 7200 of them. With `unit_is_required`, 90 without a unit is refused.
  Option TimeSpan(bool unit_is_required, const std::string& example) const;

  // Refused beside the other.
  Option Excludes(Option other) const;

  // So many words follow it.
  Option Takes(int word_count) const;

  // One word each time; it may be repeated.
  Option TakesOneEachTime() const;

  // "A,B" are two values.
  Option SplitAt(char delimiter) const;

  // For programs: help does not show it.
  Option Hide() const;

 private:
  CLI::Option* option_;
};

// Not copyable, and outlives the parsing. Variables must outlive it.
class Options {
 public:
  // `parser` outlives it.
  explicit Options(CLI::App& parser);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // `names`: "-o,--output", or a word without dashes for an argument. T: std::string, numbers,
  // std::optional of those, std::vector of strings.
  template <typename T>
  Option Add(const std::string& names, T& value, const std::string& help = "");

  Option AddFlag(const std::string& names, bool& value, const std::string& help = "");

  // "--name{default}": a flag that may have a value, --name=value.
  Option AddFlag(const std::string& names, std::string& value, const std::string& help);

  // One of these words. Value: Enum, or std::optional of it.
  template <typename Value, typename Enum>
  Option AddChoice(const std::string& names, Value& value, const std::map<std::string, Enum>& words,
                   const std::string& help) {
    std::map<std::string, int64_t> numbers;
    for (const auto& [word, meaning] : words) numbers.emplace(word, static_cast<int64_t>(meaning));
    return AddWords(names, numbers, help,
                    [&value](int64_t number) { value = static_cast<Enum>(number); });
  }

  // `ticktape snapshot make`: it has options of its own. One of a verb's actions is chosen, or,
  // after ActionIsOptional(), none. --json and --quiet may follow it.
  Options& AddAction(const std::string& name, const std::string& help);
  void ActionIsOptional();

  // Whether this action was chosen.
  bool chosen() const;

  CLI::App& parser() const { return parser_; }

 private:
  Option AddWords(const std::string& names, const std::map<std::string, int64_t>& words,
                  const std::string& help, const std::function<void(int64_t)>& set);

  CLI::App& parser_;
  std::vector<std::unique_ptr<Options>> actions_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_OPTIONS_H_
