// Makes damaged copies of journals, as disks, crashes and people damage them.

#ifndef TOOLS_CLI_SLICE_TESTING_CORRUPT_H_
#define TOOLS_CLI_SLICE_TESTING_CORRUPT_H_

#include <memory>

#include "tools/cli/base/verb.h"

namespace tools {

// A verb, so that tests run it with RunVerb(); corrupt_main.cc is the program.
std::unique_ptr<Verb> MakeCorruptVerb();

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_TESTING_CORRUPT_H_
