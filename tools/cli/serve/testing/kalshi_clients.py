#!/usr/bin/env python3
"""Trades with pykalshi and kalshi-typescript on venues, and compares what the clients know with what the venues say.
The conversations are recorded, and a replay of each must send the same bytes.

Usage: kalshi_clients.py TICKTAPE NODE_MODULES [--operations N] [--typescript_operations N] [--seed N] [--keep FOLDER]

Needs the packages pykalshi and websockets, and kalshi-typescript in the folder NODE_MODULES; see .ci/kalshi_clients.
"""

import argparse
import collections
import datetime
import decimal
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
import urllib.request

import pykalshi

PATIENCE_SECONDS = 30
SETTLES_AFTER_SECONDS = 15
SETTLING_TICKER = "KXCUP-27-WHITE"
TYPESCRIPT_CLIENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kalshi_typescript_client.js")
Decimal = decimal.Decimal


class Venue:
    """A new venue with its process."""

    def __init__(self, ticktape, folder, is_tls=False, settling=None):
        self.ticktape = ticktape
        self.folder = os.path.join(folder, "exchange")
        subprocess.run([ticktape, "serve", "--init", self.folder], check=True, stdout=subprocess.DEVNULL)
        if settling is not None:
            self.schedule_settlement(settling)
        self.process = subprocess.Popen(
            [ticktape, "serve", self.folder, "--text", "127.0.0.1:0", "--kalshi", "127.0.0.1:0", "--json"]
            + ["--record-conversation", "bytes", "--sim"]
            + ["--tls"] * is_tls,
            stdout=subprocess.PIPE,
            text=True,
        )
        report = json.loads(self.process.stdout.readline())
        secure = "s" * is_tls
        self.rest = f"http{secure}://{report['kalshi']}/trade-api/v2"
        self.feed = f"ws{secure}://{report['kalshi']}/trade-api/ws/v2"
        self.sim = f"http{secure}://{report['kalshi']}/sim/"
        if is_tls:
            os.environ["SSL_CERT_FILE"] = report["certificate"]
        with open(os.path.join(self.folder, "admin.token"), encoding="utf-8") as file:
            self.token = file.read().strip()
        with open(os.path.join(self.folder, "venue.json"), encoding="utf-8") as file:
            self.keys = json.load(file)["kalshi"]["keys"]

    def schedule_settlement(self, ticker):
        """Has the market close and settle to Yes soon."""
        path = os.path.join(self.folder, "venue.json")
        with open(path, encoding="utf-8") as file:
            venue = json.load(file)
        (market,) = [market for market in venue["markets"] if market["definition"]["symbol"] == ticker]
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=SETTLES_AFTER_SECONDS)
        at = soon.strftime("%Y-%m-%dT%H:%M:%SZ")
        determine = {"at": at, "do": "determine", "value": "1.00"}
        market["schedule"] = [{"at": at, "do": "close"}, determine, {"at": at, "do": "settle"}]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(venue, file)

    def key_of(self, account):
        """The id and the file of the account's RSA key."""
        key = next(key for key in self.keys if key["account"] == account)
        return key["id"], os.path.join(self.folder, "keys", f"account-{account}-rsa.pem")

    def client(self, account):
        key, path = self.key_of(account)
        return pykalshi.KalshiClient(api_key_id=key, private_key_path=path, api_base=self.rest)

    def inject(self, fault):
        request = urllib.request.Request(
            self.sim + fault, method="POST", headers={"Authorization": f"Bearer {self.token}"}
        )
        with urllib.request.urlopen(request):
            pass

    def account(self, account):
        """Money and orders of the account at the end of the journal, as the engine has them when it is driven again."""
        journal = os.path.join(self.folder, "journal")
        inspect = [self.ticktape, "inspect", journal, "@-1", "--account", str(account), "--json"]
        return json.loads(subprocess.run(inspect, check=True, stdout=subprocess.PIPE).stdout)["account"]

    def end(self):
        self.process.terminate()
        assert self.process.wait(timeout=PATIENCE_SECONDS) == 0
        replay = subprocess.run(
            [self.ticktape, "serve", self.folder, "--replay", "--json"], stdout=subprocess.PIPE, check=False
        )
        (talk,) = json.loads(replay.stdout)["conversations"]
        assert replay.returncode == 0 and talk["equal"] and talk["ended"], replay.stdout
        print(f"replayed: {talk['requests']} reads, {talk['replies']} writes, every byte equal", flush=True)

    def keep(self, folder):
        """Keeps what a replay needs: no key, no secret."""
        for part in ("journal", "conversations"):
            shutil.copytree(os.path.join(self.folder, part), os.path.join(folder, part))


