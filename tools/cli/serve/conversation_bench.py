#!/usr/bin/env python3
"""How long a conversation of many requests of Kalshi's API takes to be replayed, every byte compared.

Usage: conversation_bench.py TICKTAPE [--requests N]

16 connections send batches of 20 requests to a venue that records: half of them a book, a quarter a balance
and a quarter new orders, both signed. What the account's tier does not allow is refused with 429, as always.
Needs openssl.
"""

import argparse
import json
import os
import random
import socket
import subprocess
import tempfile
import time

CONNECTIONS = 16
BATCH = 20
SIGNATURE_SECONDS = 10
TICKER = "KXCUP-27-RED"
ORDERS = "/trade-api/v2/portfolio/events/orders"
BALANCE = "/trade-api/v2/portfolio/balance"
BOOK = f"/trade-api/v2/markets/{TICKER}/orderbook"


class Signer:
    """Signs as account 1, at most once in SIGNATURE_SECONDS for each path."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "venue.json"), encoding="utf-8") as file:
            keys = json.load(file)["kalshi"]["keys"]
        self.key = next(key["id"] for key in keys if key["account"] == 1)
        self.kept = {}

    def headers(self, method, path):
        made, text = self.kept.get(path, (0, ""))
        if time.monotonic() - made > SIGNATURE_SECONDS:
            text = self.sign(method, path)
            self.kept[path] = (time.monotonic(), text)
        return text

    def sign(self, method, path):
        now = int(time.time() * 1000)
        pem = os.path.join(self.folder, "keys", "account-1-rsa.pem")
        command = ["openssl", "dgst", "-sha256", "-sigopt", "rsa_padding_mode:pss"]
        command += ["-sigopt", "rsa_pss_saltlen:digest", "-sign", pem]
        message = f"{now}{method}{path}".encode()
        signed = subprocess.run(command, input=message, stdout=subprocess.PIPE, check=True).stdout
        base64 = subprocess.run(["base64", "-w0"], input=signed, stdout=subprocess.PIPE, check=True).stdout.decode()
        return (
            f"KALSHI-ACCESS-KEY: {self.key}\r\nKALSHI-ACCESS-TIMESTAMP: {now}\r\nKALSHI-ACCESS-SIGNATURE: {base64}\r\n"
        )


def request(signer, dice):
    chance = dice.random()
    if chance < 0.5:
        return f"GET {BOOK} HTTP/1.1\r\nHost: v\r\n\r\n"
    if chance < 0.75:
        return f"GET {BALANCE} HTTP/1.1\r\nHost: v\r\n{signer.headers('GET', BALANCE)}\r\n"
    body = json.dumps(
        {
            "ticker": TICKER,
            "side": dice.choice(["bid", "ask"]),
            "count": "1",
            "price": f"0.{dice.randrange(40, 50)}",
            "client_order_id": f"{dice.random()}",
            "time_in_force": "good_till_canceled",
            "self_trade_prevention_type": "taker_at_cross",
        }
    )
    head = f"POST {ORDERS} HTTP/1.1\r\nHost: v\r\n{signer.headers('POST', ORDERS)}"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}"


def read_replies(connection, count, statuses):
    received = b""
    while count > 0:
        piece = connection.recv(1 << 20)
        assert piece, "the venue ended a connection"
        received += piece
        while (end := received.find(b"\r\n\r\n")) >= 0:
            at = received.find(b"Content-Length: ") + 16
            end += 4 + int(received[at : received.find(b"\r", at)])
            if len(received) < end:
                break
            status = received[9:12].decode()
            statuses[status] = statuses.get(status, 0) + 1
            received = received[end:]
            count -= 1


def converse(address, signer, requests):
    host, port = address.split(":")
    connections = [socket.create_connection((host, int(port))) for _ in range(CONNECTIONS)]
    dice = [random.Random(seed) for seed in range(CONNECTIONS)]
    statuses = {}
    for _ in range(0, requests, CONNECTIONS * BATCH):
        for connection, its_dice in zip(connections, dice):
            connection.sendall("".join(request(signer, its_dice) for _ in range(BATCH)).encode())
        for connection in connections:
            read_replies(connection, BATCH, statuses)
    return statuses


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ticktape")
    parser.add_argument("--requests", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "exchange")
        subprocess.run([options.ticktape, "serve", "--init", folder], stdout=subprocess.DEVNULL, check=True)
        serve = [options.ticktape, "serve", folder, "--text", "127.0.0.1:0", "--kalshi", "127.0.0.1:0", "--json", "-q"]
        serve += ["--record-conversation", "hashes", "--ack", "none"]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as venue:
            address = json.loads(venue.stdout.readline())["kalshi"]
            start = time.monotonic()
            statuses = converse(address, Signer(folder), options.requests)
            print(f"served   {sum(statuses.values()):,} requests in {time.monotonic() - start:.1f} s: {statuses}")
            venue.terminate()
        start = time.monotonic()
        replay = [options.ticktape, "serve", folder, "--replay", "--json"]
        replayed = subprocess.run(replay, stdout=subprocess.PIPE, check=True).stdout
        (talk,) = json.loads(replayed)["conversations"]
        assert talk["equal"] and talk["ended"], talk
        print(f"replayed every byte equal in {time.monotonic() - start:.1f} s, {talk['commands']:,} commands")


if __name__ == "__main__":
    main()
