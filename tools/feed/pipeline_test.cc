// Lines with faults, the handler, the ring and the books together: what the receiver has at the end
// is what was sent.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/steady_time.h"
#include "engine/gateway/feed/feed_handler.h"
#include "engine/messages/book_update.h"
#include "engine/types/side.h"
#include "engine/views/feed_books.h"
#include "engine/wire/itch/book_updates.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/kept_messages.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"
#include "tools/feed/book_keeper.h"
#include "tools/feed/books_summary.h"
#include "tools/feed/feed_decoder.h"
#include "tools/feed/feed_ring.h"
#include "tools/feed/feed_symbols.h"
#include "tools/feed/line_faults.h"
#include "tools/os/measuring.h"

namespace tools {
namespace {

using engine::Bytes;
using engine::FeedBooks;
using engine::FeedHandler;
using engine::FeedLine;
using engine::SteadyTime;

constexpr char kSession[] = "TODAY";
constexpr size_t kOrdersMax = 100'000;

std::string Frame(const engine::ItchMessage& message) {
  std::string frame;
  engine::AppendItchFrame(message, frame);
  return frame;
}

// Adds, executions, cancels, replaces and deletes of orders that rest.
std::vector<std::string> RandomMessages(uint64_t seed, size_t count) {
  engine::Prng prng(seed);
  std::vector<std::string> messages;
  std::vector<uint64_t> resting;
  uint64_t reference = 0;
  while (messages.size() < count) {
    const engine::ItchHeader header = {.stock_locate = static_cast<uint16_t>(1 + prng.Below(20))};
    const auto price = static_cast<uint32_t>(1'000 + prng.Below(40));
    if (resting.size() < 50 || prng.Below(2) == 0) {
      messages.push_back(Frame(
          engine::ItchAddOrder{.header = header,
                               .order_reference = ++reference,
                               .side = prng.Below(2) == 0 ? engine::Side::kBid : engine::Side::kAsk,
                               .shares = 1'000'000,
                               .stock = {},
                               .price = price}));
      resting.push_back(reference);
      continue;
    }
    const size_t place = prng.Below(resting.size());
    const uint64_t order = resting[place];
    const uint64_t kind = prng.Below(4);
    if (kind == 0) {
      messages.push_back(Frame(engine::ItchOrderExecuted{
          .header = header, .order_reference = order, .executed_shares = 1, .match_number = 1}));
    } else if (kind == 1) {
      messages.push_back(Frame(engine::ItchOrderCancel{
          .header = header, .order_reference = order, .cancelled_shares = 2}));
    } else if (kind == 2) {
      resting[place] = ++reference;
      messages.push_back(Frame(engine::ItchOrderReplace{.header = header,
                                                        .original_order_reference = order,
                                                        .new_order_reference = reference,
                                                        .shares = 500'000,
                                                        .price = price}));
    } else {
      resting[place] = resting.back();
      resting.pop_back();
      messages.push_back(
          Frame(engine::ItchOrderDelete{.header = header, .order_reference = order}));
    }
  }
  return messages;
}

BooksSummary Expected(const std::vector<std::string>& messages, size_t count) {
  FeedBooks books(kOrdersMax);
  for (size_t i = 0; i < count; ++i) {
    engine::ItchBookUpdates updates(engine::AsBytes(messages[i]));
    engine::BookUpdate update;
    while (updates.Next(update)) books.Apply(update);
  }
  return SummaryOf(books);
}

// A receiver whose requests are answered by the test.
class Receiver final : public engine::FeedOutput {
 public:
  struct Request {
    std::string session;
    engine::MoldRange range;
  };

  explicit Receiver(const FeedHandler::Options& options) : handler_(options, *this) {}

  void Clear() override {
    ++clears_;
    decoder_.Clear();
  }
  void Take(Bytes framed) override { decoder_.TakeItch(framed); }
  void RequestMessages(absl::string_view session, const engine::MoldRange& range) override {
    requests_.push_back({std::string(session), range});
  }
  void RequestSnapshot() override { ++snapshot_requests_; }

  void Drain() {
    while (keeper_.Turn() > 0) {
    }
  }

  FeedHandler& handler() { return handler_; }
  std::vector<Request>& requests() { return requests_; }
  uint64_t snapshot_requests() const { return snapshot_requests_; }
  uint64_t clears() const { return clears_; }
  const BookKeeper& keeper() const { return keeper_; }
  const FeedDecoder& decoder() const { return decoder_; }

 private:
  FeedRing ring_{64};
  FeedSymbols symbols_;
  FeedDecoder decoder_{ring_, symbols_, nullptr, [this] { Drain(); }};
  BookKeeper keeper_{ring_, TickClock::Calibrate(), kOrdersMax};
  FeedHandler handler_;
  std::vector<Request> requests_;
  uint64_t snapshot_requests_ = 0;
  uint64_t clears_ = 0;
};

std::string RequestPacket(const Receiver::Request& request) {
  return engine::MoldRequestBytes(
      request.session, request.range.first,
      static_cast<uint16_t>(request.range.last - request.range.first + 1));
}

struct Setting {
  std::array<LineFaults::Options, 2> lines = {};
  bool has_hostile = false;  // Other datagrams in between.
  uint64_t seed = 1;
};

class Pipeline : public ::testing::TestWithParam<Setting> {};

TEST_P(Pipeline, TheBooksAreThoseThatWereSent) {
  const std::vector<std::string> messages = RandomMessages(GetParam().seed, 20'000);
  Receiver receiver({.patience_ns = 1'000, .requests_max = 100, .has_snapshots = false});
  engine::MoldSender sender(kSession, 400);
  engine::MoldKeptMessages history(64 * messages.size());
  engine::MoldRetransmission retransmission(kSession, 400, history);
  std::array<LineFaults, 2> lines = {LineFaults(GetParam().lines[0]),
                                     LineFaults(GetParam().lines[1])};
  engine::Prng prng(GetParam().seed);
  int64_t now = 1;
  const auto send = [&](Bytes packet) {
    for (size_t line = 0; line < lines.size(); ++line) {
      lines[line].Take(packet, [&](Bytes arrived) {
        now += 50;
        receiver.handler().TakePacket(static_cast<FeedLine>(line), arrived,
                                      SteadyTime::FromNanos(now));
      });
      if (!GetParam().has_hostile) continue;
      std::string hostile(prng.Below(300), '\0');
      for (char& byte : hostile) byte = static_cast<char>(prng.Below(256));
      // A true beginning, now and then.
      const absl::string_view begin =
          engine::AsText(packet).substr(0, std::min<size_t>(hostile.size(), prng.Below(30)));
      std::ranges::copy(begin, hostile.begin());
      if (engine::ParseMoldPacket(engine::AsBytes(hostile)).ok()) continue;
      receiver.handler().TakePacket(static_cast<FeedLine>(line), engine::AsBytes(hostile),
                                    SteadyTime::FromNanos(now));
    }
  };
  const auto answer = [&] {
    receiver.handler().Tick(SteadyTime::FromNanos(now));
    for (const Receiver::Request& request : std::exchange(receiver.requests(), {})) {
      const std::string packet = RequestPacket(request);
      const Bytes reply = retransmission.Answer(engine::AsBytes(packet));
      if (!reply.empty()) receiver.handler().TakeAnswer(reply, SteadyTime::FromNanos(now));
    }
  };
  // The first packet is what a receiver without snapshots begins with.
  sender.Add(engine::AsBytes(messages[0]), send);
  history.Add(engine::AsBytes(messages[0]));
  receiver.handler().TakePacket(FeedLine::kA, engine::AsBytes(engine::MoldBytes(kSession, 1, 0)),
                                SteadyTime::FromNanos(now));
  for (size_t i = 1; i < messages.size(); ++i) {
    history.Add(engine::AsBytes(messages[i]));
    sender.Add(engine::AsBytes(messages[i]), send);
    answer();
  }
  for (int i = 0; i < 10'000 && receiver.handler().state() != FeedHandler::State::kEnded; ++i) {
    sender.EndSession(send);
    now += 2'000;
    answer();
  }
  receiver.Drain();
  EXPECT_EQ(receiver.handler().state(), FeedHandler::State::kEnded);
  EXPECT_EQ(receiver.handler().counters().lost, 0u);
  EXPECT_EQ(receiver.handler().counters().messages, messages.size());
  EXPECT_EQ(receiver.decoder().counters().malformed, 0u);
  EXPECT_EQ(SummaryOf(receiver.keeper().books()), Expected(messages, messages.size()));
  EXPECT_EQ(receiver.keeper().books().counters(),
            (FeedBooks::Counters{.applied = messages.size() + 1}));
}

constexpr uint32_t kPercent = 10'000;  // Per million.

INSTANTIATE_TEST_SUITE_P(
    Lines, Pipeline,
    ::testing::Values(
        Setting{},
        // One line is lost.
        Setting{.lines = {{{.lost = 100 * kPercent}, {}}}},
        Setting{.lines = {{{.lost = kPercent, .seed = 1}, {.lost = kPercent, .seed = 2}}}},
        Setting{.lines = {{{.lost = 100 * kPercent}, {.lost = 20 * kPercent}}}},
        Setting{.lines = {{{.repeated = 30 * kPercent, .overtaken = 20 * kPercent, .seed = 1},
                           {.repeated = 30 * kPercent, .overtaken = 20 * kPercent, .seed = 2}}}},
        Setting{.lines = {{{.lost = 10 * kPercent,
                            .repeated = 10 * kPercent,
                            .overtaken = 10 * kPercent,
                            .seed = 1},
                           {.lost = 10 * kPercent,
                            .repeated = 10 * kPercent,
                            .overtaken = 10 * kPercent,
                            .seed = 2}}},
                .has_hostile = true,
                .seed = 2}));

TEST(PipelineOfSessions, ASequenceThatBeginsAgainEmptiesTheBooks) {
  const std::vector<std::string> first = RandomMessages(1, 30'000);
  const std::vector<std::string> second = RandomMessages(2, 1'000);
  Receiver receiver({.has_snapshots = false, .reordered_max = 10'000});
  const auto send = [&](Bytes packet) {
    receiver.handler().TakePacket(FeedLine::kA, packet, SteadyTime::FromNanos(1));
  };
  for (const std::vector<std::string>* messages : {&first, &second}) {
    engine::MoldSender sender(kSession, 1'000);
    for (const std::string& message : *messages) sender.Add(engine::AsBytes(message), send);
    sender.Flush(send);
  }
  receiver.Drain();
  EXPECT_EQ(receiver.clears(), 2u);
  EXPECT_EQ(SummaryOf(receiver.keeper().books()), Expected(second, second.size()));
}

TEST(PipelineOfSessions, ALateJoinerHasTheBooksOfASnapshotAndWhatFollows) {
  const std::vector<std::string> messages = RandomMessages(3, 5'000);
  constexpr size_t kJoined = 2'000;
  constexpr size_t kInSnapshot = 2'500;
  Receiver receiver({});
  engine::MoldSender sender(kSession, 1'000);
  const auto send = [&](Bytes packet) {
    if (sender.next_sequence() > kJoined) {
      receiver.handler().TakePacket(FeedLine::kB, packet, SteadyTime::FromNanos(1));
    }
  };
  std::string snapshot;
  for (size_t i = 0; i < messages.size(); ++i) {
    if (i < kInSnapshot) snapshot += messages[i];
    sender.Add(engine::AsBytes(messages[i]), send);
    if (i == 4'000) {
      EXPECT_EQ(receiver.snapshot_requests(), 1u);
      receiver.handler().TakeSnapshot(kSession, kInSnapshot + 1, engine::AsBytes(snapshot),
                                      SteadyTime::FromNanos(1));
    }
  }
  sender.Flush(send);
  receiver.Drain();
  EXPECT_EQ(receiver.handler().counters().snapshots, 1u);
  EXPECT_EQ(SummaryOf(receiver.keeper().books()), Expected(messages, messages.size()));
}

TEST(BooksSummary, DiffersWithAnyLevel) {
  FeedBooks books(10);
  const BooksSummary empty = SummaryOf(books);
  EXPECT_EQ(empty.books, 0u);
  books.Apply({.reference = 1,
               .price = engine::Price::FromUnits(10),
               .quantity = engine::Quantity::FromUnits(1),
               .locate = 65'535,
               .kind = engine::BookUpdateKind::kAdd,
               .side = engine::Side::kBid});
  const BooksSummary one = SummaryOf(books);
  EXPECT_EQ(one.books, 1u);
  EXPECT_EQ(one.levels, 1u);
  EXPECT_EQ(one.orders, 1u);
  EXPECT_NE(one.digest, empty.digest);
}

}  // namespace
}  // namespace tools
