import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { csvOf } from './audit-csv.ts';

const entry = (seq: bigint, name: string) => ({
  chain: 'usr_1',
  seq,
  entry: JSON.stringify({
    id: 'aud_1',
    at: '2026-01-01T00:00:00.000Z',
    session_id: null,
    ip: null,
    action: 'team.renamed',
    actor: { kind: 'user', id: 'usr_1', name },
    target: { kind: 'team', id: null },
    wallet_id: null,
    before: null,
    after: null,
  }),
  hash: Buffer.alloc(1),
});

async function lines(names: string[]): Promise<string[]> {
  const all = names.map((name, index) => entry(BigInt(names.length - index), name));
  const parts = csvOf(async ({ limit, before_seq }) =>
    all.filter(({ seq }) => before_seq === undefined || seq < before_seq).slice(0, limit),
  );
  let text = '';
  for await (const part of parts) text += part;
  return text.split('\r\n');
}

test('a text that a spreadsheet would run as a formula gets an apostrophe in front', async () => {
  for (const name of ['=1+1', '+1', '-1', '@sum', '\tx']) {
    const [, line] = await lines([name]);
    assert.match(line ?? '', new RegExp(`,usr_1,'${name.replace(/[+]/g, '\\+')},`));
  }
});

test('commas, quotes and line ends stay inside their field', async () => {
  const [, line] = await lines(['a,"b"']);
  assert.match(line ?? '', /,usr_1,"a,""b""",/);
});

test('every entry is given once, however many there are', async () => {
  const all = await lines(Array.from({ length: 1001 }, (_, n) => `n${n}`));
  assert.equal(all.length, 1003, 'with the head, and nothing after the last line end');
});
