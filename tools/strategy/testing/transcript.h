// Transcripts of a strategy: what it hears and decides, as text that a trader can read. Those in
// testdata/strategies specify the desk; the README there has the grammar.
//
//   # A fill in part leaves the order where it is.
//   market ACME
//   connection live
//   snapshot ACME bid 20.00 5 ask 20.03 5
//   wants ACME bid 20.01 10
//   ----
//   5.0 new_order market=ACME order=1 side=bid price=20.01 quantity=10 tif=gtc
//
// Running a transcript returns its text with the right answers.

#ifndef TOOLS_STRATEGY_TESTING_TRANSCRIPT_H_
#define TOOLS_STRATEGY_TESTING_TRANSCRIPT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/strategy/strategy.h"

namespace strategy {

// What a transcript may ask of the strategy that it drives: wants, send, cancel, ...
class ScriptedStrategy final : public Strategy {
 public:
  // Lines of the transcript; a record names one by its number.
  std::function<void(ScriptedStrategy&, size_t line)> run_line;

  using Strategy::book;
  using Strategy::Cancel;
  using Strategy::CancelAll;
  using Strategy::CancelTimer;
  using Strategy::Knows;
  using Strategy::Metric;
  using Strategy::now;
  using Strategy::PullQuotes;
  using Strategy::Quote;
  using Strategy::Send;
  using Strategy::SetTimer;
  using Strategy::Stop;

 private:
  void OnParameter(absl::string_view name) override {
    if (name == "line") run_line(*this, static_cast<size_t>(line_.value()));
  }
  void OnTimer(TimerId timer) override { Metric("timer", timer.value()); }
  void OnOrder(const OrderUpdate& update) override;

  Parameter line_{*this, "line", {}};
};

// Runs `text` with `strategy`, or with a scripted one if it is null. After every line it checks the
// desk's invariants (CHECK). Errors: INVALID_ARGUMENT "<file>:<line>: ...".
absl::StatusOr<std::string> RunTranscript(absl::string_view file, absl::string_view text,
                                          std::unique_ptr<Strategy> strategy);

}  // namespace strategy

#endif  // TOOLS_STRATEGY_TESTING_TRANSCRIPT_H_
