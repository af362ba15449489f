// ticktape export: writes commands, events or market data for other programs.

#include <bit>
#include <map>
#include <span>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"
#include "engine/gateway/conversation.h"
#include "engine/messages/filter.h"
#include "engine/views/top_levels.h"
#include "engine/wire/itch/feed.h"
#include "engine/wire/pcap/udp.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/conversation_application.h"
#include "tools/cli/base/csv.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/har/har_writer.h"
#include "tools/cli/read/chosen_fields.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/read/walk.h"
#include "tools/cli/show/export_file.h"
#include "tools/cli/show/itch_export.h"
#include "tools/cli/show/market_data_export.h"
#include "tools/cli/show/ouch_export.h"

namespace tools {
namespace {

enum class Format { kCsv, kJsonLines, kDbn, kHar, kParquet, kItch, kPcap };
enum class What { kCommands, kEvents, kBook, kTrades, kOrders, kItch, kOuch };

// The words of --format, and the ends of names.
const std::map<std::string, Format>& Formats() {
  static const auto* const formats = new std::map<std::string, Format>{
      {"csv", Format::kCsv},  {"jsonl", Format::kJsonLines}, {"dbn", Format::kDbn},
      {"har", Format::kHar},  {"parquet", Format::kParquet}, {"itch", Format::kItch},
      {"pcap", Format::kPcap}};
  return *formats;
}

constexpr char kExamples[] = R"(  ticktape export a.tape -o commands.csv
  ticktape export a.tape @1..@50000 --what events --format jsonl -o events.jsonl
  ticktape export a.tape --what events | cut -d, -f1,5,6,13
  ticktape export a.tape | ticktape record --from csv -o same.tape
  ticktape export a.tape --fields sequence,time,price,quantity -o prices.csv.zst
  ticktape export a.tape --what events -o events.parquet
  ticktape export a.tape --market AAPL --where 'kind==new_order && price>=320'
  ticktape export a.tape --what book --market AAPL -o aapl.dbn.zst
  ticktape export VENUE/conversations/000001.tape --format har -o session.har
  ticktape export a.tape --to pcap -o feed.pcap
  ticktape export VENUE/journal --what ouch -o sessions.pcap

CSV has a header and every column in every row; the _units columns are exact counts
of the market's units, beside the decimal number where the market is known.
  commands  sequence,time,time_ns,kind,market,market_id,order,side,type,tif,price,
            price_units,quantity,quantity_units,account,client_order_id,flags,group,
            expires,amount,window_ns,attachment (hexadecimal)
  events    sequence,index,time,time_ns,kind,market,market_id,order,maker,taker (of a
            trade),from (of a replace, the order that ended),side,price,price_units,
            quantity,quantity_units,remaining,remaining_units,account,group,change,fee,
            balance,reserved,position,position_units,expires,detail
JSON lines are those of 'cat --json' and 'replay --emit'; a venue's conversations have
them, too. HAR (HTTP Archive 1.2, which browsers and proxies read) is of a venue's
conversation that was recorded with --record-conversation bytes: HTTP requests with
their responses, WebSocket sessions with their messages; secrets stay masked.
Events are made by replaying. Commands are taken back by 'record --from csv|jsonl'.
Parquet is made of the CSV by python3 with pyarrow (python3 -m pip install pyarrow), by
the script tools/cli/read/parquet.py, which also makes CSV of it again. --fields takes
columns in their order of the list; of JSON lines, members.
  book      rows as Databento's MBP-10: what changes the best levels, and trades
  trades    Databento's trades
  orders    Databento's MBO: each change of an order, and trades. Of a range that begins
            after @1, the first rows are the orders that rest there (flag 32)
These are replayed, too; as CSV and JSON lines they are what Databento's tools write of
the same DBN. Sizes count the market's quantity unit.
  itch      the exchange's feed as Nasdaq ITCH 5.0: JSON lines, a file of messages that
            'record --from itch' reads (.itch), or the packets of MoldUDP64 in UDP (.pcap)
A capture has raw IP (link type 101), to 233.252.0.1 and, with --lines 2, 233.252.0.2,
port 26400; the session is the beginning of the journal's id. A packet takes messages of
a millisecond, as many as fit; its time is that of the last. Messages are numbered from
the journal's beginning. The end of a sealed journal ends the session.
  ouch      the OUCH sessions of a venue, whose file has the logins: JSON lines, or
            SoupBinTCP in TCP (.pcap). The venue's messages are those that clients got;
            a client's are those of which a record was made
The format is that of the end of the file's name: .csv, .jsonl, .parquet, .dbn, .har,
.itch or .pcap; CSV if it has none. With .zst or .gz after it, the file is compressed. Commands of a journal that begins after @1 are written as they are; a market
that was defined before has no symbol and no decimals then, and its units say
everything.)";

class ExportVerb final : public Verb {
 public:
  ExportVerb() : Verb("export", "Write commands, events or market data as a table", kExamples) {}

