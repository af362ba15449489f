// What a few accounts' orders must lead to, computed apart from the venue: price-time priority,
// self-trade prevention, amends, positions, costs, fees with their rounding. Binary markets only.
//
// Whole numbers: prices in 10^-4 dollar, counts in 0.01 contract, money in 10^-6 dollar.
'use strict';

const DOLLAR = 10_000; // In price units.
const BALANCE_STEP = 100;
const CENTI_CONTRACT = 10_000; // What a pair of 0.01 contract pays.

/** What `side` pays for `count` at the YES price `price`. */
function costOf(side, count, price) {
  return count * (side === 'bid' ? price : DOLLAR - price);
}

class ExpectedExchange {
  /** `rates`: by ticker {taker, maker}, in 10^-6. `cash`: by account, what it has. */
  constructor(rates, cash) {
    this.rates = rates;
    this.resting = Object.fromEntries(Object.keys(rates).map((ticker) => [ticker, []]));
    this.volume = Object.fromEntries(Object.keys(rates).map((ticker) => [ticker, 0]));
    this.lastPrice = {};
    this.trades = [];
    this.cash = { ...cash };
    this.positions = Object.fromEntries(Object.keys(cash).map((account) => [account, {}]));
    this.orders = [];
    this.arrivals = 0;
  }

  /** Adds an order {account, ticker, side, price, count, timeInForce, selfTrade, isPostOnly}. */
  create(request) {
    const order = {
      ...request,
      filled: 0,
      remaining: request.count,
      status: 'resting',
      credit: 0,
      cost: { taker: 0, maker: 0 },
      fees: { taker: 0, maker: 0 },
    };
    if (order.isPostOnly && this.crossing(order).length > 0) return null;
    this.orders.push(order);
    this.arrive(order);
    return order;
  }

  /** Whether the order still rests; then it ends. */
  cancel(order) {
    if (order.status !== 'resting') return false;
    this.leave(order);
    order.remaining = 0;
    order.status = 'canceled';
    return true;
  }

  decrease(order, by) {
    if (order.status !== 'resting') return false;
    if (by >= order.remaining) return this.cancel(order);
    order.remaining -= by;
    return true;
  }

  /** A new price, and a new count with what is filled. False where the venue must refuse it. */
  amend(order, price, count) {
    if (order.status !== 'resting' || count <= order.filled) return false;
    const remaining = count - order.filled;
    const keepsPlace = price === order.price && remaining <= order.remaining;
    order.price = price;
    order.remaining = remaining;
    if (keepsPlace) return true;
    this.leave(order);
    if (order.isPostOnly && this.crossing(order).length > 0) {
      order.remaining = 0;
      order.status = 'canceled';
    } else {
      this.arrive(order);
    }
    return true;
  }

  leave(order) {
    const queue = this.resting[order.ticker];
    const place = queue.indexOf(order);
    if (place >= 0) queue.splice(place, 1);
  }

  /** Resting orders of one side, the first to trade first. */
  queue(ticker, side) {
    const better = side === 'bid' ? -1 : 1;
    return this.resting[ticker]
      .filter((order) => order.side === side)
      .sort((a, b) => better * (a.price - b.price) || a.arrival - b.arrival);
  }

  crossing(order) {
    const isBid = order.side === 'bid';
    return this.queue(order.ticker, isBid ? 'ask' : 'bid').filter((maker) =>
      isBid ? maker.price <= order.price : maker.price >= order.price,
    );
  }

  arrive(order) {
    for (const maker of this.crossing(order)) {
      if (order.remaining === 0) break;
      if (maker.account !== order.account) {
        this.trade(maker, order);
      } else if (order.selfTrade === 'maker') {
        this.cancel(maker);
      } else {
        order.remaining = 0;
        order.status = 'canceled';
      }
    }
    if (order.status !== 'resting' || order.remaining === 0) return;
    if (order.timeInForce === 'immediate_or_cancel') {
      order.remaining = 0;
      order.status = 'canceled';
    } else {
      order.arrival = this.arrivals++;
      this.resting[order.ticker].push(order);
    }
  }

  trade(maker, taker) {
    const count = Math.min(maker.remaining, taker.remaining);
    const { ticker } = taker;
    this.fill(maker, 'maker', count, maker.price);
    this.fill(taker, 'taker', count, maker.price);
    this.volume[ticker] += count;
    this.lastPrice[ticker] = maker.price;
    this.trades.push({ ticker, count, price: maker.price, takerSide: taker.side, maker, taker });
  }

  fill(order, role, count, price) {
    const positions = this.positions[order.account];
    const held = positions[order.ticker] ?? 0;
    const sign = order.side === 'bid' ? 1 : -1;
    const pairs = Math.min(count, Math.max(0, -sign * held));
    const cost = costOf(order.side, count, price);
    const rate = this.rates[order.ticker][role];
    const fee = Math.ceil((rate * count * price * (DOLLAR - price)) / 1e10);
    const exact = pairs * CENTI_CONTRACT - cost - fee + order.credit;
    const change = Math.floor(exact / BALANCE_STEP) * BALANCE_STEP;
    order.credit = exact - change;
    order.cost[role] += cost;
    order.fees[role] += pairs * CENTI_CONTRACT - cost - change;
    order.filled += count;
    order.remaining -= count;
    this.cash[order.account] += change;
    positions[order.ticker] = held + sign * count;
    if (order.remaining > 0) return;
    order.status = 'executed';
    this.leave(order);
  }

  /** [[price, count], ...] of a side, the best first. */
  levels(ticker, side) {
    const levels = new Map();
    for (const { price, remaining } of this.queue(ticker, side)) {
      levels.set(price, (levels.get(price) ?? 0) + remaining);
    }
    return [...levels];
  }

  /** How much must trade before the resting order does. */
  ahead(order) {
    const queue = this.queue(order.ticker, order.side);
    return queue.slice(0, queue.indexOf(order)).reduce((sum, { remaining }) => sum + remaining, 0);
  }
}

module.exports = { DOLLAR, ExpectedExchange, costOf };
