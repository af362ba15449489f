#!/usr/bin/env node
// Trades with kalshi-typescript on a venue: every call of the package that the venue serves, its
// errors, then random operations. All answers are held against the package's models.
//
// Usage: kalshi_typescript_client.js BASE_URL KEY_1 PEM_1 KEY_2 PEM_2 --settling TICKER
//                                    [--operations N] [--seed N]
//
// The keys are RSA keys of two accounts that have not traded; the venue is one of `serve --init`.
// The market TICKER settles to Yes within half a minute. NODE_PATH has the package.
'use strict';

const assert = require('node:assert');
const crypto = require('node:crypto');
const { parseArgs } = require('node:util');
const connection = require('./kalshi_typescript_connection.js');
const { connect, eventually, moneyOf, pages, refused } = connection;
const { operate } = require('./kalshi_typescript_operations.js');

const TICKER = 'KXRAIN-26DEC31-NYC';
const OTHER_TICKER = 'KXRAIN-26DEC31-BOS';
const OPERATION_TICKERS = ['KXRAIN-26DEC31-CHI', 'KXRATE-26DEC-T325', 'KXCUP-27-BLUE'];
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const DAY_SECONDS = 86_400;
// What the venue serves. The package also has calls for other products.
const CALLS = `
  getAccountApiLimits getAccountEndpointCosts
  getEvent getEventFeeChanges getEvents
  getExchangeSchedule getExchangeStatus getSeriesFeeChanges getUserDataTimestamp
  batchGetMarketCandlesticks getMarket getMarketCandlesticks getMarketOrderbook
  getMarketOrderbooks getMarkets getSeries getSeriesList getTrades
  createOrderGroup deleteOrderGroup getOrderGroup getOrderGroups resetOrderGroup
  triggerOrderGroup updateOrderGroupLimit
  amendOrderV2 batchCancelOrdersV2 batchCreateOrdersV2 cancelAllOrders cancelOrderV2
  createOrderV2 decreaseOrderV2 getOrder getOrderQueuePosition getOrderQueuePositions getOrders
  getBalance getFills getPortfolioRestingOrderTotalValue getPositions getSettlements
`.match(/\w+/g);

const nowSeconds = () => Math.floor(Date.now() / 1000);
const only = (list) => {
  assert.strictEqual(list.length, 1);
  return list[0];
};

/** Asserts that `object` has these members with these values. */
function has(object, members) {
  const found = Object.fromEntries(Object.keys(members).map((name) => [name, object[name]]));
  assert.deepStrictEqual(found, members);
}

/** The request for an order that rests if it can; `more` replaces what it names. */
function order(side, count, price, more = {}) {
  return {
    ticker: TICKER,
    side,
    count,
    price,
    time_in_force: 'good_till_canceled',
    self_trade_prevention_type: 'taker_at_cross',
    ...more,
  };
}

const IMMEDIATE = { time_in_force: 'immediate_or_cancel' };

async function readExchange({ account, events, exchange }) {
  has(await exchange.getExchangeStatus(), { exchange_active: true, trading_active: true });
  await exchange.getExchangeSchedule();
  const { as_of_time: time } = await exchange.getUserDataTimestamp();
  assert(Math.abs(Date.parse(time) - Date.now()) < 60_000, time);
  has(await exchange.getSeriesFeeChanges(), { series_fee_change_arr: [] });
  has(await events.getEventFeeChanges(), { event_fee_changes: [] });
  const limits = await account.getAccountApiLimits();
  has(limits, { usage_tier: 'prestige', grants: [] });
  has(limits.write, { refill_rate: 8000 });
  const { default_cost: cost, endpoint_costs: costs } = await account.getAccountEndpointCosts();
  assert.strictEqual(cost, 10);
  const cancel = '/trade-api/v2/portfolio/events/orders/{order_id}';
  const isCancel = ({ method, path }) => method === 'DELETE' && path === cancel;
  has(only(costs.filter(isCancel)), { cost: 2 });
}

