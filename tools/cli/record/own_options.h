// The options of one source, which others refuse.

#ifndef TOOLS_CLI_RECORD_OWN_OPTIONS_H_
#define TOOLS_CLI_RECORD_OWN_OPTIONS_H_

#include <algorithm>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/options.h"
#include "tools/cli/record/source.h"

namespace tools {

// Not thread-safe: owned by the verb.
class OwnOptions {
 public:
  // An option of several sources is added for each; `source_names` has all of them.
  void Add(Source source, const char* source_names, const char* name, Option option) {
    options_.push_back({source, source_names, name, option});
  }

  // Errors: INVALID_ARGUMENT for an option that is given and is of other sources.
  absl::Status Check(Source source) const {
    for (const Own& own : options_) {
      if (!own.option.given() || Has(source, own.name)) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(own.name, " is an option of --from ", own.source_names, " only"));
    }
    return absl::OkStatus();
  }

 private:
  struct Own {
    Source source;
    const char* source_names;
    const char* name;
    Option option;
  };

  bool Has(Source source, absl::string_view name) const {
    return std::ranges::any_of(
        options_, [&](const Own& own) { return own.source == source && own.name == name; });
  }

  std::vector<Own> options_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_OWN_OPTIONS_H_
