// --machine PROGRAM: a verb on the journal of a machine that only another program has. That program
// runs the verb in place of this one, after it has answered that it has the machine.
//
//   ticktape --machine ./joiner replay run.tape
//     ./joiner engine-server --application 'ticktape strategy joiner'   a hello is its answer
//     ./joiner replay run.tape                                          in place of ticktape

#ifndef TOOLS_CLI_BASE_MACHINE_PROGRAM_H_
#define TOOLS_CLI_BASE_MACHINE_PROGRAM_H_

#include <array>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tools {

// The verbs that take it.
inline constexpr std::array<absl::string_view, 8> kMachineVerbs = {
    "cat", "replay", "verify", "inspect", "diff", "bisect", "minimize", "retime"};

inline constexpr char kMachineHelp[] =
    "The program that has the journal's machine, such as\n"
    "one of ticktape_strategy: it runs the verb";

// `words` without `--machine PROGRAM`.
std::vector<std::string> WithoutMachine(const std::vector<std::string>& words);

// Runs the verb of `words` by `program`: returns only with an error. `journals`: the paths that the
// verb is given; one that cannot be read names no machine, and the verb reports it. Errors:
// UNIMPLEMENTED if the program has no machine for one of them; INVALID_ARGUMENT if it is no
// ticktape, or does not answer for ten seconds; those of a program that cannot be started.
absl::Status RunByMachineProgram(const std::string& program, const std::vector<std::string>& words,
                                 const std::vector<std::string>& journals);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_MACHINE_PROGRAM_H_