  void Declare(Options& options) override {
    const std::map<std::string, What> whats = {
        {"commands", What::kCommands}, {"events", What::kEvents}, {"book", What::kBook},
        {"trades", What::kTrades},     {"orders", What::kOrders}, {"itch", What::kItch},
        {"ouch", What::kOuch}};
    options.Add("journal", path_, "The journal's folder").Required().Type("JOURNAL");
    options.Add("range", range_, "Which records, e.g. @100..+20").Type("RANGE");
    options
        .AddChoice("--what", what_choice_, whats,
                   "commands (the default), events, book, trades, orders, itch or ouch")
        .Type("WHAT");
    options
        .AddChoice("--format,--as,--to", format_choice_, Formats(),
                   "csv (the default), jsonl, parquet, har, dbn for book, trades and orders, itch "
                   "for itch, or pcap for itch and ouch")
        .Type("FORMAT");
    options.Add("--fields", fields_text_, "commands, events: only these columns or fields")
        .Type("A,B,C");
    options.Add("--market", market_, "Only this one, e.g. AAPL or #7").Type("MARKET");
    options.Add("--where", where_, "commands, events: only those for which this holds, as in 'cat'")
        .Type("EXPRESSION");
    options.AddCount("--depth", depth_, "book: levels of each side", uint64_t{1},
                     uint64_t{engine::TopLevels::kDepthMax});
    options.AddCount("--packet-bytes", itch_.packet_bytes, "pcap: what UDP carries at most",
                     engine::kItchPacketBytesMin, engine::kUdpPayloadBytesMax);
    options.AddCount("--lines", itch_.line_count,
                     "pcap: 2 has each packet twice, for lines A and B", uint64_t{1}, uint64_t{2});
    options.Add("-o,--output", output_path_, "File to write; - is standard output, the default")
        .Type("FILE");
    options.AddFlag("--force", force_, "Replace FILE if it is there");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    console_ = &console;
    ASSIGN_OR_RETURN(format_, ChooseFormat());
    what_ = what_choice_.value_or(IsOfProtocol(format_) ? What::kItch : What::kCommands);
    RETURN_IF_ERROR(CheckChoices());
    RETURN_IF_ERROR(ChooseFields());
    RETURN_IF_ERROR(ParseWhere());
    ASSIGN_OR_RETURN(const OpenedJournal opened, OpenJournal(path_));
    const bool is_of_exchange = IsOfExchange(opened.reader->info());
    RETURN_IF_ERROR(CheckHasFormat(opened.reader->info()));
    if (!is_of_exchange) RETURN_IF_ERROR(CheckTakesAll());
    WarnOfMissingBeginning(opened.reader->info(), console);
    ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(range_, *opened.reader));
    if (output_path_ != "-") {
      ASSIGN_OR_RETURN(output_,
                       ExportFile::Create(output_path_, force_, format_ == Format::kParquet));
    }
    RETURN_IF_ERROR(format_ == Format::kHar    ? WriteHar(opened, range)
                    : !is_of_exchange          ? WriteRows(opened, range)
                    : IsMarketData()           ? WriteMarketRows(opened, range)
                    : what_ == What::kItch     ? WriteItchFeed(opened, range)
                    : what_ == What::kOuch     ? WriteOuchSessions(opened, range)
                    : what_ == What::kCommands ? WriteCommands(opened, range)
                                               : WriteEvents(opened, range));
    if (output_ == nullptr) return ExitCode::kOk;
    RETURN_IF_ERROR(output_->Finish());
    Report report("ticktape.export/1");
    report.Field("path", path_);
    report.Field("output", output_path_);
    report.Field("first_sequence", range.first);
    report.Field("last_sequence", range.last);
    report.Field("lines", line_count_);
    if (format_ == Format::kPcap) report.Field("packets", packet_count_);
    report.Note("wrote ",
                Counted(line_count_, format_ == Format::kHar ? "entry"
                                     : IsMarketData()        ? "row"
                                     : IsProtocol()          ? "message"
                                                             : "line"),
                format_ == Format::kPcap ? absl::StrCat(" in ", Counted(packet_count_, "packet"))
                                         : std::string(),
                " to ", output_path_);
    report.PrintTo(console);
    return ExitCode::kOk;
  }

