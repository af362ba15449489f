#include "tools/feed/snapshot_download.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using engine::SoupType;

std::string Packet(SoupType type, absl::string_view payload = "") {
  std::string bytes;
  engine::AppendSoupPacket(type, engine::AsBytes(payload), bytes);
  return bytes;
}

std::string Accepted(absl::string_view session = "ONE") {
  std::string bytes;
  engine::AppendSoupLoginAccepted({.session = std::string(session), .sequence = 1}, bytes);
  return bytes;
}

std::string Message(absl::string_view message) { return Packet(SoupType::kSequencedData, message); }

std::string End(absl::string_view number) {
  std::string message = absl::StrCat("G", number);
  message.resize(21, ' ');
  return Message(message);
}

// OK, if the snapshot is complete afterwards.
absl::Status Take(absl::string_view bytes, SnapshotDownload& download) {
  const auto complete = download.Take(engine::AsBytes(bytes));
  if (!complete.ok()) return complete.status();
  return *complete ? absl::OkStatus() : absl::UnavailableError("not yet");
}

TEST(SnapshotDownload, HasTheMessagesAndWhereTheFeedGoesOn) {
  const std::string bytes =
      absl::StrCat(Packet(SoupType::kDebug, "hello"), Accepted(), Message("first"),
                   Packet(SoupType::kServerHeartbeat), Message("2"), End("4711"), Message("later"));
  SnapshotDownload whole;
  EXPECT_TRUE(Take(bytes, whole).ok());
  EXPECT_EQ(whole.session(), "ONE");
  EXPECT_EQ(whole.next_sequence(), 4711u);
  EXPECT_EQ(engine::AsText(whole.framed()), absl::string_view("\0\5first\0\1"
                                                              "2",
                                                              10));

  SnapshotDownload in_pieces;
  bool is_complete = false;
  for (const char byte : bytes) {
    const auto taken = in_pieces.Take(engine::AsBytes(absl::string_view(&byte, 1)));
    ASSERT_TRUE(taken.ok()) << taken.status();
    is_complete = *taken;
  }
  EXPECT_TRUE(is_complete);
  EXPECT_EQ(engine::AsText(in_pieces.framed()), engine::AsText(whole.framed()));
}

TEST(SnapshotDownload, AnEmptyMarketHasAnEmptyOne) {
  SnapshotDownload download;
  EXPECT_TRUE(Take(absl::StrCat(Accepted(), End("1")), download).ok());
  EXPECT_TRUE(download.framed().empty());
}

TEST(SnapshotDownload, SaysWhyThereIsNone) {
  std::string refused;
  engine::AppendSoupLoginRejected(engine::SoupLoginRefusal::kNotAuthorised, refused);
  std::string unknown;
  engine::AppendSoupLoginRejected(engine::SoupLoginRefusal::kSessionNotAvailable, unknown);
  const struct {
    std::string bytes;
    absl::StatusCode code;
  } cases[] = {
      {refused, absl::StatusCode::kPermissionDenied},
      {unknown, absl::StatusCode::kNotFound},
      {Accepted() + Packet(SoupType::kEndOfSession), absl::StatusCode::kUnavailable},
      {Accepted() + Message("a"), absl::StatusCode::kUnavailable},  // Goes on.
      {Message("a"), absl::StatusCode::kInvalidArgument},
      {Accepted() + Accepted(), absl::StatusCode::kInvalidArgument},
      {Accepted() + End("0"), absl::StatusCode::kInvalidArgument},
      {Accepted() + End("x"), absl::StatusCode::kInvalidArgument},
      {Accepted() + End("99999999999999999999"), absl::StatusCode::kInvalidArgument},
      {Accepted() + Message("G1"), absl::StatusCode::kInvalidArgument},
      {Packet(SoupType::kLoginAccepted, "short"), absl::StatusCode::kInvalidArgument},
      {Packet(SoupType::kUnsequencedData, "a"), absl::StatusCode::kInvalidArgument},
      {std::string(2, '\0'), absl::StatusCode::kInvalidArgument},
  };
  for (const auto& [bytes, code] : cases) {
    SnapshotDownload download;
    const absl::Status status = Take(bytes, download);
    EXPECT_EQ(status.code(), code) << status << engine::ToHex(engine::AsBytes(bytes));
    // Errors are sticky.
    if (code != absl::StatusCode::kUnavailable) {
      EXPECT_EQ(Take(Accepted() + End("1"), download), status);
    }
  }
}

TEST(SnapshotDownload, AnyBytesAreSafe) {
  engine::Prng prng(1);
  for (int i = 0; i < 2'000; ++i) {
    std::string bytes = absl::StrCat(Accepted(), Message("abc"), Message(""), End("12"));
    const uint64_t changes = 1 + prng.Below(4);
    for (uint64_t change = 0; change < changes; ++change) {
      const uint64_t place = prng.Below(bytes.size());
      bytes[place] = static_cast<char>(prng.Below(256));
    }
    bytes.resize(prng.Below(bytes.size() + 1));
    SnapshotDownload download;
    (void)Take(bytes, download);
  }
}

}  // namespace
}  // namespace tools
