// `ticktape fuzz` with another candidate engine: for tests that plant a bug in an exchange.

#ifndef TOOLS_CLI_COMPARE_FUZZ_VERB_H_
#define TOOLS_CLI_COMPARE_FUZZ_VERB_H_

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/differential/differential.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "tools/cli/base/verb.h"

namespace tools {

// MakeFuzzVerb() in base/verbs.h tests the exchange itself.
std::unique_ptr<Verb> MakeFuzzVerb(engine::CandidateFactory make_candidate);

// Coverage of random commands: which command kinds were carried out, and which reasons of
// rejections and cancels occurred.
//
//   commands   26 of 26 kinds carried out
//   refusals   49 of 51 reasons, but not wrong_account, fees_in_use
//   cancels    13 of 13 reasons

// A regular value type.
class FuzzCoverage {
 public:
  // `events` are those of `command`, at least one.
  void Count(const engine::Command& command, std::span<const engine::Event> events);

  // Adds what another run reached.
  void Add(const FuzzCoverage& other);

  // One category: how much of it was reached, and the names of what was not.
  struct Row {
    std::string what;
    uint64_t reached = 0;
    uint64_t all = 0;
    std::string of;  // "kinds carried out", "reasons".
    std::vector<std::string> missing;
    std::string ToString() const;
  };
  std::vector<Row> Rows() const;

  uint64_t events() const { return events_; }

 private:
  enum Category { kCommands, kRefusals, kCancels, kCategories };

  void Reach(Category category, size_t number);

  // The numbers of the kinds and reasons that occurred.
  std::array<std::bitset<256>, kCategories> reached_;
  uint64_t events_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_FUZZ_VERB_H_
