#!/usr/bin/env python3
"""Commands or events of a journal as a Parquet file, with the types that their columns have.

    ticktape export a.tape | parquet.py commands.parquet
    ticktape export a.tape --what events | parquet.py events.parquet
    parquet.py --to-csv commands.parquet | ticktape record --from csv -o same.tape

Counts and identifiers are integers, times are timestamps of nanoseconds in UTC, names are
dictionaries, decimal numbers and money stay text, because they are exact; beside each stands its
count of units. Needs pyarrow: pip install pyarrow
"""

import sys

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as csv
    import pyarrow.parquet as parquet
except ImportError:
    sys.exit("parquet.py: pyarrow is missing: python3 -m pip install pyarrow")

NAMES = pa.dictionary(pa.int32(), pa.string())
TIME = pa.timestamp("ns", tz="UTC")
TYPES = {
    **dict.fromkeys(["kind", "market", "side", "type", "tif", "detail"], NAMES),
    **dict.fromkeys(
        ["sequence", "order", "maker", "taker", "from", "quantity_units", "remaining_units",
         "client_order_id"], pa.uint64()),
    **dict.fromkeys(["time_ns", "price_units", "window_ns", "position_units"], pa.int64()),
    **dict.fromkeys(["index", "market_id", "account", "group"], pa.uint32()),
    "flags": pa.uint8(),
}
BLOCK_BYTES = 16 << 20


def to_parquet(source, path):
    """Reads CSV block by block, so that a journal of any length fits."""
    header = source.readline().decode().rstrip("\r\n").split(",")
    missing = [name for name in ("sequence", "time_ns", "kind") if name not in header]
    if missing:
        sys.exit(f"parquet.py: no column {missing[0]!r}; expected the CSV of 'ticktape export'")
    # The text of a time says what time_ns says.
    kept = [name for name in header if name != "time"]
    reader = csv.open_csv(
        source,
        read_options=csv.ReadOptions(column_names=header, block_size=BLOCK_BYTES),
        convert_options=csv.ConvertOptions(
            include_columns=kept,
            column_types={name: TYPES.get(name, pa.string()) for name in kept},
            null_values=[""], strings_can_be_null=True))
    writer = None
    for batch in reader:
        table = pa.Table.from_batches([batch])
        place = kept.index("time_ns")
        table = table.set_column(place, "time", pc.cast(table["time_ns"], TIME))
        if writer is None:
            writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
        writer.write_table(table)
    if writer is None:
        sys.exit("parquet.py: the table has no rows")
    writer.close()


def to_csv(path, out):
    """The columns that were written, with time_ns for the time."""
    file = parquet.ParquetFile(path)
    for number, batch in enumerate(file.iter_batches(batch_size=65536)):
        table = pa.Table.from_batches([batch])
        columns = {}
        for name in table.column_names:
            column = table[name]
            if name == "time":
                name, column = "time_ns", pc.cast(column, pa.int64())
            elif pa.types.is_dictionary(column.type):
                column = pc.cast(column, pa.string())
            columns[name] = column
        csv.write_csv(pa.table(columns), out,
                      csv.WriteOptions(include_header=number == 0, quoting_style="needed",
                                       quoting_header="none"))


def main():
    words = sys.argv[1:]
    if len(words) == 2 and words[0] == "--to-csv":
        to_csv(words[1], sys.stdout.buffer)
    elif len(words) == 1 and not words[0].startswith("-"):
        to_parquet(sys.stdin.buffer, words[0])
    else:
        sys.exit(__doc__)


main()