async function readCatalogue({ events, markets }) {
  const all = (await markets.getMarkets()).markets.map(({ ticker }) => ticker);
  assert.strictEqual(new Set(all).size, 12);
  const paged = await pages('markets', (cursor) => markets.getMarkets(5, cursor));
  assert.deepStrictEqual(paged.map(({ ticker }) => ticker), all);
  const ofEvent = await markets.getMarkets(100, undefined, 'KXRAIN-26DEC31');
  assert.strictEqual(ofEvent.markets.length, 4);
  const some = await markets.getMarkets(100, undefined, undefined, 'KXRAIN', ...Array(7), 'open',
    `${TICKER},${OTHER_TICKER}`);
  assert.deepStrictEqual(some.markets.map(({ ticker }) => ticker), [TICKER, OTHER_TICKER]);
  const { market } = await markets.getMarket(TICKER);
  has(market, { ticker: TICKER, event_ticker: 'KXRAIN-26DEC31', status: 'active', result: '' });
  has(only(market.price_ranges), { start: '0.0000', end: '1.0000', step: '0.0100' });
  const series = (await markets.getSeriesList()).series.map(({ ticker }) => ticker);
  assert.deepStrictEqual(series, ['KXRAIN', 'KXRATE', 'KXCUP']);
  const cup = { fee_multiplier: 0.5, tags: ['Football', 'Cup'] };
  has((await markets.getSeries('KXCUP')).series, cup);
  assert.strictEqual((await events.getEvents(10)).events.length, 3);
  const nested = await events.getEvents(1, undefined, true, undefined, 'open', 'KXRAIN');
  assert.strictEqual(only(nested.events).markets.length, 4);
  const event = await events.getEvent('KXRAIN-26DEC31');
  has(event.event, { series_ticker: 'KXRAIN', mutually_exclusive: false });
  assert.strictEqual(event.markets.length, 4);
}

/** An order from its creation to its cancellation, and all that shows it. */
async function tradeOnce(first, second) {
  const { orders, portfolio, markets } = first;
  const created = await orders.createOrderV2(order('bid', '10', '0.40', { client_order_id: 'a' }));
  has(created, { client_order_id: 'a', fill_count: '0.00', remaining_count: '10.00' });
  const id = created.order_id;
  has((await orders.getOrder(id)).order, { ticker: TICKER, status: 'resting', outcome_side: 'yes',
    book_side: 'bid', yes_price_dollars: '0.4000', no_price_dollars: '0.6000',
    initial_count_fp: '10.00', remaining_count_fp: '10.00', client_order_id: 'a' });
  const later = await orders.createOrderV2(order('bid', '2.5', '0.4'));
  has(await orders.getOrderQueuePosition(later.order_id), { queue_position_fp: '10.00' });
  const places = (await orders.getOrderQueuePositions(undefined, 'KXRAIN-26DEC31')).queue_positions;
  has(places[0], { order_id: later.order_id, market_ticker: TICKER, queue_position_fp: '10.00' });
  has(await markets.getMarketOrderbook(TICKER), {
    orderbook_fp: { yes_dollars: [['0.4000', '12.50']], no_dollars: [] } });

  const sold = await second.orders.createOrderV2(order('ask', '4', '0.40', IMMEDIATE));
  has(sold, { fill_count: '4.00', remaining_count: '0.00', average_fill_price: '0.4000',
    average_fee_paid: '0.0168' });
  has((await orders.getOrder(id)).order, { fill_count_fp: '4.00', remaining_count_fp: '6.00',
    maker_fill_cost_dollars: '1.600000', maker_fees_dollars: '0.000000' });
  has(only((await second.portfolio.getFills(TICKER)).fills), { order_id: sold.order_id,
    is_taker: true, count_fp: '4.00', fee_cost: '0.067200', outcome_side: 'no', book_side: 'ask' });
  has(only((await portfolio.getFills(undefined, id)).fills), { is_taker: false });
  has(only((await markets.getTrades(10, undefined, TICKER)).trades), { count_fp: '4.00',
    yes_price_dollars: '0.4000', taker_outcome_side: 'no', taker_book_side: 'ask' });

  has(await orders.decreaseOrderV2(id, { reduce_by: '1' }), { remaining_count: '5.00' });
  has(await orders.decreaseOrderV2(id, { reduce_to: '4' }), { remaining_count: '4.00' });
  const changed = { ticker: TICKER, side: 'bid', price: '0.41', count: '8' };
  const amended = await orders.amendOrderV2(id, { ...changed, updated_client_order_id: 'b' });
  has(amended, { order_id: id, client_order_id: 'b', remaining_count: '4.00', fill_count: '0.00' });
  has((await orders.getOrder(id)).order, { yes_price_dollars: '0.4100', client_order_id: 'b' });
  const resting = (await orders.getOrders(TICKER, ...Array(3), 'resting')).orders;
  assert.deepStrictEqual(resting.map(({ order_id }) => order_id), [later.order_id, id]);
  const cents = 164 + 100;
  has(await portfolio.getPortfolioRestingOrderTotalValue(), { total_resting_order_value: cents });
  has(await orders.cancelOrderV2(id, 0, 0, TICKER), { reduced_by: '4.00', client_order_id: 'b' });
  has((await orders.getOrder(id)).order, { status: 'canceled', remaining_count_fp: '0.00' });
  return id;
}

