import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StrKey } from '@stellar/stellar-sdk/base';

export type Json = Record<string, unknown>;

/** Every object in the JSON files of the folder, at any depth. */
export function objectsIn(folder: string): Json[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => [...objects(JSON.parse(readFileSync(join(folder, file), 'utf8')))]);
}

function* objects(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const part of Object.values(value)) yield* objects(part);
}

/** An operation or effect record without the fields that depend on its place in history. */
export function withoutPlace(record: Json): Json {
  const { _links, id, paging_token, created_at, transaction_hash, transaction, ...rest } = record;
  const { transaction_successful, source_account, source_account_muxed, source_account_muxed_id, ...own } =
    rest;
  return own;
}

/** Fields that a record of the same type may lack. */
const CONDITIONAL = /_muxed(_id)?$|asset_(code|issuer)$|flags?(_s)?$|^(sponsor|trustee|liquidity_pool_id)$/;

/** Types whose records show only what was set, or only the kind of the object. */
const SELECTIVE = ['set_options', 'revoke_sponsorship', 'end_sponsoring_future_reserves'];

/** Whether the record has exactly the fields of the sample, with values of the same types. Lists may be null. */
export function assertLike(record: Json, sample: Json): void {
  for (const [field, value] of Object.entries(record)) {
    if (!(field in sample)) {
      assert.ok(
        CONDITIONAL.test(field) || SELECTIVE.includes(`${record.type}`),
        `${record.type} has no ${field}`,
      );
    } else if (value !== null) {
      assert.equal(kindOf(value), kindOf(sample[field]), `${field} of ${record.type}`);
    }
  }
  for (const field of Object.keys(sample)) {
    const may = CONDITIONAL.test(field) || SELECTIVE.includes(`${record.type}`);
    assert.ok(may || field in record, `${record.type} lacks ${field}`);
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value;
}

/** Amounts have seven decimals, addresses are valid strkeys, muxed ids are decimal. */
export function assertWellFormed(record: Json): void {
  for (const part of objects(record)) {
    for (const [field, value] of Object.entries(part)) {
      const wellFormed = FORMS.find(([pattern]) => pattern.test(field))?.[1];
      if (wellFormed === undefined || typeof value !== 'string') continue;
      assert.ok(wellFormed(value), `${field} of ${record.type}: ${value}`);
    }
  }
}

const isHolder = (text: string) => StrKey.isValidEd25519PublicKey(text) || StrKey.isValidContract(text);
const isSigner = (text: string) => /^[GTXP][A-Z2-7]{55,}$/.test(text);

const FORMS: [field: RegExp, isWellFormed: (text: string) => boolean][] = [
  [/_muxed$/, (text) => StrKey.isValidMed25519PublicKey(text)],
  [/_muxed_id$/, (text) => /^[1-9][0-9]*$/.test(text) && BigInt(text) < 2n ** 64n],
  [/(^|_)(amount|balance|max|min|limit|price)$/, (text) => /^(0|[1-9][0-9]*)\.[0-9]{7}$/.test(text)],
  [/^(account|from|to|funder|into|claimant|destination|seller|contract|sponsored_id)$/, isHolder],
  [/(^|_)(sponsor|issuer|account_id|inflation_dest|trustee|trustor)$/, isHolder],
  [/^(signer|signer_key|public_key)$/, isSigner],
  [/^balance_id$/, (text) => /^0{8}[0-9a-f]{64}$/.test(text)],
];