class Books:
    """The books of markets and the fills of an account, as the feed tells them."""

    def __init__(self, client, url, tickers):
        self.levels = {ticker: {"yes": {}, "no": {}} for ticker in tickers}
        self.positions = collections.Counter()
        self.feed = client.feed()
        self.feed._ws_url = url  # pylint: disable=protected-access
        self.feed.on("orderbook_delta", self.on_book)
        self.feed.on("fill", self.on_fill)
        for ticker in tickers:
            self.feed.subscribe("orderbook_delta", market_ticker=ticker)
        self.feed.subscribe("fill")
        self.snapshots = set()
        self.feed.start()
        wait_for(lambda: self.snapshots == set(tickers), "snapshots of all books")

    def on_book(self, message):
        sides = self.levels[message.market_ticker]
        if not hasattr(message, "delta_fp"):
            sides["yes"] = {price: Decimal(count) for price, count in message.yes_dollars_fp or []}
            sides["no"] = {price: Decimal(count) for price, count in message.no_dollars_fp or []}
            self.snapshots.add(message.market_ticker)
            return
        side = sides[getattr(message.side, "value", message.side)]
        side[message.price_dollars] = side.get(message.price_dollars, Decimal(0)) + Decimal(message.delta_fp)
        if side[message.price_dollars] == 0:
            del side[message.price_dollars]

    def on_fill(self, message):
        self.positions[message.market_ticker] = Decimal(message.post_position_fp)

    def equal(self, client):
        """Whether the venue has the same books."""
        for ticker, sides in self.levels.items():
            book = client.get(f"/markets/{ticker}/orderbook")["orderbook_fp"]
            for side in ("yes", "no"):
                if {price: Decimal(count) for price, count in book[side + "_dollars"]} != sides[side]:
                    return False
        return True

    def reconnect(self, venue):
        """Waits until the feed is there again after its connection was dropped."""
        self.snapshots.clear()
        before = self.feed.reconnect_count
        venue.inject("drop_connection?count=1&kind=websocket")
        wait_for(lambda: self.feed.reconnect_count > before, "the feed to reconnect")
        wait_for(lambda: self.snapshots == set(self.levels), "snapshots after a reconnect")

    def lose_frames(self, venue, client, count):
        """Has the venue leave out frames, until the feed has one that comes after them."""
        (ticker, *_) = self.levels
        venue.inject(f"inject_seq_gap?count={count}&mode=skip")
        for price in ["0.03"] * count + ["0.04"]:  # Nothing else has these prices.
            client.portfolio.place_order(
                ticker, pykalshi.Action.BUY, pykalshi.Side.YES, "1", yes_price_dollars=price
            )
        wait_for(lambda: "0.0400" in self.levels[ticker]["yes"], "the frame after those that were left out")


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS} s for {what}"
        time.sleep(0.05)