/** What the account has after tradeOnce: 4 YES at 0.40 of each market in which it has traded. */
async function readPortfolio(first, second, balanceBefore) {
  const balance = await first.portfolio.getBalance();
  assert.strictEqual(moneyOf(balance.balance_dollars) - balanceBefore, -1_600_000);
  assert.strictEqual(balance.balance, Math.floor(Number(balance.balance_dollars) * 100));
  const position = { ticker: TICKER, realized_pnl_dollars: '0.000000' };
  const read = (client) => client.portfolio.getPositions('', 10, 'position', TICKER);
  has(only((await read(first)).market_positions), { ...position, position_fp: '4.00',
    market_exposure_dollars: '1.600000', fees_paid_dollars: '0.000000' });
  has(only((await read(second)).market_positions), { ...position, position_fp: '-4.00',
    market_exposure_dollars: '2.400000', fees_paid_dollars: '0.067200' });
  const candles = await first.markets.getMarketCandlesticks('KXRAIN', TICKER,
    nowSeconds() - DAY_SECONDS, nowSeconds() + DAY_SECONDS, 1440);
  has(candles.candlesticks.at(-1), { volume_fp: '4.00', open_interest_fp: '4.00' });
  has(candles.candlesticks.at(-1).price, { close_dollars: '0.4000' });
  const later = await first.markets.getMarketCandlesticks('KXRAIN', TICKER,
    nowSeconds() + 600, nowSeconds() + 1200, 1, true);
  has(only(later.candlesticks), { price: { previous_dollars: '0.4000' }, volume_fp: '0.00' });
  const batch = await first.markets.batchGetMarketCandlesticks(`${TICKER},${OTHER_TICKER}`,
    nowSeconds() - DAY_SECONDS, nowSeconds() + DAY_SECONDS, 60);
  assert.deepStrictEqual(batch.markets.map((one) => one.market_ticker), [TICKER, OTHER_TICKER]);
  const books = (await first.markets.getMarketOrderbooks([TICKER, OTHER_TICKER])).orderbooks;
  assert.deepStrictEqual(books.map(({ ticker }) => ticker), [TICKER, OTHER_TICKER]);
}

