#include "engine/gateway/testing/script_player.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "gtest/gtest.h"

namespace engine {

std::string ScriptPlayer::Play(absl::string_view script) {
  std::string played;
  for (const absl::string_view line : absl::StrSplit(script, '\n')) {
    if (line.size() >= 2 && line[1] == '<') continue;
    absl::StrAppend(&played, line, "\n");
    if (!line.empty()) Do(line);
    AppendReplies(played);
  }
  return std::string(absl::StripSuffix(played, "\n"));
}

void ScriptPlayer::AppendReplies(std::string& played) {
  std::map<char, std::string> heard;
  gateway_.TakeReady([&](SessionId id, absl::string_view replies) {
    for (const auto& [name, session] : sessions_) {
      if (session == id) absl::StrAppend(&heard[name], replies);
    }
    return true;
  });
  for (const auto& [name, replies] : heard) {
    for (const absl::string_view reply :
         absl::StrSplit(absl::StripSuffix(replies, "\n"), '\n', absl::SkipEmpty())) {
      absl::StrAppend(&played, std::string(1, name), "< ", reply, "\n");
    }
  }
}

void ScriptPlayer::Do(absl::string_view line) {
  if (absl::ConsumePrefix(&line, "open ")) {
    sessions_[line[0]] = gateway_.Open();
  } else if (absl::ConsumePrefix(&line, "close ")) {
    gateway_.Close(sessions_[line[0]]);
    ASSERT_TRUE(gateway_.Work([] { return true; }).ok());
    sessions_.erase(line[0]);
  } else if (absl::ConsumePrefix(&line, "end ")) {
    ASSERT_TRUE(gateway_.OnEnd(sessions_[line[0]]).ok());
  } else if (line == "release") {
    exchange_.Release();
  } else if (absl::ConsumePrefix(&line, "release ")) {
    size_t count = 0;
    ASSERT_TRUE(ParseInteger(line, count)) << line;
    exchange_.Release(count);
  } else {
    ASSERT_EQ(line.substr(1, 2), "> ") << line;
    const std::string sent = absl::StrCat(line.substr(3), "\n");
    ASSERT_TRUE(gateway_.OnBytes(sessions_[line[0]], AsBytes(sent)).ok());
  }
}

}  // namespace engine
