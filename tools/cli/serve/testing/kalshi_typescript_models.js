// Holds every answer against the models of the package kalshi-typescript, as its type declarations
// have them: required members are there, and all have their types.
//
//   package/dist/models/*.d.ts ─► interfaces: {"Order": [{name, isOptional, type}, ...], ...}
//   package/dist/api/*.d.ts    ─► results:    {"getOrder": "GetOrderResponse", ...}
//   checked(api)               ─► the same calls; each returns the body that has passed
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const kalshi = require('kalshi-typescript');

const DIST = path.dirname(require.resolve('kalshi-typescript'));
const PLAIN = new Set(['string', 'number', 'boolean']);
// All others answer 200.
const STATUS = {
  createOrderV2: 201,
  batchCreateOrdersV2: 201,
  createOrderGroup: 201,
  cancelAllOrders: 204,
};

function declarations(folder) {
  const names = fs.readdirSync(path.join(DIST, folder)).filter((name) => name.endsWith('.d.ts'));
  return names.map((name) => fs.readFileSync(path.join(DIST, folder, name), 'utf8')).join('\n');
}

function readInterfaces() {
  const interfaces = {};
  for (const [, name, body] of declarations('models').matchAll(
    /^export interface (\w+) \{\n(.*?)^\}/gms,
  )) {
    const members = [...body.matchAll(/^ {4}'(\w+)'(\??): ([^{;]+);$/gm)];
    interfaces[name] = members.map(([, member, mark, type]) => ({
      name: member,
      isOptional: mark === '?',
      type,
    }));
  }
  return interfaces;
}

function readResults() {
  const pattern = /^ {4}(\w+)\(.*\): Promise<import\("axios"\)\.AxiosResponse<(\w+),/gm;
  return Object.fromEntries([...declarations('api').matchAll(pattern)].map(([, ...pair]) => pair));
}

const interfaces = readInterfaces();
const results = readResults();
assert(interfaces.Order.length > 20 && results.getOrder === 'GetOrderResponse');

/** Throws unless `value`, found at `where`, is a `type`. */
function check(type, value, where) {
  const types = type.split(' | ');
  if (types.includes('null') && value === null) return;
  const [name] = types;
  const list = name.match(/^Array<(.*)>$/);
  if (list) {
    assert(Array.isArray(value), `${where}: ${JSON.stringify(value)} is no list`);
    value.forEach((entry, i) => check(list[1], entry, `${where}[${i}]`));
  } else if (PLAIN.has(name)) {
    assert.strictEqual(typeof value, name, where);
  } else if (name in interfaces) {
    checkMembers(interfaces[name], value, where);
  } else if (name in kalshi) {
    assert(Object.values(kalshi[name]).includes(value), `${where}: ${value} is no ${name}`);
  } else {
    assert.strictEqual(name, 'object', `${where}: a type that this check does not know`);
    assert.strictEqual(typeof value, 'object', where);
  }
}

function checkMembers(members, value, where) {
  assert(typeof value === 'object' && value !== null, `${where}: ${value} is no object`);
  for (const { name, isOptional, type } of members) {
    if (name in value) check(type, value[name], `${where}.${name}`);
    else assert(isOptional, `${where}.${name} is missing`);
  }
}

/** The calls of `api`; each returns the body of its answer. Their names are added to `called`. */
function checked(api, called) {
  return new Proxy(api, {
    get: (target, name) => async (...args) => {
      const answer = await target[name](...args);
      called.add(name);
      assert(name in results, `${name} has no declared result`);
      assert.strictEqual(answer.status, STATUS[name] ?? 200, name);
      if (results[name] !== 'void') check(results[name], answer.data, name);
      return answer.data;
    },
  });
}

module.exports = { checked };