 private:
  bool IsMarketData() const {
    return what_ == What::kBook || what_ == What::kTrades || what_ == What::kOrders;
  }

  // Messages as they are on the wire.
  bool IsProtocol() const { return what_ == What::kItch || what_ == What::kOuch; }

  // What these formats have is a protocol; the ITCH feed, if nothing else is wanted.
  static bool IsOfProtocol(Format format) {
    return format == Format::kItch || format == Format::kPcap;
  }

  absl::StatusOr<Format> ChooseFormat() const {
    if (format_choice_.has_value()) return *format_choice_;
    if (output_path_ == "-") {
      const bool is_json =
          console_->json() || what_choice_ == What::kItch || what_choice_ == What::kOuch;
      return is_json ? Format::kJsonLines : Format::kCsv;
    }
    const absl::string_view path = WithoutCompression(output_path_);
    const absl::string_view name = path.substr(path.rfind('/') + 1);
    const size_t dot = name.rfind('.');
    if (dot == name.npos || dot == 0) return Format::kCsv;
    const auto format = Formats().find(std::string(name.substr(dot + 1)));
    if (format != Formats().end()) return format->second;
    return absl::InvalidArgumentError(absl::StrCat(
        "-o '", output_path_, "': the end of the name is no format; expected ",
        ".csv, .jsonl, .parquet, .dbn, .har, .itch or .pcap, with .gz or .zst after it, or "
        "--format"));
  }

  // Rows with columns, which Parquet is made of.
  bool IsTable() const { return format_ == Format::kCsv || format_ == Format::kParquet; }

  absl::Status ParseWhere() {
    if (!where_.has_value()) return absl::OkStatus();
    ASSIGN_OR_RETURN(filter_, engine::Filter::Parse(*where_, what_ == What::kEvents
                                                                 ? engine::Messages::kEvents
                                                                 : engine::Messages::kCommands));
    return absl::OkStatus();
  }

  absl::Status ChooseFields() {
    if (!fields_text_.has_value()) return absl::OkStatus();
    if (IsMarketData() || IsProtocol() || (!IsTable() && format_ != Format::kJsonLines)) {
      return absl::InvalidArgumentError(
          "--fields is for --what commands and events, as CSV, JSON lines or Parquet");
    }
    const bool are_commands = what_ == What::kCommands;
    ASSIGN_OR_RETURN(
        fields_, IsTable() ? ChosenFields::OfTable(
                                 *fields_text_, are_commands ? kCommandCsvHeader : kEventCsvHeader)
                           : ChosenFields::OfObjects(*fields_text_,
                                                     are_commands ? engine::Messages::kCommands
                                                                  : engine::Messages::kEvents));
    return absl::OkStatus();
  }

  absl::Status CheckParquet() const {
    if (format_ != Format::kParquet) return absl::OkStatus();
    if (IsMarketData()) {
      return absl::InvalidArgumentError(
          "Parquet is of commands and events; DBN has the types of book, trades and orders");
    }
    if (output_path_ == "-") {
      return absl::InvalidArgumentError("Parquet is a file; expected -o FILE.parquet");
    }
    if (WithoutCompression(output_path_) != output_path_) {
      return absl::InvalidArgumentError(
          absl::StrCat(output_path_, ": Parquet is compressed inside; expected -o FILE.parquet"));
    }
    return absl::OkStatus();
  }

