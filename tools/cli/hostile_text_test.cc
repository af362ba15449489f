// Verbs × text from outside: what is printed moves no cursor, changes no colour and no direction,
// and begins no line of its own. JSON stays valid JSON.

#include <rapidjson/document.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/command_line.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using Words = std::vector<std::string>;

// A title, a bell, a cleared screen; C1 as a byte and as a character; lines; direction; no UTF-8.
constexpr char kHostile[] =
    "a\x1b]0;t\x07\x1b[2J\x9b"
    "31m\u009b31m\r\nforged line\u202eb\xff";

// The same as JSON says it.
constexpr char kHostileJson[] = R"(a\u001b]0;t\u0007\u009b31m\r\nforged line\u202eb)";

struct Printed {
  std::string output;
  std::string error;
};

Printed RunWords(const Words& words, const Console::Options& options = {}) {
  Printed printed;
  {
    Console console([&](absl::string_view text) { absl::StrAppend(&printed.output, text); },
                    [&](absl::string_view text) { absl::StrAppend(&printed.error, text); },
                    options);
    (void)RunCommandLine(words, console);
  }
  return printed;
}

// As it may reach a terminal: lines of text that can be seen, none of them from outside.
void ExpectHarmless(absl::string_view text) {
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    EXPECT_FALSE(absl::StartsWith(line, "forged")) << line;
    VisitPieces(line, [&](const TextPiece& piece) {
      const bool is_tabulator = piece.character == '\t';
      EXPECT_TRUE(piece.kind == TextPiece::Kind::kVisible || is_tabulator)
          << "character " << piece.character;
    });
  }
}

void ExpectJson(absl::string_view output) {
  for (const absl::string_view line : absl::StrSplit(output, '\n', absl::SkipEmpty())) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
    EXPECT_FALSE(document.HasParseError()) << line;
  }
}

class HostileTextTest : public testing::Test {
 protected:
  // Everything that is named or read here is hostile, the names of files and folders included.
  HostileTextTest()
      : folder_(absl::StrCat(testing::TempDir(), "/",
                             testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::create_directories(folder_);
    const std::string plain = WriteSampleJournal(
        absl::StrCat(testing::UnitTest::GetInstance()->current_test_info()->name(), "_journal"),
        {.commands = SampleCommands(), .created_by = kHostile});
    journal_ = Path(absl::StrCat(kHostile, ".tape"));
    std::filesystem::rename(plain, journal_);
  }

  std::string Path(absl::string_view name) const { return absl::StrCat(folder_, "/", name); }
  std::string New() { return Path(absl::StrCat(kHostile, "_", ++count_)); }
  std::string Write(absl::string_view contents) {
    const std::string path = New();
    std::ofstream(path) << contents;
    return path;
  }

  // In all forms; `is_shown`: something of what is hostile is printed.
  void Try(const Words& words, bool is_shown = true) {
    SCOPED_TRACE(words.front() + (words.size() > 1 ? " " + words[1] : ""));
    const Printed plain = RunWords(words);
    ExpectHarmless(plain.output);
    ExpectHarmless(plain.error);
    EXPECT_TRUE(!is_shown || absl::StrContains(plain.output + plain.error, "forged line"));
    Printed coloured = RunWords(words, {.output_is_terminal = true, .error_is_terminal = true});
    for (const char* own : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"}) {
      coloured.output = absl::StrReplaceAll(coloured.output, {{own, ""}});
    }
    ExpectHarmless(coloured.output);
    ExpectHarmless(coloured.error);
    Words json = words;
    json.push_back("--json");
    const Printed machine = RunWords(json);
    ExpectHarmless(machine.output);
    ExpectHarmless(machine.error);
    ExpectJson(machine.output);
  }

  const std::string folder_;
  std::string journal_;
  int count_ = 0;
};

TEST_F(HostileTextTest, OfAJournal) {
  Try({"info", journal_, "--meta"});
  Try({"info", journal_, "--segments"});
  Try({"cat", journal_}, false);
  Try({"cat", journal_, "--fields", "sequence,market"}, false);
  Try({"stats", journal_});
  Try({"verify", journal_, "--deep"});
  Try({"replay", journal_});
  Try({"inspect", journal_, "@5"});
  Try({"export", journal_}, false);
  Try({"diff", journal_, journal_});
  Try({"schema", "show", journal_}, false);
  Try({"repair", journal_});
  Try({"seal", journal_});
  Try({"snapshot", "list", journal_});
  Try({"cut", journal_, "..@5", "-o", New()});
  Try({"split", journal_, "--every", "5", "-o", New()});
  Try({"repack", journal_, New()});
  Try({"hold", "add", journal_, "name", "@3", "--note", kHostile}, false);
  Try({"hold", "list", journal_}, false);
  Try({"prune", journal_, "--before", "@3"}, false);
}

TEST_F(HostileTextTest, OfABundle) {
  const std::string bundle = New() + ".ticktape";
  Try({"bundle", journal_, "..@5", "-o", bundle, "--note", kHostile, "--force"});
  Try({"bundle", "info", bundle});
  Try({"bundle", "replay", bundle});
  Try({"bundle", "open", bundle, "-o", New()});
  Try({"bundle", "info", Write(kHostile)});
}

TEST_F(HostileTextTest, OfFilesThatAreRead) {
  for (const std::string& contents :
       {std::string(kHostile), absl::StrCat("kind,order\n", kHostile, ",7\n"),
        absl::StrCat("kind,order\n\"", kHostile, "\",7\n"),
        absl::StrCat("kind,order\ncancel,\"", kHostile, "\"\n"),
        absl::StrCat("{\"kind\":\"", kHostile, "\"}\n"),
        absl::StrCat("{\"kind\":\"", kHostileJson, "\"}\n"),
        absl::StrCat("{\"", kHostileJson, "\":\"1\"}\n"),
        absl::StrCat("{\"kind\":\"cancel\",\"market\":\"", kHostileJson, "\"}\n"),
        absl::StrCat(R"({"kind":"set_fees","fees":{")", kHostileJson, "\":1}}\n"),
        absl::StrCat("bid ", kHostile, " 1 2\nSUBMIT ", kHostile, "\n")}) {
    for (const char* format : {"csv", "jsonl", "text"}) {
      Try({"record", "--from", format, Write(contents), "-o", New()}, false);
    }
    Try({"record", "--from", "itch", "--date", "2020-01-30", Write(contents), "-o", New()}, false);
    Try({"golden", "check", Write(contents)});
    Try({"diff", "--events", Write(contents), Write("other\n")}, false);
    Try({"retime", journal_, "--baseline", Write(contents)}, false);
  }
}

TEST_F(HostileTextTest, OfTheCommandLine) {
  Try({kHostile});
  Try({"cat", kHostile});
  Try({"cat", journal_, kHostile});
  Try({"cat", journal_, "--where", absl::StrCat("market==", kHostile)}, false);
  Try({"cat", journal_, "--where", kHostile}, false);
  Try({"cat", journal_, absl::StrCat("--", kHostile)});
  Try({"inspect", journal_, "@5", "--market", kHostile});
  Try({"diff", journal_, "--engine-a", kHostile, "--engine-b", "fast"});
  Try({"export", journal_, "-o", Path(absl::StrCat("no/", kHostile))});
  Try({"record", "--from", kHostile, "-o", New()});
}

}  // namespace
}  // namespace tools
