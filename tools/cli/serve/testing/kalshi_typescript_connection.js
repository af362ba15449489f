// A venue's accounts as kalshi-typescript connects to them, and the numbers of its API.
'use strict';

const assert = require('node:assert');
const axios = require('axios');
const kalshi = require('kalshi-typescript');
const { checked } = require('./kalshi_typescript_models.js');

/** All of the package's interfaces that the venue serves; names of their calls go to `called`. */
function connect(basePath, apiKey, privateKeyPath, called) {
  const configuration = new kalshi.Configuration({ basePath, apiKey, privateKeyPath });
  // Each has an axios of its own: the package signs in an interceptor, and would sign for another.
  const api = (Api) => checked(new Api(configuration, undefined, axios.create()), called);
  return {
    account: api(kalshi.AccountApi),
    events: api(kalshi.EventsApi),
    exchange: api(kalshi.ExchangeApi),
    groups: api(kalshi.OrderGroupsApi),
    markets: api(kalshi.MarketApi),
    orders: api(kalshi.OrdersApi),
    portfolio: api(kalshi.PortfolioApi),
  };
}

/** The body of the refusal, which must have this status, and this code in one of its shapes. */
async function refused(call, status, code) {
  const error = await call.then(
    (body) => assert.fail(`accepted, expected ${status} ${code}: ${JSON.stringify(body)}`),
    (thrown) => thrown,
  );
  if (!error.response) throw error;
  const { data } = error.response;
  const text = JSON.stringify(data);
  assert.strictEqual(error.response.status, status, text);
  const query = data.msg?.split(': ')[0];
  assert.strictEqual(data.error?.code ?? data.code ?? query ?? data.error, code, text);
  return data;
}

/** All rows of a list with pages: `read(cursor)` is one page, which has `name`. */
async function pages(name, read) {
  const rows = [];
  for (let cursor = ''; ; ) {
    const page = await read(cursor);
    rows.push(...page[name]);
    if (page.cursor === '') return rows;
    assert.notStrictEqual(page.cursor, cursor, `${name}: the same cursor again`);
    cursor = page.cursor;
  }
}

/** What `read` returns once `condition` holds for it. */
async function eventually(read, condition, what) {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    assert(Date.now() < deadline, `waited 30 s for ${what}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

// "0.4100" ─► 4100, and back; counts and money alike.
const unitsOf = (text, decimals) => Math.round(Number(text) * 10 ** decimals);
const priceOf = (text) => unitsOf(text, 4);
const countOf = (text) => unitsOf(text, 2);
const moneyOf = (text) => unitsOf(text, 6);
const priceText = (units) => (units / 10_000).toFixed(4);
const countText = (units) => (units / 100).toFixed(2);

module.exports = {
  connect,
  refused,
  pages,
  eventually,
  priceOf,
  countOf,
  moneyOf,
  priceText,
  countText,
};