/** Times in force, flags and self-trade prevention, each with what it leads to. */
async function useTerms(first, second) {
  const { orders } = first;
  const expires = nowSeconds() + DAY_SECONDS;
  const timed = await orders.createOrderV2(order('bid', '1', '0.10', { expiration_time: expires }));
  const shown = (await orders.getOrder(timed.order_id)).order;
  assert.strictEqual(Date.parse(shown.expiration_time), expires * 1000);
  const soon = await orders.createOrderV2(
    order('bid', '1', '0.11', { expiration_time: nowSeconds() + 2 }));
  const ask = await orders.createOrderV2(order('ask', '3', '0.60'));
  has((await orders.getOrder(ask.order_id)).order, { outcome_side: 'no', book_side: 'ask',
    yes_price_dollars: '0.6000', no_price_dollars: '0.4000' });
  has(await orders.createOrderV2(order('bid', '1', '0.60', IMMEDIATE)), // Its own ask stays.
    { fill_count: '0.00', remaining_count: '0.00' });
  has((await orders.getOrder(ask.order_id)).order, { status: 'resting' });
  const maker = { self_trade_prevention_type: 'maker' };
  await orders.createOrderV2(order('bid', '1', '0.60', maker));
  has((await orders.getOrder(ask.order_id)).order, { status: 'canceled' });

  const all = { time_in_force: 'fill_or_kill' };
  const killed = second.orders.createOrderV2(order('ask', '100', '0.40', all));
  await refused(killed, 409, 'fill_or_kill_insufficient_resting_volume');
  const crossing = second.orders.createOrderV2(order('ask', '1', '0.60', { post_only: true }));
  has((await refused(crossing, 400, 'invalid_order')).error, { details: 'post only cross' });
  has(await second.orders.createOrderV2(order('ask', '1', '0.60', all)), { fill_count: '1.00' });
  const reducing = { ...IMMEDIATE, reduce_only: true };  // 5 YES are held.
  await second.orders.createOrderV2(order('bid', '9', '0.50'));
  has(await orders.createOrderV2(order('ask', '9', '0.50', reducing)), { fill_count: '5.00' });
  await eventually(() => orders.getOrder(soon.order_id), (one) => one.order.status === 'canceled',
    'an order to expire');
  await first.orders.cancelAllOrders();
  await second.orders.cancelAllOrders(0);
  for (const client of [first, second]) {
    const left = await client.orders.getOrders(...Array(4), 'resting');
    assert.deepStrictEqual(left.orders, []);
  }
}

async function useGroups(first, second) {
  const { groups, orders } = first;
  const { order_group_id: id, subaccount } = await groups.createOrderGroup({ contracts_limit: 5 });
  assert.strictEqual(subaccount, 0);
  const ofGroup = { order_group_id: id };
  const best = (await orders.createOrderV2(order('bid', '3', '0.30', ofGroup))).order_id;
  const next = (await orders.createOrderV2(order('bid', '10', '0.29', ofGroup))).order_id;
  has((await orders.getOrder(best)).order, { order_group_id: id });
  has(await groups.getOrderGroup(id), { contracts_limit_fp: '5.00', orders: [next, best] });
  await groups.updateOrderGroupLimit(id, { contracts_limit_fp: '6.50' });
  has(only((await groups.getOrderGroups()).order_groups), { id, contracts_limit_fp: '6.50' });

  await second.orders.createOrderV2(order('ask', '6.5', '0.29', IMMEDIATE));
  has((await orders.getOrder(next)).order, { status: 'canceled', fill_count_fp: '3.50' });
  const late = () => orders.createOrderV2(order('bid', '1', '0.30', ofGroup));
  await refused(late(), 400, 'order_group_triggered');
  for (const end of ['triggerOrderGroup', 'deleteOrderGroup']) {
    await groups.resetOrderGroup(id);
    const ended = (await late()).order_id;
    await groups[end](id);
    has((await orders.getOrder(ended)).order, { status: 'canceled' });
  }
  await refused(groups.getOrderGroup(id), 404, 'not_found');
  await refused(groups.triggerOrderGroup(id), 404, 'not_found');
  await refused(groups.updateOrderGroupLimit(id, { contracts_limit: 1 }), 404, 'not_found');
  await refused(groups.createOrderGroup({}), 400, 'missing_parameters');
}

async function useBatches({ orders }) {
  const wanted = [order('bid', '1', '0.20', { client_order_id: 'first of batch' }),
    order('bid', '1', '0.205'), order('bid', '1', '0.20', { client_order_id: 'a' }),
    order('bid', '1', '0.21', { ticker: 'NONE' }), order('bid', '2', '0.21')];
  const created = (await orders.batchCreateOrdersV2({ orders: wanted })).orders;
  assert.deepStrictEqual(created.map(({ error }) => error?.code), [undefined, 'invalid_price',
    'order_already_exists', 'market_not_found', undefined]);
  has(created[0], { client_order_id: 'first of batch', remaining_count: '1.00' });
  const ids = [created[0].order_id, UNKNOWN_ID, created[4].order_id, created[0].order_id];
  const cancels = { orders: ids.map((id) => ({ order_id: id })) };
  const cancelled = (await orders.batchCancelOrdersV2(cancels)).orders;
  assert.deepStrictEqual(cancelled.map((one) => [one.order_id, one.reduced_by, one.error?.code]), [
    [ids[0], '1.00', undefined], [UNKNOWN_ID, '0.00', 'not_found'], [ids[2], '2.00', undefined],
    [ids[0], '0.00', 'not_found']]);
  await refused(orders.batchCreateOrdersV2({ orders: [] }), 400, 'missing_parameters');
}

