// Random orders, cancels, amends and decreases of two accounts. Each answer is compared with what
// an exchange of its own expects, and in the end all that the venue lets the accounts read.
'use strict';

const assert = require('node:assert');
const { DOLLAR, ExpectedExchange, costOf } = require('./kalshi_expected_exchange.js');
const connection = require('./kalshi_typescript_connection.js');
const { pages, priceOf, countOf, moneyOf, priceText, countText, refused } = connection;

const MAKER_FEES = { quadratic_with_maker_fees: 0.0175, quadratic_with_combo_maker_fees: 0.035 };

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The fees of the markets, as their series has them. */
async function ratesOf(client, tickers) {
  const rates = {};
  for (const ticker of tickers) {
    const { series } = await client.markets.getSeries(ticker.split('-')[0]);
    const rate = (coefficient) => Math.round(coefficient * series.fee_multiplier * 1e6);
    rates[ticker] = { taker: rate(0.07), maker: rate(MAKER_FEES[series.fee_type] ?? 0) };
  }
  return rates;
}

class Operations {
  constructor(clients, tickers, expected, seed) {
    this.clients = clients;
    this.tickers = tickers;
    this.expected = expected;
    this.random = randomOf(seed);
  }

  below(limit) {
    return Math.floor(this.random() * limit);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  async run(operations) {
    const kinds = [this.create, this.create, this.create, this.create, this.createBatch,
      this.createBatch, this.cancel, this.amend, this.amend, this.decrease, this.cancelBatch];
    for (let i = 0; i < operations; i++) {
      const account = this.pick(Object.keys(this.clients));
      const kind = this.random() < 0.005 ? this.cancelAll : this.pick(kinds);
      await kind.call(this, account, this.clients[account].orders);
    }
  }

  /** Mostly the other one than the other account's, so that they trade; it changes now and then. */
  side(account) {
    const turn = Math.floor(this.expected.orders.length / 150);
    const place = Object.keys(this.clients).indexOf(account);
    return (turn + place + (this.random() < 0.2 ? 1 : 0)) % 2 === 0 ? 'bid' : 'ask';
  }

  terms(account) {
    const immediate = this.random() < 0.2;
    return {
      account,
      ticker: this.pick(this.tickers),
      side: this.side(account),
      price: 4500 + 100 * this.below(11),
      count: this.random() < 0.5 ? 100 * (1 + this.below(19)) : 1 + this.below(1999),
      timeInForce: immediate ? 'immediate_or_cancel' : 'good_till_canceled',
      selfTrade: this.pick(['taker_at_cross', 'maker']),
      isPostOnly: !immediate && this.random() < 0.1,
      clientId: `${account}-${this.expected.orders.length}-${this.below(1e9)}`,
    };
  }

  requestOf(terms) {
    return {
      ticker: terms.ticker,
      side: terms.side,
      price: priceText(terms.price),
      count: this.random() < 0.5 ? countText(terms.count) : String(terms.count / 100),
      time_in_force: terms.timeInForce,
      self_trade_prevention_type: terms.selfTrade,
      post_only: terms.isPostOnly,
      client_order_id: terms.clientId,
    };
  }

  /** An order of the account: mostly one that rests, sometimes one that has ended. */
  anyOrder(account) {
    const own = this.expected.orders.filter((order) => order.account === account);
    const live = own.filter((order) => order.status === 'resting');
    return this.pick(live.length > 0 && this.random() < 0.95 ? live : own);
  }

  /** Compares the answer to a create or an amend with the trades since the `first`. */
  checkFills(order, reply, first, feesBefore) {
    const trades = this.expected.trades.slice(first).filter(({ taker }) => taker === order);
    const filled = trades.reduce((sum, { count }) => sum + count, 0);
    const value = trades.reduce((sum, { count, price }) => sum + count * price, 0);
    assert.strictEqual(reply.fill_count, countText(filled));
    assert.strictEqual(reply.remaining_count, countText(order.remaining));
    const average = (sum) => (filled > 0 ? priceText(Math.floor(sum / filled + 0.5)) : undefined);
    assert.strictEqual(reply.average_fill_price, average(value));
    assert.strictEqual(reply.average_fee_paid, average(order.fees.taker - feesBefore));
  }

  async create(account, orders) {
    const terms = this.terms(account);
    const first = this.expected.trades.length;
    const order = this.expected.create(terms);
    const call = orders.createOrderV2(this.requestOf(terms));
    if (order === null) {
      const body = await refused(call, 400, 'invalid_order');
      assert.strictEqual(body.error.details, 'post only cross');
      return;
    }
    const reply = await call;
    order.id = reply.order_id;
    assert.strictEqual(reply.client_order_id, terms.clientId);
    this.checkFills(order, reply, first, 0);
  }

  async createBatch(account, orders) {
    const all = Array.from({ length: 2 + this.below(4) }, () => this.terms(account));
    const requests = all.map((terms) => this.requestOf(terms));
    const reply = await orders.batchCreateOrdersV2({ orders: requests });
    assert.strictEqual(reply.orders.length, all.length);
    reply.orders.forEach((entry, i) => {
      const first = this.expected.trades.length;
      const order = this.expected.create(all[i]);
      assert.strictEqual(entry.client_order_id, all[i].clientId);
      if (order === null) {
        assert.strictEqual(entry.error.details, 'post only cross');
        return;
      }
      order.id = entry.order_id;
      this.checkFills(order, entry, first, 0);
    });
  }

  async cancel(account, orders) {
    const order = this.anyOrder(account);
    if (order === undefined) return;
    const { remaining } = order;
    const call = orders.cancelOrderV2(order.id);
    if (!this.expected.cancel(order)) return void (await refused(call, 404, 'not_found'));
    assert.strictEqual((await call).reduced_by, countText(remaining));
  }

  async cancelBatch(account, orders) {
    const chosen = Array.from({ length: 2 }, () => this.anyOrder(account)).filter(Boolean);
    if (chosen.length === 0) return;
    const ids = chosen.map(({ id }) => ({ order_id: id }));
    const reply = await orders.batchCancelOrdersV2({ orders: ids });
    chosen.forEach((order, i) => {
      const { remaining } = order;
      const entry = reply.orders[i];
      assert.strictEqual(entry.order_id, order.id);
      if (!this.expected.cancel(order)) assert.strictEqual(entry.error.code, 'not_found');
      else assert.strictEqual(entry.reduced_by, countText(remaining));
    });
  }

  async cancelAll(account, orders) {
    await orders.cancelAllOrders();
    this.expected.orders
      .filter((order) => order.account === account)
      .forEach((order) => this.expected.cancel(order));
  }

  async decrease(account, orders) {
    const order = this.anyOrder(account);
    if (order === undefined) return;
    const by = 1 + this.below(500);
    const to = Math.max(0, order.remaining - by);
    const request =
      this.random() < 0.5 ? { reduce_by: countText(by) } : { reduce_to: countText(to) };
    const call = orders.decreaseOrderV2(order.id, request);
    if (!this.expected.decrease(order, by)) return void (await refused(call, 404, 'not_found'));
    assert.strictEqual((await call).remaining_count, countText(order.remaining));
  }

  async amend(account, orders) {
    const order = this.anyOrder(account);
    if (order === undefined) return;
    const price = this.random() < 0.3 ? order.price : 4500 + 100 * this.below(11);
    const count = order.filled + 1 + this.below(1999);
    const { ticker, side } = order;
    const request = { ticker, side, price: priceText(price), count: countText(count) };
    const call = orders.amendOrderV2(order.id, request);
    const [first, feesBefore] = [this.expected.trades.length, order.fees.taker];
    if (!this.expected.amend(order, price, count)) {
      return void (await refused(call, 404, 'not_found'));
    }
    this.checkFills(order, await call, first, feesBefore);
  }
}

function expectedOrder(order) {
  const [taker, maker] = [order.cost.taker, order.cost.maker];
  return [order.id, order.clientId, order.side, order.price, order.filled, order.remaining,
    order.status, taker, maker, order.fees.taker, order.fees.maker];
}

function shownOrder(row) {
  return [row.order_id, row.client_order_id, row.book_side, priceOf(row.yes_price_dollars),
    countOf(row.fill_count_fp), countOf(row.remaining_count_fp), row.status,
    moneyOf(row.taker_fill_cost_dollars), moneyOf(row.maker_fill_cost_dollars),
    moneyOf(row.taker_fees_dollars), moneyOf(row.maker_fees_dollars)];
}

/** Orders of an account in a market, their places, and its fills. */
async function compareOrders(account, client, ticker, expected) {
  const own = expected.orders.filter((one) => one.account === account && one.ticker === ticker);
  const list = (status) =>
    pages('orders', (cursor) =>
      client.orders.getOrders(ticker, undefined, undefined, undefined, status, 100, cursor),
    );
  const resting = own.filter(({ status }) => status === 'resting').reverse();
  assert.deepStrictEqual((await list()).map(shownOrder), [...own].reverse().map(expectedOrder));
  assert.deepStrictEqual((await list('resting')).map(shownOrder), resting.map(expectedOrder));
  const { queue_positions: places } = await client.orders.getOrderQueuePositions(ticker);
  assert.deepStrictEqual(
    places.map((place) => [place.order_id, countOf(place.queue_position_fp)]),
    resting.map((order) => [order.id, expected.ahead(order)]),
  );
  const fills = await pages('fills', (cursor) =>
    client.portfolio.getFills(ticker, undefined, undefined, undefined, 100, cursor),
  );
  const traded = expected.trades.filter((trade) => trade.ticker === ticker).reverse();
  assert.deepStrictEqual(
    fills.map((fill) => [fill.order_id, fill.is_taker, countOf(fill.count_fp),
      priceOf(fill.yes_price_dollars)]),
    traded.flatMap(({ maker, taker, count, price }) =>
      [maker, taker]
        .filter((order) => order.account === account)
        .map((order) => [order.id, order === taker, count, price]),
    ),
  );
}

/** The money and the positions of an account. */
async function compareMoney(account, client, tickers, expected) {
  const { balance_dollars: balance } = await client.portfolio.getBalance();
  assert.strictEqual(moneyOf(balance), expected.cash[account]);
  for (const ticker of tickers) {
    const reply = await client.portfolio.getPositions(undefined, undefined, undefined, ticker);
    const row = reply.market_positions[0];
    const own = expected.orders.filter((one) => one.account === account && one.ticker === ticker);
    const fees = own.reduce((sum, order) => sum + order.fees.taker + order.fees.maker, 0);
    assert.strictEqual(countOf(row.position_fp), expected.positions[account][ticker] ?? 0);
    assert.strictEqual(moneyOf(row.fees_paid_dollars), fees);
  }
  const resting = expected.orders.filter(
    (order) => order.account === account && order.status === 'resting',
  );
  const value = resting.reduce((sum, one) => sum + costOf(one.side, one.remaining, one.price), 0);
  const reply = await client.portfolio.getPortfolioRestingOrderTotalValue();
  assert.strictEqual(reply.total_resting_order_value, Math.floor(value / 10_000));
}

/** What anyone may read of a market: its book, its trades, its best prices. */
async function compareMarket(client, ticker, expected) {
  const levels = (side, priceFrom) =>
    expected
      .levels(ticker, side)
      .map(([price, count]) => [priceText(priceFrom(price)), countText(count)])
      .reverse();
  const { orderbook_fp: book } = await client.markets.getMarketOrderbook(ticker);
  assert.deepStrictEqual(book.yes_dollars, levels('bid', (price) => price));
  assert.deepStrictEqual(book.no_dollars, levels('ask', (price) => DOLLAR - price));
  const trades = await pages('trades', (cursor) => client.markets.getTrades(100, cursor, ticker));
  assert.deepStrictEqual(
    trades.map((trade) => [countOf(trade.count_fp), priceOf(trade.yes_price_dollars),
      trade.taker_book_side]),
    expected.trades
      .filter((trade) => trade.ticker === ticker)
      .map(({ count, price, takerSide }) => [count, price, takerSide])
      .reverse(),
  );
  const { market } = await client.markets.getMarket(ticker);
  const best = expected.levels(ticker, 'bid')[0] ?? [0, 0];
  assert.strictEqual(priceOf(market.yes_bid_dollars), best[0]);
  assert.strictEqual(countOf(market.yes_bid_size_fp), best[1]);
  assert.strictEqual(countOf(market.volume_fp), expected.volume[ticker]);
  assert.strictEqual(priceOf(market.last_price_dollars), expected.lastPrice[ticker] ?? 0);
}

/** REQUIRES: the accounts of `clients` have no orders, and have never traded in `tickers`. */
async function operate(clients, tickers, operations, seed) {
  const [someone] = Object.values(clients);
  const cash = {};
  for (const [account, client] of Object.entries(clients)) {
    cash[account] = moneyOf((await client.portfolio.getBalance()).balance_dollars);
  }
  const expected = new ExpectedExchange(await ratesOf(someone, tickers), cash);
  await new Operations(clients, tickers, expected, seed).run(operations);
  for (const [account, client] of Object.entries(clients)) {
    for (const ticker of tickers) await compareOrders(account, client, ticker, expected);
    await compareMoney(account, client, tickers, expected);
  }
  for (const ticker of tickers) await compareMarket(someone, ticker, expected);
  return expected;
}

module.exports = { operate };
