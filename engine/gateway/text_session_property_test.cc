// What holds for every conversation, careless and hostile ones too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/text_session.h"
#include "engine/wire/text/line_reader.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

// A conversation like those of a busy and careless client: few ids, often reused.
std::string RandomLines(Prng& prng, int line_count) {
  std::string lines;
  for (int i = 0; i < line_count; ++i) {
    const uint64_t id = prng.Below(12);
    const char* side = prng.Chance(50) ? "BUY" : "SELL";
    const char* symbols[] = {"ACME", "IBM", "AAPL"};
    const char* symbol = symbols[prng.Below(3)];
    const std::string price = absl::StrCat(prng.Between(8, 12), prng.Chance(5) ? ".12345" : "");
    const uint64_t quantity = prng.Below(6);
    const char* tifs[] = {"", " IOC", " FOK", " GTC", " X"};
    switch (prng.Below(10)) {
      case 0:
        absl::StrAppend(&lines, "MARKET ", id, " ", symbol, " ", side, " ", quantity);
        break;
      case 1:
        absl::StrAppend(&lines, "CANCEL ", id);
        break;
      case 2:
        absl::StrAppend(&lines, "MODIFY ", id, " ", price, " ", quantity);
        break;
      case 3:
        absl::StrAppend(&lines, prng.Chance(50) ? "PRINT" : "PRINT IBM");
        break;
      case 4:
        absl::StrAppend(&lines, prng.Chance(50) ? "# nothing" : "oops");
        break;
      default:
        absl::StrAppend(&lines, "SUBMIT ", id, " ", symbol, " ", side, " ", price, " ", quantity,
                        tifs[prng.Below(5)]);
    }
    lines += '\n';
  }
  return lines;
}

RC_GTEST_PROP(TextSession, RepliesAndCommandsDependOnTheLinesAlone, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  const std::string lines = RandomLines(prng, 300);

  Conversation in_one_call(0, Conversation::AutoDefine());
  RC_ASSERT(in_one_call.session.OnBytes(AsBytes(lines)).ok());
  RC_ASSERT(in_one_call.session.Finish().ok());

  // Released at any time by the journal, and never by the session.
  Conversation in_groups(prng.Below(50), Conversation::AutoDefine());
  for (size_t at = 0; at < lines.size();) {
    const size_t taken = std::min<size_t>(1 + prng.Below(200), lines.size() - at);
    RC_ASSERT(in_groups.session.OnBytes(AsBytes(lines).subspan(at, taken)).ok());
    at += taken;
    if (prng.Chance(30)) in_groups.exchange.Release(prng.Below(5));
  }
  RC_ASSERT(in_groups.session.Finish().ok());
  in_groups.exchange.Release();

  RC_ASSERT(in_one_call.session.output() == in_groups.session.output());
  RC_ASSERT(in_one_call.exchange.commands() == in_groups.exchange.commands());
  RC_ASSERT(in_one_call.account.live_order_count() == in_groups.account.live_order_count());
  in_one_call.account.CheckInvariants();
  in_groups.account.CheckInvariants();
}

// Whether the line is not a request: blank, or a comment.
bool AsksNothing(absl::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  return line.size() <= kTextLineBytesMax &&
         (first == absl::string_view::npos || line[first] == '#');
}

RC_GTEST_PROP(TextSession, EveryRequestIsAnswered, ()) {
  Prng prng(*rc::gen::arbitrary<uint64_t>());
  std::string lines = RandomLines(prng, 60);
  for (uint64_t flips = prng.Below(60); flips > 0; --flips) {
    lines[prng.Below(lines.size())] = static_cast<char>(prng.Next());
  }
  lines += std::string(prng.Below(2) * 600, 'z') + "\n";
  Conversation conversation(0, Conversation::AutoDefine());
  for (absl::string_view line : absl::StrSplit(lines, '\n')) {
    conversation.session.ClearOutput();
    RC_ASSERT(conversation.session.OnBytes(AsBytes(absl::StrCat(line, "\n"))).ok());
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const absl::string_view replies = conversation.session.output();
    RC_ASSERT(replies.empty() == AsksNothing(line));
    for (const char c : replies) RC_ASSERT(c == '\n' || (c >= ' ' && c <= '~'));
  }
  conversation.account.CheckInvariants();
}

RC_GTEST_PROP(TextSession, AnyBytesAreSurvived, (const std::string& bytes)) {
  Conversation conversation(3, Conversation::AutoDefine());
  RC_ASSERT(conversation.session.OnBytes(AsBytes(bytes)).ok());
  RC_ASSERT(conversation.session.Finish().ok());
  conversation.account.CheckInvariants();
}

}  // namespace
}  // namespace engine