  absl::Status CheckProtocol() const {
    const ItchExport plain;
    const bool is_plain =
        itch_.packet_bytes == plain.packet_bytes && itch_.line_count == plain.line_count;
    if ((format_ != Format::kPcap || what_ != What::kItch) && !is_plain) {
      return absl::InvalidArgumentError(
          "--packet-bytes and --lines are for --what itch with --format pcap");
    }
    if (!IsProtocol()) {
      if (!IsOfProtocol(format_)) return absl::OkStatus();
      return absl::InvalidArgumentError(
          "itch and pcap are formats of protocols; expected no --what, --what itch, or for pcap "
          "--what ouch");
    }
    if (what_ == What::kItch && !IsOfProtocol(format_) && format_ != Format::kJsonLines) {
      return absl::InvalidArgumentError(
          "the ITCH feed is written as jsonl, itch or pcap; expected one of these as --format");
    }
    if (what_ == What::kOuch && format_ != Format::kPcap && format_ != Format::kJsonLines) {
      return absl::InvalidArgumentError(
          "sessions of OUCH are written as jsonl or pcap; expected one of these as --format");
    }
    if (!market_.empty()) {
      return absl::InvalidArgumentError(
          "--market is not for itch and ouch: their messages are numbered, those of all markets");
    }
    return absl::OkStatus();
  }

  absl::Status CheckChoices() const {
    RETURN_IF_ERROR(CheckParquet());
    RETURN_IF_ERROR(CheckProtocol());
    if (!IsMarketData() && format_ == Format::kDbn) {
      return absl::InvalidArgumentError(
          "DBN has no commands and no events; expected --what book, "
          "trades or orders");
    }
    if ((IsMarketData() || IsProtocol()) && where_.has_value()) {
      return absl::InvalidArgumentError(
          "--where is for --what commands and events; --market takes one market of the others");
    }
    if (what_ != What::kBook && depth_ != engine::TopLevels::kDepthMax) {
      return absl::InvalidArgumentError("--depth is for --what book");
    }
    const bool is_binary = format_ == Format::kDbn || IsOfProtocol(format_);
    if (is_binary && output_path_ == "-" && console_->options().output_is_terminal) {
      return absl::InvalidArgumentError(
          absl::StrCat(format_ == Format::kDbn    ? "DBN"
                       : format_ == Format::kItch ? "ITCH"
                                                  : "pcap",
                       " is not for a terminal; -o FILE writes it to a file"));
    }
    return absl::OkStatus();
  }

  // The rows of other applications have no columns in common; only conversations have HTTP.
  absl::Status CheckHasFormat(const journal::JournalInfo& info) const {
    const bool is_conversation = info.metadata.application == ConversationApplication().name;
    if (format_ == Format::kHar) {
      if (is_conversation && what_ == What::kCommands) return absl::OkStatus();
      return absl::InvalidArgumentError(
          "--format har is of the conversations of a venue, VENUE/conversations/000001.tape, "
          "without --what events");
    }
    if (IsOfExchange(info)) return absl::OkStatus();
    RETURN_IF_ERROR(ApplicationOf(info).status());
    if (IsMarketData() || IsProtocol()) return CheckIsOfExchange(info);
    if (what_ == What::kCommands && format_ == Format::kJsonLines) return absl::OkStatus();
    const absl::Status refused = CheckIsOfExchange(info);
    return absl::Status(refused.code(),
                        absl::StrCat(refused.message(), "; --format jsonl writes its rows",
                                     is_conversation ? ", --format har its HTTP" : ""));
  }

  // The rows of other applications are in no market, and have no fields that are known here.
  absl::Status CheckTakesAll() const {
    for (const auto& [name, is_given] :
         {std::pair("--fields", fields_text_.has_value()), std::pair("--market", !market_.empty()),
          std::pair("--where", where_.has_value())}) {
      if (is_given) {
        return absl::InvalidArgumentError(
            absl::StrCat(name, " is for the exchange's journals; expected none for ", path_));
      }
    }
    return absl::OkStatus();
  }

  // Whether a message of `market` is wanted. Also learns which number --market means.
  bool IsOfMarket(engine::MarketId market, const engine::MarketDirectory& markets) {
    if (market_.empty()) return true;
    if (!market_id_.has_value()) market_id_ = markets.ParseMarket(market_);
    return market_id_ == market;
  }