def call_everything(client, other, ticker):
    """Each call once, with answers that the client's own models accept."""
    client.exchange.get_status()
    client.exchange.get_schedule()
    assert client.get_market(ticker).ticker == ticker
    assert len(client.get_markets(limit=100)) == 12
    assert client.get_events(limit=10)
    assert client.get_all_series()
    client.get_trades()
    action, side = pykalshi.Action, pykalshi.Side
    order = client.portfolio.place_order(
        ticker, action.BUY, side.YES, "10", yes_price_dollars="0.40", client_order_id="once"
    )
    try:
        client.portfolio.place_order(
            ticker, action.BUY, side.YES, "1", yes_price_dollars="0.40", client_order_id="once"
        )
        raise AssertionError("an id was accepted twice")
    except pykalshi.exceptions.KalshiAPIError as error:
        assert "already" in str(error), error
    other.portfolio.place_order(ticker, action.SELL, side.YES, "4", yes_price_dollars="0.40")
    assert client.portfolio.get_order(order.order_id).fill_count_fp == "4.00"
    assert client.portfolio.get_queue_position(order.order_id).queue_position_fp == "0.00"
    client.portfolio.get_queue_positions(market_tickers=[ticker])
    client.portfolio.decrease_order(order.order_id, "1")
    client.portfolio.amend_order(order.order_id, count_fp="8", yes_price_dollars="0.41")
    assert client.portfolio.get_order(order.order_id).remaining_count_fp == "4.00"
    client.portfolio.cancel_order(order.order_id)
    assert client.portfolio.get_positions()[0].position_fp == "4.00"
    assert len(client.portfolio.get_fills()) == 1
    client.portfolio.get_settlements()
    client.portfolio.get_balance()
    client.portfolio.get_resting_order_value()
    group = client.portfolio.create_order_group("10").id
    client.portfolio.update_order_group_limit(group, "20")
    client.portfolio.trigger_order_group(group)
    client.portfolio.reset_order_group(group)
    assert client.portfolio.get_order_group(group).contracts_limit_fp == "20.00"
    assert len(client.portfolio.get_order_groups()) == 1


def call_what_reads(client, ticker):
    """The calls of market data and of batches."""
    market = client.get_market(ticker)
    market.get_orderbook(depth=5)
    now = int(time.time())
    market.get_candlesticks(now - 3600, now, pykalshi.CandlestickPeriod.ONE_MINUTE)
    candles = client.get_candlesticks_batch([ticker], now - 3600, now, pykalshi.CandlestickPeriod.ONE_MINUTE)
    assert list(candles) == [ticker]
    assert client.get_event(market.event_ticker, with_nested_markets=True).event_ticker == market.event_ticker
    assert client.get_series(market.resolve_series_ticker()).ticker == market.resolve_series_ticker()
    order = {"ticker": ticker, "action": "buy", "side": "yes", "count_fp": "1.00", "yes_price_dollars": "0.05"}
    placed = client.portfolio.batch_place_orders([order, {**order, "yes_price_dollars": "0.06"}])
    ids = [one.order_id for one in placed]
    assert len(ids) == 2 and {one.order_id for one in client.portfolio.get_orders()} >= set(ids)
    client.portfolio.batch_cancel_orders(ids)


def operate(clients, tickers, operations, seed):
    """Random orders, cancels and decreases."""
    chance = random.Random(seed)
    live = [[], []]
    for _ in range(operations):
        who = chance.randrange(2)
        portfolio = clients[who].portfolio
        try:
            if live[who] and chance.random() < 0.4:
                order = live[who].pop(chance.randrange(len(live[who])))
                portfolio.cancel_order(order)
            elif live[who] and chance.random() < 0.1:
                portfolio.decrease_order(chance.choice(live[who]), "0.01")
            else:
                placed = portfolio.place_order(
                    chance.choice(tickers),
                    pykalshi.Action.BUY,
                    chance.choice([pykalshi.Side.YES, pykalshi.Side.NO]),
                    str(chance.randrange(1, 20)),
                    yes_price_dollars=f"0.{chance.randrange(40, 61)}",
                )
                live[who].append(placed.order_id)
        except pykalshi.exceptions.KalshiAPIError as error:
            assert error.status_code in (400, 404, 409), error


