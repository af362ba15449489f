#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/bundle/bundle.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

BundleManifest Whole() {
  return {.created = "2026-11-20T09:30:00.000000000Z",
          .build = "ticktape 0.1.0, a test",
          .executable = "ticktape 0.1.0, a test, 00ff",
          .engine = "fast",
          .source = "a.tape",
          .journal_uuid = "000102030405060708090a0b0c0d0e0f",
          .recorded_by = "another build",
          .command_line = "ticktape record",
          .range = "5000..5002",
          .first = engine::SequenceNumber(4097),
          .last = engine::SequenceNumber(4099),
          .recorded = "equal",
          .notes = {"first line", "second: line"},
          .machine = {{"processor", "a: b"}, {"cores", "2"}},
          .results = {.semantics_version = 2,
                      .output_count = 4,
                      .checkpoints = {{.sequence = engine::SequenceNumber(4099),
                                       .log = engine::Digest{.low = 1, .high = 2},
                                       .trace = engine::Digest{.low = 3, .high = 4},
                                       .state = engine::Digest{.low = 5, .high = 6}}},
                      .marks = {1, 2, 0xfff0}},
          .files = {{.name = "journal/segment-000001.tape", .bytes = 8192},
                    {.name = "journal/snapshots/1.snap", .bytes = 7}}};
}

// With the hash of the last line recomputed.
std::string Rehashed(const std::string& text) {
  const std::string body = text.substr(0, text.rfind("\nxxh3 ") + 1);
  return absl::StrCat(body, "xxh3 ",
                      engine::DigestOf(engine::AsBytes(absl::string_view(body))).ToString(), "\n");
}

TEST(ManifestTest, WhatIsWrittenIsRead) {
  const auto parsed = ParseManifest(FormatManifest(Whole()));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(*parsed, Whole());
}

TEST(ManifestTest, NothingInATextBreaksItsLine) {
  BundleManifest manifest = Whole();
  manifest.notes = {"one\nfile 1 2 3\r\nfour"};
  const auto parsed = ParseManifest(FormatManifest(manifest));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->files.size(), 2u);
}

TEST(ManifestTest, NamesThatLeadElsewhereAreNoNames) {
  for (const char* name :
       {"", "MANIFEST", "journal", "journal/", "/etc/passwd", "journal/../x", "journal/..",
        "../journal/x", "journal/a/b", "journal/snapshots/", "journal/snapshots/../x",
        "journal/.lock", "journal/a b", "journal/a\nb", "journal//x", "snapshots/x"}) {
    EXPECT_FALSE(IsBundledName(name)) << name;
  }
  EXPECT_FALSE(IsBundledName("journal/" + std::string(100, 'a')));
  EXPECT_TRUE(IsBundledName("journal/segment-000001.tape"));
  EXPECT_TRUE(IsBundledName("journal/snapshots/00000000000000004096.snap"));
}

TEST(ManifestTest, WhatIsMalformedIsRefusedEvenWithTheRightHash) {
  const std::string text = FormatManifest(Whole());
  const struct {
    const char* from;
    const char* to;
    const char* message;
  } kCases[] = {
      {"journal/segment-000001.tape", "journal/../../segment", "expected journal/NAME"},
      {"journal/snapshots/1.snap", "journal/segment-000001.tape", "is there twice"},
      {"file 8192 ", "file 99999999999999999 ", "at most 65536 files of at most 64 TiB"},
      {"file 8192 ", "file many ", "expected bytes, hash and name"},
      {"first 4097", "first 0", "records 0 to 4099"},
      {"last 4099", "last 5", "records 4097 to 5"},
      {"events 4", "events x", "expected a known field"},
      {"source a.tape", "sauce a.tape", "expected a known field"},
      {"checkpoint 4099", "checkpoint 0", "expected a later sequence number"},
      {"marks 00010002fff0", "marks 00010002fff", "four hexadecimal digits"},
      {"ticktape bundle 1", "something else", "expected 'ticktape bundle 1'"},
  };
  for (const auto& each : kCases) {
    const std::string bad = absl::StrReplaceAll(text, {{each.from, each.to}});
    ASSERT_NE(bad, text) << each.from;
    const auto parsed = ParseManifest(Rehashed(bad));
    EXPECT_EQ(parsed.status().code(), absl::StatusCode::kDataLoss) << each.to;
    EXPECT_THAT(std::string(parsed.status().message()), HasSubstr(each.message)) << each.to;
  }
}

TEST(ManifestTest, ALaterVersionIsNotReadWrongly) {
  const auto parsed = ParseManifest("ticktape bundle 2\nxxh3 0\n");
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kUnimplemented);
}

TEST(ManifestTest, NoByteOfItCanBeAnother) {
  const std::string text = FormatManifest(Whole());
  for (size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] ^= 1;
    EXPECT_FALSE(ParseManifest(damaged).ok()) << i;
    EXPECT_FALSE(ParseManifest(text.substr(0, i)).ok()) << i;
  }
}

TEST(ManifestTest, AnyTextIsSafe) {
  const std::string text = FormatManifest(Whole());
  engine::Prng prng(5);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (int j = 0; j < 3; ++j) {
      damaged[prng.Below(damaged.size())] = static_cast<char>(prng.Below(256));
    }
    (void)ParseManifest(Rehashed(damaged));
  }
}

}  // namespace
}  // namespace tools
