// For options that are counts: CLI11 would take -1 for a very large number.

#ifndef TOOLS_CLI_BASE_NOT_NEGATIVE_H_
#define TOOLS_CLI_BASE_NOT_NEGATIVE_H_

#include <CLI/CLI.hpp>
#include <string>

namespace tools {

inline CLI::Validator NotNegative() {
  return {[](std::string& text) {
            return text.empty() || text.front() != '-' ? std::string() : text + " is below zero";
          },
          ""};
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_NOT_NEGATIVE_H_
