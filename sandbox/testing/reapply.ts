import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { xdr } from '@stellar/stellar-sdk/base';
import {
  AUTH_CLAWBACK_ENABLED,
  AUTH_REQUIRED,
  AUTH_REVOCABLE,
  newAccount,
  signerSponsor,
} from '../ledger/account.ts';
import { issuerOf } from '../ledger/asset.ts';
import { base64, sameBytes } from '../ledger/bytes.ts';
import type { Entry, EntryKey } from '../ledger/entry.ts';
import { accountKey, keyOf, sponsorOf } from '../ledger/entry.ts';
import type { AssetContracts } from '../ledger/events.ts';
import { EventSink } from '../ledger/events.ts';
import type { EntryChange } from '../ledger/ledger-txn.ts';
import { LedgerTxn } from '../ledger/ledger-txn.ts';
import { rulesOf } from '../ledger/operations/registry.ts';
import type { ApplyContext, OperationResult } from '../ledger/operations/rules.ts';
import { Sponsorships } from '../ledger/sponsorship.ts';
import { State } from '../ledger/state.ts';
import { ed25519Of } from '../ledger/transaction.ts';
import { AUTHORIZED, CLAWBACK_ENABLED } from '../ledger/trust-line.ts';
import { outcomesOf } from '../replay/recorded-changes.ts';
import type { RecordedOperation } from './recorded-operations.ts';

type Changes = xdr.LedgerEntryChangeWire[];

/**
 * Applies our rules to the entries that the meta of the operation shows as its input. `idPool` is the value before,
 * too.
 */
export function reapply(recorded: RecordedOperation, contracts: AssetContracts, idPool: bigint) {
  const { header, tx, index, source, body } = recorded;
  const txn = new LedgerTxn(stateBefore(recorded), header.ledgerSeq);
  const events = new EventSink(contracts, tx.tx.memo);
  const context: ApplyContext = {
    header: { ...header, idPool },
    source,
    txn,
    events,
    tx,
    index,
    sponsorships: sponsorshipsIn(recorded),
    muxedSource: tx.tx.operations[index]?.sourceAccount ?? tx.tx.sourceAccount,
    highestSequence: () => undefined,
    contract: null,
  };
  const rules = rulesOf(body);
  assert.ok(rules);
  const result = rules.check(body, context) ?? rules.apply(body, context);
  return { result, changes: txn.changes(), events: encodeEvents(events.events) };
}

/** An account that pays for a new entry or signer must have begun to sponsor its owner before. */
function sponsorshipsIn({ body, source, meta }: RecordedOperation): Sponsorships {
  const sponsorships = new Sponsorships();
  const begin = (owner: Uint8Array, sponsor: Uint8Array | undefined) => {
    if (sponsor !== undefined) sponsorships.begin(owner, sponsor);
  };
  for (const change of meta.changes) {
    if (change.type === 0) {
      const { data } = change.created;
      begin(data.type === 0 ? data.account.accountId.ed25519 : source, sponsorOf(change.created));
    }
    if (change.type === 1 && change.updated.data.type === 0 && body.type === 5) {
      const { account } = change.updated.data;
      const at = account.signers.findIndex(({ key }) =>
        isDeepStrictEqual(key, body.setOptionsOp.signer?.key),
      );
      if (sameBytes(account.accountId.ed25519, source)) begin(source, signerSponsor(account, at));
    }
  }
  return sponsorships;
}

/**
 * Meta shows all entries that an operation wrote. Entries that it only read are invented here, so that the result
 * is possible.
 */
export function stateBefore({ header, body, source, meta }: RecordedOperation): State {
  const entries = new Map<EntryKey, Entry>();
  for (const change of meta.changes) if (change.type === 3) entries.set(keyOf(change.state), change.state);
  const suppose = (ed25519: Uint8Array | undefined, flags = 0) => {
    if (ed25519 === undefined || entries.has(accountKey(ed25519))) return;
    const data = { type: 0, account: { ...newAccount(ed25519, header), flags } } as const;
    entries.set(accountKey(ed25519), { lastModifiedLedgerSeq: 1, data, ext: { v: 0 } });
  };
  suppose(destinationOf(body));
  if (body.type === 5) suppose(body.setOptionsOp.inflationDest?.ed25519);
  if (body.type === 6) {
    const { line } = body.changeTrustOp;
    if (line.type === 1 || line.type === 2) suppose(issuerOf(line), issuerFlagsFor(meta.changes));
  }
  if (body.type === 7 || body.type === 21) suppose(source, AUTH_REVOCABLE);
  return new State(entries);
}

function destinationOf(body: RecordedOperation['body']): Uint8Array | undefined {
  if (body.type === 1) return ed25519Of(body.paymentOp.destination);
  if (body.type === 2) return ed25519Of(body.pathPaymentStrictReceiveOp.destination);
  return body.type === 13 ? ed25519Of(body.pathPaymentStrictSendOp.destination) : undefined;
}

/** The flags of an issuer that allow such a line. */
function issuerFlagsFor(changes: Changes): number {
  const made = changes.flatMap((change) => (change.type === 0 ? [change.created.data] : []))[0];
  if (made?.type !== 1) return 0;
  const { flags } = made.trustLine;
  return (
    ((flags & AUTHORIZED) === 0 ? AUTH_REQUIRED : 0) |
    ((flags & CLAWBACK_ENABLED) === 0 ? 0 : AUTH_CLAWBACK_ENABLED)
  );
}

/** Base64 of each changed entry after the operation, by key; null for a removed entry. */
export function afterOurs(changes: EntryChange[]): Map<EntryKey, string | null> {
  return encoded(changes);
}

export function afterTheirs(changes: Changes): Map<EntryKey, string | null> {
  return encoded(outcomesOf(changes));
}

function encoded(changes: { key: EntryKey; after: Entry | undefined }[]): Map<EntryKey, string | null> {
  const entries = changes.map(({ key, after }): [EntryKey, string | null] => [
    key,
    after === undefined ? null : base64(xdr.LedgerEntry.schema.encode(after)),
  ]);
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function encodeResult(result: OperationResult): string {
  return base64(xdr.OperationResult.schema.encode(result));
}

export function encodeEvents(events: xdr.ContractEventWire[]): string[] {
  return events.map((event) => base64(xdr.ContractEvent.schema.encode(event)));
}
