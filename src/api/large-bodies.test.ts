/** The largest bodies of every operation: while one is read and checked, other requests go on. */
import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { StrKey } from '@stellar/stellar-sdk/base';
import { type InProcessService, startInProcess } from '../../test/support/in-process-service.ts';
import { hundredMilliseconds, longestTurn } from '../../test/support/turns.ts';
import type { HttpApp } from '../http/http-app.ts';
import { buildApp } from './app.ts';

const OF_OPERATIONS_BYTES = 64 * 1024;
const OF_PAYOUTS_BYTES = 8 * 1024 * 1024;

let world: InProcessService;
let app: HttpApp;
/** One is for payouts, so that no policy is in their way. */
let wallet_ids: [string, string];
let base_url: string;
let authorization = '';
let serial = 0;
/** Of the CPU of this machine, as it is now. */
let limit_us: number;

before(async () => {
  world = await startInProcess({ CHANNELS_MAX: '0', TEAM_REQUESTS_PER_MINUTE: '100000' });
  wallet_ids = [(await world.wallet()).id, (await world.wallet()).id];
  app = await buildApp(world.deps, {} as Parameters<typeof buildApp>[1]);
  base_url = await app.listen({ port: 0, host: '127.0.0.1' });
  const payload = JSON.stringify({ email: 'owner@example.com', password: 'correct horse' });
  const answer = await send({ method: 'POST', path: '/v1/auth/login', payload });
  authorization = `Bearer ${((await answer.json()) as { data: { token: string } }).data.token}`;
  hundredMilliseconds();
  limit_us = hundredMilliseconds();
});
after(async () => {
  await app.close();
  await world.close();
});

type Sent = { method: string; path: string; payload: string; type?: string };

function send({ method, path, payload: body, type = 'application/json' }: Sent): Promise<Response> {
  const headers = { authorization, 'content-type': type, 'idempotency-key': `key-${++serial}` };
  return fetch(`${base_url}${path}`, { method, body, headers });
}

/** Sends it once more where a turn is too long: one collection of garbage is no fault of the body. Gives the status. */
async function assertNoLongTurn(name: string, sent: Sent): Promise<number> {
  let status = 0;
  const send_it = async () => {
    const answer = await send(sent);
    await answer.arrayBuffer();
    status = answer.status;
  };
  let part = (await longestTurn(send_it)) / limit_us;
  if (part >= 1) {
    limit_us = hundredMilliseconds();
    part = (await longestTurn(send_it)) / limit_us;
  }
  assert(part < 1, `${name}: a turn of the event loop takes ${Math.round(100 * part)} ms of an idle machine`);
  return status;
}

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  maxItems?: number;
};
type Operation = {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema; example?: object }> };
};

type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Kind = { types: string[]; max_items: number };

/** Items of arrays that are right, so that each is looked at. Others are texts that are wrong. */
const RIGHT_ITEMS: Record<string, (index: number) => string> = {
  destinations: (index) => JSON.stringify(account(index)),
  allowed_ips: (index) => `"10.${index >> 8}.${index & 255}.1"`,
};

/** A G… address of nobody. */
function account(index: number): string {
  return StrKey.encodeEd25519PublicKey(Buffer.from(hash('sha256', `${index}`), 'hex'));
}

/** JSON of this kind that fills the largest body. */
function large(name: string, { types, max_items }: Kind): string {
  const room = OF_OPERATIONS_BYTES - 4 * 1024;
  if (types.includes('array')) {
    const right = RIGHT_ITEMS[name];
    const count = right ? Math.min(max_items, Math.floor(room / (right(0).length + 1))) : room / 8;
    return `[${Array.from({ length: count }, (_, index) => right?.(index) ?? `"${index}"`).join()}]`;
  }
  if (types.includes('object'))
    return `{${Array.from({ length: 4_000 }, (_, index) => `"m${index}":[]`).join()}}`;
  if (types.includes('integer')) return '9'.repeat(room);
  return `"${'x'.repeat(room)}"`;
}