async function refuseOrders({ orders }) {
  const create = (...terms) => orders.createOrderV2(order(...terms));
  await refused(create('bid', 1, '0.40'), 400, 'bad_request');
  await refused(create('bid', '1', '0.405'), 400, 'invalid_price');
  await refused(create('bid', '1', '1.5'), 400, 'invalid_price');
  await refused(create('bid', '0', '0.40'), 400, 'invalid_order_size');
  await refused(create('bid', '0.001', '0.40'), 400, 'invalid_order_size');
  await refused(create('yes', '1', '0.40'), 400, 'invalid_order');
  await refused(create('bid', '9000000', '0.40'), 400, 'insufficient_balance');
  await refused(create('bid', '1', '0.40', { ticker: undefined }), 400, 'missing_parameters');
  await refused(create('bid', '1', '0.40', { ticker: 'NONE' }), 404, 'market_not_found');
  await refused(create('bid', '1', '0.40', { client_order_id: 'a' }), 409, 'order_already_exists');
  await refused(create('bid', '1', '0.40', { reduce_only: true }), 400, 'invalid_order');
  await refused(create('bid', '1', '0.40', { expiration_time: 1 }), 400, 'invalid_order');
}

/** Orders that are not there, or not as the request says. `ended` is one that has ended. */
async function refuseChanges({ orders }, second, ended) {
  await refused(orders.getOrder(UNKNOWN_ID), 404, 'not_found');
  await refused(orders.getOrder('no uuid'), 400, 'invalid_UUID');
  await refused(second.orders.getOrder(ended), 404, 'not_found');
  await refused(orders.getOrderQueuePosition(ended), 404, 'not_found');
  await refused(orders.cancelOrderV2(ended), 404, 'not_found');
  await refused(orders.decreaseOrderV2(ended, { reduce_by: '1' }), 404, 'not_found');
  const { order_id: live } = await orders.createOrderV2(order('bid', '2', '0.05'));
  await refused(second.orders.cancelOrderV2(live), 404, 'not_found');
  await refused(orders.decreaseOrderV2(live, {}), 400, 'invalid_order');
  await refused(orders.cancelOrderV2(live, 0, 0, OTHER_TICKER), 400, 'order_ticker_mismatch');
  const same = { ticker: TICKER, side: 'bid', price: '0.05', count: '2' };
  const amend = (change) => orders.amendOrderV2(live, { ...same, ...change });
  await refused(amend({ side: 'ask' }), 400, 'order_side_mismatch');
  await refused(amend({ ticker: OTHER_TICKER }), 400, 'order_ticker_mismatch');
  await refused(amend({ client_order_id: 'b' }), 400, 'order_id_and_client_order_id_mismatch');
  await refused(amend({ updated_client_order_id: 'a' }), 409, 'order_already_exists');
  has(await orders.cancelOrderV2(live), { reduced_by: '2.00' });
}

async function refuseReads({ orders, markets, events }) {
  await refused(markets.getMarket('NONE'), 404, 'market_not_found');
  await refused(markets.getMarketOrderbook('NONE'), 404, 'market_not_found');
  await refused(markets.getSeries('NONE'), 404, 'not_found');
  await refused(events.getEvent('NONE'), 404, 'not_found');
  const invalid = (call) => `Parameter validation failed for ${call}`;
  await refused(markets.getMarkets(1001), 400, invalid('GetMarkets'));
  await refused(orders.getOrderQueuePositions(), 400, invalid('GetOrderQueuePositions'));
  await assert.rejects(orders.getOrder(undefined), { name: 'RequiredError' });
}