  // Errors: INVALID_ARGUMENT for a market of --market, or of a --where that nothing meets, that was
  // not defined up to the end.
  absl::Status CheckMarketsAreKnown(const engine::MarketDirectory& markets) const {
    if (!market_.empty()) RETURN_IF_ERROR(FindMarket("--market", market_, markets).status());
    const std::vector<std::string> unknown = filter_.UnknownSymbols(markets);
    if (line_count_ > (IsTable() ? 1 : 0) || unknown.empty()) return absl::OkStatus();
    return FindMarket("--where: market", unknown.front(), markets).status();
  }

  absl::Status WriteRows(const OpenedJournal& opened, const SequenceRange& range) {
    Progress progress(*console_, "export", "records", range.record_count());
    const auto vocabulary = VocabularyOf(opened.reader->info());
    RETURN_IF_ERROR(opened.reader->SeekToSequence(range.first));
    for (engine::SequenceNumber at = range.first; at <= range.last; at = at.Next()) {
      ASSIGN_OR_RETURN(const std::optional<journal::Record> record, opened.reader->Next());
      if (!record.has_value()) break;
      progress.Update(record->sequence() - range.first);
      vocabulary->Follow(*record);
      Write(absl::StrCat(RowJson(*record, *vocabulary), "\n"));
    }
    return absl::OkStatus();
  }

  absl::Status WriteHar(const OpenedJournal& opened, const SequenceRange& range) {
    Progress progress(*console_, "export", "records", range.record_count());
    HarWriter har(BuildId(), [this](absl::string_view text) { WriteText(text); });
    RETURN_IF_ERROR(opened.reader->SeekToSequence(range.first));
    for (engine::SequenceNumber at = range.first; at <= range.last; at = at.Next()) {
      ASSIGN_OR_RETURN(const std::optional<journal::Record> record, opened.reader->Next());
      if (!record.has_value()) break;
      progress.Update(record->sequence() - range.first);
      const auto row = std::bit_cast<engine::TalkRow>(*record->row);
      RETURN_IF_ERROR(har.Add(row, record->attachment));
    }
    RETURN_IF_ERROR(har.Finish());
    line_count_ = har.entry_count();
    if (har.text_session_count() > 0) {
      console_->Note("note: ", Counted(har.text_session_count(), "session"),
                     " of the text protocol left out: HAR is of HTTP");
    }
    if (har.has_earlier_sessions()) {
      console_->Note("note: sessions that were opened before @", range.first, " are left out");
    }
    return absl::OkStatus();
  }

  void Write(absl::string_view line) {
    ++line_count_;
    if (!fields_.has_value()) return WriteText(line);
    WriteText(IsTable() ? fields_->Row(line)
                        : absl::StrCat(fields_->Object(absl::StripSuffix(line, "\n")), "\n"));
  }

  // CSV has the times of --tz in a file, too; the other formats are for programs and stay UTC.
  bool HasTimesInZone() const {
    return format_ == Format::kCsv && console_->time_zone().has_value();
  }

  void WriteText(absl::string_view line) {
    if (output_ != nullptr) {
      output_->Write(HasTimesInZone() ? WithTimesIn(line, *console_->time_zone()) : line);
    } else {
      console_->Print(ConsoleText::Lines(line));
    }
  }

  absl::Status WriteMarketRows(const OpenedJournal& opened, const SequenceRange& range) {
    const MarketDataExport request = {.what = what_ == What::kBook     ? MarketData::kBook
                                              : what_ == What::kTrades ? MarketData::kTrades
                                                                       : MarketData::kOrders,
                                      .format = format_ == Format::kCsv ? MarketDataFormat::kCsv
                                                : format_ == Format::kJsonLines
                                                    ? MarketDataFormat::kJsonLines
                                                    : MarketDataFormat::kDbn,
                                      .depth = depth_,
                                      .market = market_};
    const auto write = [this](absl::string_view piece) {
      if (output_ != nullptr) return Write(piece);
      console_->PrintBytes(HasTimesInZone() ? WithTimesIn(piece, *console_->time_zone()) : piece);
    };
    ASSIGN_OR_RETURN(line_count_, WriteMarketData(request, opened, range, *console_, write));
    return absl::OkStatus();
  }