test('no body of 64 KiB keeps the event loop for 100 ms, in any operation and whichever member is large', async () => {
  const { paths, components } = (await (await fetch(`${base_url}/openapi.json`)).json()) as Document;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? resolved(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const kindOf = (schema: Schema): Kind => {
    const { type = [], anyOf = [], maxItems = Number.POSITIVE_INFINITY } = resolved(schema);
    const kinds = anyOf.map(kindOf);
    return {
      types: [...[type].flat(), ...kinds.flatMap(({ types }) => types)],
      max_items: Math.min(maxItems, ...kinds.map(({ max_items }) => max_items)),
    };
  };
  const unknown = Array.from(
    { length: 999 },
    (_, index) => `"${`unknown${index}`.padEnd(55, '_')}":1`,
  ).join();
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const { schema, example = {} } = requestBody?.content['application/json'] ?? {};
      if (!schema) continue;
      const named = path
        .replace('{id}', wallet_ids[0])
        .replaceAll(/\{.*?\}/g, 'xyz_00000000000000000000000000');
      const body = (members: string) => ({
        method: method.toUpperCase(),
        path: named,
        payload: `{${members}}`,
      });
      const members = Object.entries(resolved(schema).properties ?? {}).map(([name, of]) => {
        const others = Object.entries(example).filter(([other]) => other !== name);
        const kept = others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
        return [name, [...kept, `"${name}":${large(name, kindOf(of))}`].join()] as const;
      });
      for (const [name, text] of [...members, ['unknown members', unknown] as const]) {
        const status = await assertNoLongTurn(`${operationId}, ${name}`, body(text));
        assert(status < 500, `${operationId}, ${name}: ${status}`);
      }
    }
});

const HEADER = 'idempotency_key,destination,amount_stroops';
const most = (text: string) => text.repeat(Math.floor((OF_PAYOUTS_BYTES - 1_000) / text.length));

/** Ten payees an account, each with the longest text in every field. */
const rows = () =>
  Array.from({ length: 10_000 }, (_, index) => ({
    idempotency_key: `key-${index}`.padEnd(240, 'x'),
    destination: account(index % 1_000),
    amount_stroops: 10_000_000 + index,
    memo_id: index,
    reference: `${index}`.padEnd(100, 'é'),
  }));

const PAYOUTS: Record<string, { type?: string; text: () => string; status: number }> = {
  'one integer': { text: () => `{"name":"x","expected_count":${most('9')}}`, status: 400 },
  'one integer in a row': {
    text: () => `{"name":"x","rows":[{"amount_stroops":${most('9')}}]}`,
    status: 400,
  },
  'one text with escapes': { text: () => `{"name":"x","csv":"${most('\\u000a')}"}`, status: 400 },
  spaces: { text: () => `{"name":"x","rows":[${most(' ')}1]}`, status: 400 },
  'the deepest arrays': {
    text: () => `{"name":"x","rows":[${'['.repeat(30)}${most(' ')}${']'.repeat(30)}]}`,
    status: 400,
  },
  'one row with most members': {
    text: () =>
      `{"name":"x","rows":[{${Array.from({ length: 99_000 }, (_, index) => `"m${index}":[]`).join()}}]}`,
    status: 400,
  },
  'most values': { text: () => `{"name":"x","rows":[${'{"m":[]},'.repeat(99_000)}1]}`, status: 400 },
  'rows that are all wrong': {
    text: () =>
      JSON.stringify({
        name: 'x',
        rows: rows().map(() => ({
          idempotency_key: '=',
          destination: 'x',
          amount_stroops: 0,
          memo_id: -1,
          m: 1,
        })),
      }),
    status: 400,
  },
  'rows of as many assets': {
    text: () =>
      JSON.stringify({
        name: 'x',
        rows: rows().map((row, index) => ({
          ...row,
          asset_code: `A${index}`,
          asset_issuer: row.destination,
        })),
      }),
    status: 400,
  },
  'rows that are right': { text: () => JSON.stringify({ name: 'x', rows: rows() }), status: 201 },
  'a CSV of separators': { type: 'text/csv', text: () => most(','), status: 400 },
  'a CSV of line ends': { type: 'text/csv', text: () => most('\n'), status: 400 },
  'a CSV of quotes': { type: 'text/csv', text: () => `${HEADER}\n${most('"",')}`, status: 400 },
  'a CSV of empty rows': { type: 'text/csv', text: () => `${HEADER}\n${most(' ,,\r\n')}`, status: 400 },
  'a CSV of rows that are too wide': {
    type: 'text/csv',
    text: () => `${HEADER}\n${most(`${'a,'.repeat(2_000)}\n`)}`,
    status: 400,
  },
};

for (const [name, { type = 'application/json', text, status }] of Object.entries(PAYOUTS))
  test(`no payout of 8 MiB keeps the event loop for 100 ms: ${name}`, async () => {
    const path = `/v1/wallets/${wallet_ids[1]}/payouts${type === 'text/csv' ? '?name=x' : ''}`;
    assert.equal(await assertNoLongTurn(name, { method: 'POST', path, payload: text(), type }), status);
  });