def resting(client):
    """Ticker, price and what remains of each order that rests."""
    orders = client.portfolio.get_orders(status=pykalshi.OrderStatus.RESTING, limit=200, fetch_all=True)
    return sorted((order.ticker, Decimal(order.yes_price_dollars), Decimal(order.remaining_count_fp)) for order in orders)


def compare_with_engine(venue, account, orders, balance):
    """The account's orders and money are those of the engine."""
    of_engine = venue.account(account)
    expected = sorted(
        (order["market"], Decimal(order["price"]), Decimal(order["remaining"])) for order in of_engine["orders"]
    )
    assert orders == expected, (account, orders, expected)
    money = Decimal(of_engine["balance"]).quantize(Decimal("0.0001"), rounding=decimal.ROUND_DOWN)
    assert balance == money, (account, balance, of_engine)


def run_pykalshi(ticktape, operations, seed, is_tls, keep):
    with tempfile.TemporaryDirectory() as folder:
        venue = Venue(ticktape, folder, is_tls)
        clients = [venue.client(1), venue.client(2)]
        tickers = [market.ticker for market in clients[0].get_markets(limit=3)]
        call_everything(clients[0], clients[1], tickers[0])
        call_what_reads(clients[0], tickers[0])
        books = Books(clients[0], venue.feed, tickers)
        operate(clients, tickers, operations // 2, seed)
        wait_for(lambda: books.equal(clients[0]), "the books of the feed before its connection is dropped")
        books.reconnect(venue)
        assert books.equal(clients[0]), "the books after a reconnect"
        # The books of the feed differ until it has snapshots again.
        books.lose_frames(venue, clients[0], 10)
        assert not books.equal(clients[0]), "the books although frames were left out"
        books.reconnect(venue)
        operate(clients, tickers, operations - operations // 2, seed + 1)
        wait_for(lambda: books.equal(clients[0]), "the books of the feed to be those of the venue")
        held = {row.ticker: Decimal(row.position_fp) for row in clients[0].portfolio.get_positions()}
        for ticker, position in books.positions.items():
            assert held.get(ticker, Decimal(0)) == position, (ticker, position, held)
        books.feed.stop()
        orders = [resting(client) for client in clients]
        balances = [Decimal(client.get("/portfolio/balance")["balance_dollars"]) for client in clients]
        venue.end()
        for account in (1, 2):
            compare_with_engine(venue, account, orders[account - 1], balances[account - 1])
        if keep:
            venue.keep(os.path.join(keep, "pykalshi_tls" if is_tls else "pykalshi"))
    how = "TLS, " * is_tls
    print(f"pykalshi: {how}{operations} operations, seed {seed}: books, orders, positions and balances are equal", flush=True)


def run_typescript(ticktape, node_modules, operations, seed, keep):
    with tempfile.TemporaryDirectory() as folder:
        venue = Venue(ticktape, folder, settling=SETTLING_TICKER)
        command = ["node", TYPESCRIPT_CLIENT, venue.rest, *venue.key_of(1), *venue.key_of(2)]
        command += ["--settling", SETTLING_TICKER, "--operations", str(operations), "--seed", str(seed)]
        try:
            subprocess.run(command, check=True, env={**os.environ, "NODE_PATH": node_modules})
        finally:
            venue.end()
        if keep:
            venue.keep(os.path.join(keep, "kalshi_typescript"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("node_modules")
    parser.add_argument("--operations", type=int, default=2000)
    parser.add_argument("--typescript_operations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="where the journals and conversations of the venues are kept")
    options = parser.parse_args()
    for is_tls in [False, True]:
        run_pykalshi(options.ticktape, options.operations, options.seed, is_tls, options.keep)
    run_typescript(
        options.ticktape, options.node_modules, options.typescript_operations, options.seed, options.keep
    )


if __name__ == "__main__":
    main()
