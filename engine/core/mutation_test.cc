// Checks that a test notices each deliberate fault (testing/engine.faults). Each fault runs
// in a process of its own. A transcript must catch it; whether the comparison with the reference
// does is tried, too. Prints which test caught which fault.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/testing/in_child.h"
#include "engine/core/faulty/engine/core/exchange.h"
#include "engine/core/faulty/faults.h"
#include "engine/differential/differential.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/transcript.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kSeeds = 180;
constexpr size_t kCommands = 400;

struct Transcript {
  std::string name;
  std::string text;
};

std::vector<Transcript> ReadTranscripts() {
  std::vector<Transcript> transcripts;
  for (const auto& entry : fs::recursive_directory_iterator("testdata/transcripts")) {
    if (entry.path().extension() != ".txt") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    transcripts.push_back(
        {entry.path().stem().string(), std::string{std::istreambuf_iterator<char>(in), {}}});
  }
  std::sort(transcripts.begin(), transcripts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return transcripts;
}

// The first transcript with other events; tries the one named `expected` first.
std::string CaughtByTranscript(std::vector<Transcript> transcripts, const std::string& expected) {
  std::stable_partition(transcripts.begin(), transcripts.end(),
                        [&](const Transcript& transcript) { return transcript.name == expected; });
  for (const Transcript& transcript : transcripts) {
    const std::string caught = InChild([&]() -> std::string {
      TranscriptEngines engines;
      engines.push_back(std::make_unique<EngineInTranscript<Exchange>>());
      const auto result = RunTranscript(transcript.name, transcript.text, engines);
      return result.ok() && result->text == transcript.text ? "" : "differs";
    });
    if (!caught.empty()) return transcript.name;
  }
  return "";
}

// The first seed for which the reference disagrees.
std::string CaughtByProperty() {
  return InChild([]() -> std::string {
    for (uint64_t seed = 0; seed < kSeeds; ++seed) {
      CandidateOf<Exchange> candidate;
      const RandomRun run = CompareRandom(seed, kCommands, candidate, {.digest_every = 8});
      if (run.divergence.has_value()) {
        return absl::StrFormat("%s, seed %d, command %d", std::string(ScenarioName(seed)), seed,
                               run.divergence->index + 1);
      }
    }
    return "";
  });
}

TEST(Mutation, NoTestFailsWithoutAFault) {
  fault_in_force = Fault::kNone;
  EXPECT_EQ(CaughtByProperty(), "");
  EXPECT_EQ(CaughtByTranscript(ReadTranscripts(), ""), "");
}

TEST(Mutation, EveryFaultIsCaught) {
  const std::vector<Transcript> transcripts = ReadTranscripts();
  std::string table = absl::StrFormat("\n%-24s  %-36s  %s\n", "fault", "property", "transcript");
  size_t by_property = 0;
  for (const FaultText& fault : kFaults) {
    fault_in_force = fault.fault;
    const std::string property = CaughtByProperty();
    const std::string transcript = CaughtByTranscript(transcripts, fault.noticed_by);
    if (!property.empty()) ++by_property;
    absl::StrAppendFormat(&table, "%-24s  %-36s  %s\n", fault.name, property, transcript);
    EXPECT_FALSE(transcript.empty())
        << fault.name << ": " << fault.description << ", and no transcript noticed";
    EXPECT_EQ(transcript, fault.noticed_by)
        << fault.name << ": engine.faults names another transcript";
  }
  fault_in_force = Fault::kNone;
  std::cout << table << std::size(kFaults) << " faults, " << by_property
            << " of them caught by the comparison with the reference, too\n";
}

}  // namespace
}  // namespace engine
