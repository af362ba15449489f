// Keys as they are pressed, over the sample journal.

#include "tools/cli/travel/travel_control.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/exchange_machine.h"
#include "replay/snapshot/state_source.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/cli/travel/travel_screen.h"
#include "tools/cli/travel/travel_session.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using Key = TravelKey;

class TravelControlTest : public ::testing::Test {
 protected:
  TravelControlTest()
      : directory_(journal::OpenPosixDirectory(WriteSampleJournal(JournalName()),
                                               journal::DirectoryMode::kReadOnly)
                       .value()),
        reader_(journal::Reader::Open(*directory_).value()),
        session_(*reader_, Options()),
        control_(session_) {
    EXPECT_TRUE(session_.SeekFirst().ok());
  }

  // A test has a folder of its own.
  static std::string JournalName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  static replay::TravelOptions Options() {
    replay::TravelOptions options;
    options.make_machine = [] { return std::make_unique<replay::ExchangeMachine>(); };
    options.find_start = [](engine::SequenceNumber) -> absl::StatusOr<replay::StartingPoint> {
      return replay::StartingPoint{
          .machine = std::make_unique<replay::ExchangeMachine>(), .snapshot = {}, .warnings = {}};
    };
    return options;
  }

  // Characters as they are; '\n' is Enter. Where that leads.
  uint64_t Type(absl::string_view keys) {
    for (const char32_t point : CodePoints(keys)) {
      EXPECT_TRUE(control_.Press(point));
    }
    return session_.position().value();
  }
  uint64_t Press(char32_t key) {
    EXPECT_TRUE(control_.Press(key));
    return session_.position().value();
  }
  const std::string& message() const { return control_.status().message; }

  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Reader> reader_;
  TravelSession session_;
  TravelControl control_;
};

TEST_F(TravelControlTest, KeysStep) {
  EXPECT_EQ(Press(Key::kRight), 1);
  EXPECT_EQ(Type(" "), 2);
  EXPECT_EQ(Press(Key::kLeft), 1);
  EXPECT_EQ(Type("."), 11);
  EXPECT_EQ(Type(","), 1);
  EXPECT_EQ(Press(Key::kPageDown), 15);
  EXPECT_EQ(Press(Key::kBackspace), 14);
  EXPECT_EQ(Press(Key::kPageUp), 0);
  EXPECT_EQ(Type(">"), 15);
  EXPECT_EQ(Type("<"), 0);
  EXPECT_EQ(Type("ll"), 2);
  EXPECT_EQ(Type("h"), 1);
  EXPECT_EQ(Press(Key::kEnd), 15);
  EXPECT_EQ(Press(Key::kHome), 0);
  EXPECT_EQ(message(), "");
  Press(Key::kLeft);
  EXPECT_EQ(message(), "nothing is known before this");
}

TEST_F(TravelControlTest, PromptsTakeWhatIsTyped) {
  EXPECT_EQ(Type("g7\n"), 7);
  EXPECT_EQ(Type("g-1\n"), 15);
  EXPECT_EQ(Type("g@7\n"), 7) << "the mark is there already";
  EXPECT_EQ(Type("@\x7f-2\n"), 14) << "without the mark";
  EXPECT_EQ(Type("g\x7f+4s\n"), 5);
  EXPECT_EQ(Type("g\x7f"
                 "2020-01-30T09:30:02Z\n"),
            3);
  EXPECT_EQ(Type("g\x7forder:4\n"), 4);
  EXPECT_EQ(Type("g@@\n"), 4);
  EXPECT_EQ(message(), "");
  EXPECT_EQ(Type("g15\n"), 15);
  EXPECT_EQ(Type("gx\n"), 15);
  EXPECT_THAT(message(), HasSubstr("'@x' is not a position"));
  EXPECT_TRUE(control_.status().is_error);
  Type("g12");
  EXPECT_EQ(control_.status().typed, "@12");
  Press(Key::kBackspace);
  EXPECT_EQ(control_.status().typed, "@1");
  EXPECT_EQ(message(), "");
  EXPECT_EQ(Press(Key::kEscape), 15);
  EXPECT_EQ(control_.status().prompt, "");
  Type("m\xc3\xa4");
  Press(Key::kBackspace);
  EXPECT_EQ(control_.status().typed, "") << "a character, not a byte";
  Press(Key::kBackspace);
  EXPECT_TRUE(control_.Press(Key::kInterrupt)) << "it ends the prompt only";
}

TEST_F(TravelControlTest, SearchesGoOnWithN) {
  EXPECT_EQ(Type("/account==5\n"), 6);
  EXPECT_EQ(Type("n"), 7);
  EXPECT_EQ(Type("n"), 11);
  EXPECT_EQ(Type("n"), 11);
  EXPECT_EQ(message(), "no later command where account==5");
  EXPECT_FALSE(control_.status().is_error);
  EXPECT_EQ(Type("N"), 7);
  EXPECT_EQ(Type("/\n"), 11) << "nothing typed: the same again";
  Type("/account=5\n");
  EXPECT_THAT(message(), HasSubstr("expected ==, !="));
  EXPECT_EQ(message().find('\n'), std::string::npos);
}

TEST_F(TravelControlTest, TradesOrdersAndMarketsHaveKeys) {
  EXPECT_EQ(Type("g2\nt"), 7);
  EXPECT_EQ(Type("o4\ne"), 12);
  EXPECT_EQ(Type("E"), 4);
  EXPECT_EQ(Type("mKX,\"RAIN\"\nc"), 8);
  EXPECT_EQ(Type("C"), 2);
  EXPECT_EQ(Type("]]["), 2);
  EXPECT_EQ(Type("t"), 7) << "the market is AAPL again";
}

TEST_F(TravelControlTest, HelpGoesAwayWithAnyKey) {
  Type("?");
  EXPECT_TRUE(control_.status().shows_help);
  EXPECT_EQ(Press(Key::kRight), 0) << "the key only closes it";
  EXPECT_FALSE(control_.status().shows_help);
}

TEST_F(TravelControlTest, UnknownKeysSayWhereHelpIs) {
  Type("x");
  EXPECT_EQ(message(), "that key does nothing; ? helps");
}

TEST_F(TravelControlTest, QuitsByKeyAndByInterrupt) {
  EXPECT_FALSE(control_.Press(U'q'));
  EXPECT_FALSE(control_.Press(Key::kInterrupt));
  Type("?");
  EXPECT_FALSE(control_.Press(U'q'));
}

}  // namespace
}  // namespace tools
