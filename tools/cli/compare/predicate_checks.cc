#include "tools/cli/compare/predicate_checks.h"

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/state/resting_order.h"
#include "engine/types/side.h"
#include "tools/cli/compare/write_log.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

using engine::RestingOrder;

std::string WrongWith(absl::string_view invariant, const std::vector<RestingOrder>& bids,
                      const std::vector<RestingOrder>& asks) {
  if (invariant == "E2") {
    if (bids.empty() || asks.empty() || bids.front().price < asks.front().price) return "";
    return absl::StrCat("crossed: bid ", bids.front().id.value(), " at #",
                        bids.front().price.units(), ", ask ", asks.front().id.value(), " at #",
                        asks.front().price.units());
  }
  for (const auto* orders : {&bids, &asks}) {
    for (size_t i = 1; i < orders->size(); ++i) {
      const RestingOrder& before = (*orders)[i - 1];
      const RestingOrder& order = (*orders)[i];
      if (before.price != order.price || before.priority < order.priority) continue;
      return absl::StrCat("order ", before.id.value(), " stands before order ", order.id.value(),
                          ", which has the earlier priority");
    }
  }
  return "";
}

}  // namespace

absl::StatusOr<std::string> WrongWithBook(replay::Subject& subject, engine::MarketId market,
                                          absl::string_view invariant) {
  ASSIGN_OR_RETURN(const auto bids, subject.Orders(market, engine::Side::kBid));
  ASSIGN_OR_RETURN(const auto asks, subject.Orders(market, engine::Side::kAsk));
  return WrongWith(invariant, bids, asks);
}

absl::StatusOr<std::unique_ptr<LogProgram>> LogProgram::Make(const std::string& command) {
  ASSIGN_OR_RETURN(auto folder, TemporaryDirectory::Make());
  return std::make_unique<LogProgram>(command, std::move(folder));
}

LogProgram::LogProgram(const std::string& command, std::unique_ptr<TemporaryDirectory> folder)
    : command_(command), folder_(std::move(folder)) {}

absl::StatusOr<ExecBisection::Answer> LogProgram::Judge(const replay::Log& log) {
  const std::string path = folder_->path() + "/log.tape";
  std::error_code error;
  std::filesystem::remove_all(path, error);
  RETURN_IF_ERROR(WriteLog(path, log, "ticktape", nullptr));
  ASSIGN_OR_RETURN(const auto child,
                   ChildProcess::Start({"sh", "-c", command_ + " \"$1\"", "sh", path}));
  std::array<std::byte, 4096> ignored;
  for (auto got = child->Read(ignored); got.ok() && *got > 0; got = child->Read(ignored)) {
  }
  const int code = child->Wait();
  if (code == 125) return ExecBisection::Answer::kCannotSay;
  if (code == 126 || code == 127) {  // The shell's own codes: a mistyped command is not a bad log.
    return absl::InvalidArgumentError(
        absl::StrCat("exec: the shell cannot run '", command_, "' (exit code ", code, ")"));
  }
  return code == 0 ? ExecBisection::Answer::kGood : ExecBisection::Answer::kBad;
}

}  // namespace tools
