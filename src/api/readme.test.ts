/** The README shows what the service answers: a field that came or went since would mislead whoever reads it first. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AddressResource } from '../deposits/addresses/address-schema.ts';
import { DepositResource } from '../deposits/recorded/deposit-schema.ts';
import { NewEndpoint } from '../webhooks/endpoints/endpoint-schema.ts';
import { WithdrawalResource } from '../withdrawals/answers/schema.ts';

const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
/** Whole answers and webhook bodies, by the prefix of their id; those that are cut short end in an ellipsis. */
const samples = new Map(
  readme
    .split('\n')
    .filter((line) => /^\{".*"data":/.test(line) && !line.includes('…'))
    .map((line) => JSON.parse(line).data)
    .map((data): [string, object] => [data.id.split('_')[0], data]),
);

for (const [prefix, { shape }] of [
  ['adr', AddressResource],
  ['dep', DepositResource],
  ['wd', WithdrawalResource],
  ['whe', NewEndpoint],
] as const) {
  test(`the README’s sample of ${prefix}_… has every field of the answer, and no other`, () => {
    assert.deepEqual(Object.keys(samples.get(prefix) ?? {}).sort(), Object.keys(shape).sort());
  });
}