async function refuseKeys(url, [key, pem], [, otherPem]) {
  const calls = new Set();
  const denied = async (someone, code, details) =>
    has((await refused(someone.portfolio.getBalance(), 401, code)).error, { details });
  const forged = connect(url, key, otherPem, calls);
  await denied(forged, 'authentication_error', 'INCORRECT_API_KEY_SIGNATURE');
  await denied(connect(url, crypto.randomUUID(), pem, calls), 'authentication_error', 'NOT_FOUND');
  await denied(connect(url, undefined, undefined, calls), 'key_is_missing_from_headers');
  await forged.markets.getMarket(TICKER); // Anyone may.
}

/** Batches that cost more than the account may spend. */
async function refuseHaste({ orders }) {
  const entries = Array(1000).fill(order('bid', '0', '0.40'));
  const batches = [1, 2, 3].map(() => orders.batchCreateOrdersV2({ orders: entries }));
  const failed = (await Promise.allSettled(batches)).filter(({ reason }) => reason !== undefined);
  assert(failed.length > 0, 'three large batches passed');
  for (const { reason } of failed) await refused(Promise.reject(reason), 429, 'too many requests');
  await new Promise((done) => setTimeout(done, 2000)); // Until the account may write again.
}

/** The market's end: 10 YES and 10 NO become money, and the resting order of 2 is cancelled. */
async function settle(first, second, ticker, rest) {
  const read = () => first.portfolio.getSettlements(10, undefined, ticker);
  const { settlements } = await eventually(read, (page) => page.settlements.length > 0, ticker);
  has(only(settlements), { ticker, market_result: 'yes', yes_count_fp: '10.00', no_count_fp: '0.00',
    yes_total_cost_dollars: '4.000000', revenue: 1000, value: 100 });
  has(only((await second.portfolio.getSettlements()).settlements), { ticker, revenue: 0,
    no_count_fp: '10.00', no_total_cost_dollars: '6.000000' });
  has((await first.orders.getOrder(rest)).order, { status: 'canceled', fill_count_fp: '10.00' });
  const left = await first.portfolio.getPositions('', 10, 'position', ticker);
  assert.deepStrictEqual(left.market_positions, []);
  has((await first.markets.getMarket(ticker)).market, { status: 'finalized', result: 'yes' });
  const late = first.orders.createOrderV2(order('bid', '1', '0.4', { ticker }));
  await refused(late, 400, 'MARKET_INACTIVE');
}

async function callEverything(url, keys, [first, second], settling) {
  const { balance_dollars: balance } = await first.portfolio.getBalance();
  await readExchange(first);
  await readCatalogue(first);
  const ended = await tradeOnce(first, second);
  await readPortfolio(first, second, moneyOf(balance));
  await useTerms(first, second);
  const bid = order('bid', '12', '0.4', { ticker: settling });
  const { order_id: rest } = await first.orders.createOrderV2(bid);
  await second.orders.createOrderV2({ ...bid, side: 'ask', count: '10', ...IMMEDIATE });
  await useGroups(first, second);
  await useBatches(first);
  await refuseOrders(first);
  await refuseChanges(first, second, ended);
  await refuseReads(first);
  await refuseKeys(url, ...keys);
  await refuseHaste(first);
  await settle(first, second, settling, rest);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      operations: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      settling: { type: 'string' },
    },
  });
  const [url, key, pem, otherKey, otherPem] = positionals;
  const called = new Set();
  const first = connect(url, key, pem, called);
  const second = connect(url, otherKey, otherPem, called);
  const keys = [[key, pem], [otherKey, otherPem]];
  await callEverything(url, keys, [first, second], values.settling);
  assert.deepStrictEqual([...called].sort(), [...CALLS].sort());
  const { trades } = await operate({ first, second }, OPERATION_TICKERS, Number(values.operations),
    Number(values.seed));
  console.log(`kalshi-typescript: ${called.size} calls; ${values.operations} operations, seed ` +
    `${values.seed}, ${trades.length} trades: orders, positions and balances are equal`);
}

main().catch((error) => {
  // The client's errors hold sockets and keys: only what the venue has answered is shown.
  const { method, url } = error.config ?? {};
  const answer = error.response ? `${method} ${url}: ${JSON.stringify(error.response.data)}\n` : '';
  console.error(answer + error.stack);
  process.exitCode = 1;
});