  absl::Status WriteItchFeed(const OpenedJournal& opened, const SequenceRange& range) {
    itch_.form = format_ == Format::kPcap   ? ItchForm::kCapture
                 : format_ == Format::kItch ? ItchForm::kFrames
                                            : ItchForm::kJsonLines;
    const auto write = [this](absl::string_view piece) {
      if (output_ != nullptr) return output_->Write(piece);
      console_->PrintBytes(piece);
    };
    ASSIGN_OR_RETURN(const ItchExported exported,
                     WriteItch(itch_, opened, range, *console_, write));
    line_count_ = exported.messages;
    packet_count_ = exported.packets;
    return absl::OkStatus();
  }

  absl::Status WriteOuchSessions(const OpenedJournal& opened, const SequenceRange& range) {
    const OuchForm form = format_ == Format::kPcap ? OuchForm::kCapture : OuchForm::kJsonLines;
    const auto write = [this](absl::string_view piece) {
      if (output_ != nullptr) return output_->Write(piece);
      console_->PrintBytes(piece);
    };
    ASSIGN_OR_RETURN(const OuchExported exported,
                     WriteOuch(form, path_, opened, range, *console_, write));
    line_count_ = exported.messages;
    packet_count_ = exported.packets;
    return absl::OkStatus();
  }

  absl::Status WriteCommands(const OpenedJournal& opened, const SequenceRange& range) {
    if (IsTable()) Write(absl::StrCat(kCommandCsvHeader, "\n"));
    Progress progress(*console_, "export", "records", range.record_count());
    replay::MarketFollower markets;
    RETURN_IF_ERROR(
        AddDeletedMarkets(*opened.directory, opened.reader->info(), *console_, markets));
    RETURN_IF_ERROR(WalkCommands(
        *opened.reader, range, markets,
        [&](const engine::Command& command, engine::Bytes attachment) {
          progress.Update(command.sequence - range.first);
          if (!IsOfMarket(command.market, markets.markets()) ||
              !filter_.Matches(command, !attachment.empty(), markets.markets())) {
            return true;
          }
          if (IsTable()) {
            WriteCommand(row_, command, attachment, markets.markets());
            Write(row_.Finish());
          } else {
            Write(absl::StrCat(CommandJson(command, attachment, markets.markets()), "\n"));
          }
          return true;
        }));
    return CheckMarketsAreKnown(markets.markets());
  }

  absl::Status WriteEvents(const OpenedJournal& opened, const SequenceRange& range) {
    if (IsTable()) Write(absl::StrCat(kEventCsvHeader, "\n"));
    Progress progress(*console_, "export", "records", range.last.value());
    const journal::JournalInfo& info = opened.reader->info();
    ASSIGN_OR_RETURN(replay::StartingPoint start,
                     StartFromSnapshot(*opened.directory, info, range.first - 1,
                                       replay::EngineKind::kFast, *console_));
    replay::MarketFollower markets;
    RETURN_IF_ERROR(WalkEventsInParts(
        start, *opened.reader, range.last, markets,
        [&](const engine::Command& command, std::span<const engine::Event> events) {
          progress.Update(command.sequence.value());
          if (command.sequence < range.first) return;
          for (const engine::Event& event : events) {
            if (!IsOfMarket(event.market, markets.markets()) ||
                !filter_.Matches(event, markets.markets())) {
              continue;
            }
            if (IsTable()) {
              WriteEvent(row_, event, command.timestamp, markets.markets());
              Write(row_.Finish());
            } else {
              Write(absl::StrCat(EventJson(event, command.timestamp, markets.markets()), "\n"));
            }
          }
        }));
    return CheckMarketsAreKnown(markets.markets());
  }

  std::string path_;
  std::string range_;
  std::string output_path_ = "-";
  std::optional<Format> format_choice_;
  std::optional<std::string> fields_text_;
  std::optional<What> what_choice_;
  std::string market_;
  std::optional<std::string> where_;
  uint64_t depth_ = engine::TopLevels::kDepthMax;
  bool force_ = false;

  ItchExport itch_;

  Console* console_ = nullptr;
  Format format_ = Format::kCsv;
  What what_ = What::kCommands;
  std::optional<ChosenFields> fields_;  // All of them.
  engine::Filter filter_;
  std::optional<engine::MarketId> market_id_;  // Of --market, once it is defined.
  std::unique_ptr<ExportFile> output_;         // Null: writes to the console.
  CsvRow row_;
  uint64_t line_count_ = 0;
  uint64_t packet_count_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeExportVerb() { return std::make_unique<ExportVerb>(); }

}  // namespace tools
