// What `record --help` says after the options.

#ifndef TOOLS_CLI_RECORD_RECORD_EXAMPLES_H_
#define TOOLS_CLI_RECORD_RECORD_EXAMPLES_H_

namespace tools {

inline constexpr char kRecordExamples[] =
    R"(  ticktape record --from itch 01302020.NASDAQ_ITCH50.gz --check-executions -o a.tape
  ticktape record --from itch 01302020.NASDAQ_ITCH50.gz --mode mirror -o mirror.tape
  ticktape record --from itch multicast.pcap.zst --mode mirror -o mirror.tape
  ticktape record --from kalshi-capture frames.jsonl -o kalshi.tape
  ticktape record xnas-itch-20240105.mbo.dbn.zst -o dbn.tape
  ticktape record AAPL_2012-06-21_34200000_57600000_message_10.csv -o aapl.tape
  ticktape record --from workload --seed 7 --commands 1000000 -o b.tape
  ticktape record --from text orders.txt -o c.tape
  ticktape record orders.csv.zst -o d.tape
  ticktape export a.tape | ticktape record --from csv -o same.tape

Every source may be compressed with gzip or zstd, in a file or on standard input; the
first bytes say so. Without --from, the end of FILE's name does: x.csv.zst is csv.
ITCH counts time from midnight in New York, of the day that --date or the file's name
gives; the journal has UTC, and --tz America/New_York shows it as at Nasdaq. Input that
turns out malformed ends the recording with exit code 3; of ITCH, DBN and text, what
came before is kept; of a table and of LOBSTER's files, nothing is.
csv and jsonl are what 'export' writes: commands keep their times and numbers, so the
log digest is the same. Columns and fields may be left out, numbers too: an order is
then limit and gtc, or ioc if its type is market. Prices are decimal numbers (price), or
counts of units (price_units), which must agree. A market
is defined by a line of kind define_market with the definition in its columns, named as
in JSON: definition.id, definition.symbol, definition.price_decimals, definition.tick.
ITCH may also be a capture (pcap) of MoldUDP64 in UDP over IPv4: messages are taken in
the order of their numbers, each once, however many lines were captured.
With --check-executions, exit code 1 says that an execution was not matched.
--mode match gives orders that trade by price and time, and may fill another order than
Nasdaq did. --mode mirror gives the book that Nasdaq had after every message: executions
are commands that name their order, nothing is matched, and books may be crossed.
A kalshi-capture has one WebSocket frame a line, as it was received, or in an envelope
{"received_ts_ms":…,"frame":{…}}. Its markets are mirrored: the book is the capture's
after every frame. After a gap in seq a market is paused until its next snapshot.
dbn is Databento's MBO, plain or zstd, of version 1, 2 or 3. Its markets are mirrored:
one for each symbol, with as many decimals as its prices need. FILE is read twice, so it
is no pipe. A cancel of what a fill of the same event took is an execution of that order.
LOBSTER's message file becomes a mirrored market. With the order book file beside it
(…_orderbook_10.csv, or --orderbook), orders from before its first line are added, and
the book is compared after every message: exit code 1 says that one differs. Symbol and
day are those of the file's name, or --symbol and --date.
Commands that the exchange rejects are recorded, and counted with their reasons; so
are lines of text that were refused before they became commands. With --strict, one
of either ends with exit code 3; the journal is whole, and kept.
Ctrl-C or SIGTERM ends the input where it is: the journal is sealed, the report says
after which command, and the exit code is 130. A second one ends the program.)";

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORD_EXAMPLES_H_
