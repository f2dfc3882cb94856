import type { xdr } from '@stellar/stellar-sdk/base';
import { hex } from '../ledger/bytes.ts';
import type { Entry } from '../ledger/entry.ts';
import { ownerOf, sponsorOf } from '../ledger/entry.ts';
import { ed25519Of } from '../ledger/transaction.ts';

const END_SPONSORING = 17;
const BEGIN_SPONSORING = 16;

/**
 * The accounts that take part in an operation, its source first, some perhaps twice: whose lists of operations show
 * it (Horizon, ingest/processors, Participants).
 * @param meta null when the transaction failed
 */
export function operationParticipants(
  tx: xdr.TransactionWire,
  operation: xdr.OperationWire,
  meta: xdr.OperationMetaV2Wire | null,
): Uint8Array[] {
  const source = ed25519Of(operation.sourceAccount ?? tx.sourceAccount);
  const sponsor = meta === null ? null : sponsorNamed(operation.body, meta.changes);
  const others = namedAccounts(operation.body) ?? sponsorshipEnded(tx, operation, source);
  return [
    source,
    ...others,
    ...(sponsor === null ? [] : [sponsor]),
    ...contractParticipants(operation, meta),
  ];
}

/** The account that newly pays the reserve of what the operation made; null for none. */
function sponsorNamed(body: xdr.OperationBodyWire, changes: xdr.LedgerEntryChangeWire[]): Uint8Array | null {
  for (const change of changes) {
    const sponsor = change.type === 0 ? sponsorOf(change.created) : undefined;
    if (sponsor !== undefined) return sponsor;
    if (change.type === 1 && body.type === 5 && body.setOptionsOp.signer !== null) {
      const ofSigner = signerSponsor(change.updated, body.setOptionsOp.signer.key);
      if (ofSigner !== null) return ofSigner;
    }
  }
  return null;
}

function signerSponsor({ data }: Entry, key: xdr.SignerKeyWire): Uint8Array | null {
  if (data.type !== 0) return null;
  const { signers, ext } = data.account;
  const at = signers.findIndex((signer) => sameSigner(signer.key, key));
  const sponsors = ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2.signerSponsoringIDs : [];
  return sponsors[at]?.ed25519 ?? null;
}

function sameSigner(a: xdr.SignerKeyWire, b: xdr.SignerKeyWire): boolean {
  return a.type === b.type && hex(signerBytes(a)) === hex(signerBytes(b));
}

function signerBytes(key: xdr.SignerKeyWire): Uint8Array {
  if (key.type === 0) return key.ed25519;
  if (key.type === 1) return key.preAuthTx;
  if (key.type === 2) return key.hashX;
  const { ed25519, payload } = key.ed25519SignedPayload;
  return Buffer.concat([ed25519, payload]);
}

/** The accounts that the operation's own fields name, or undefined for kinds that name none. */
function namedAccounts(body: xdr.OperationBodyWire): Uint8Array[] | undefined {
  switch (body.type) {
    case 0:
      return [body.createAccountOp.destination.ed25519];
    case 1:
      return [ed25519Of(body.paymentOp.destination)];
    case 2:
      return [ed25519Of(body.pathPaymentStrictReceiveOp.destination)];
    case 7:
      return [body.allowTrustOp.trustor.ed25519];
    case 8:
      return [ed25519Of(body.destination)];
    case 13:
      return [ed25519Of(body.pathPaymentStrictSendOp.destination)];
    case 14:
      return body.createClaimableBalanceOp.claimants.map((claimant) => claimant.v0.destination.ed25519);
    case BEGIN_SPONSORING:
      return [body.beginSponsoringFutureReservesOp.sponsoredId.ed25519];
    case 18:
      return revoked(body.revokeSponsorshipOp);
    case 19:
      return [ed25519Of(body.clawbackOp.from)];
    case 21:
      return [body.setTrustLineFlagsOp.trustor.ed25519];
    default:
      return undefined;
  }
}

function revoked(operation: xdr.RevokeSponsorshipOpWire): Uint8Array[] {
  if (operation.type === 1) return [operation.signer.accountId.ed25519];
  const key = operation.ledgerKey;
  if (key.type === 0) return [key.account.accountId.ed25519];
  if (key.type === 1) return [key.trustLine.accountId.ed25519];
  if (key.type === 2) return [key.offer.sellerId.ed25519];
  return key.type === 3 ? [key.data.accountId.ed25519] : [];
}

/** Ending a sponsorship concerns who began it: the source of the last operation that names this process it. */
function sponsorshipEnded(
  tx: xdr.TransactionWire,
  operation: xdr.OperationWire,
  source: Uint8Array,
): Uint8Array[] {
  if (operation.body.type !== END_SPONSORING) return [];
  const before = tx.operations.slice(0, tx.operations.indexOf(operation));
  const began = before.findLast(
    ({ body }) =>
      body.type === BEGIN_SPONSORING &&
      hex(body.beginSponsoringFutureReservesOp.sponsoredId.ed25519) === hex(source),
  );
  return began === undefined ? [] : [ed25519Of(began.sourceAccount ?? tx.sourceAccount)];
}

/** The accounts among the topics of what a contract has reported: from and to of a transfer. */
function contractParticipants({ body }: xdr.OperationWire, meta: xdr.OperationMetaV2Wire | null) {
  if (body.type !== 24 || meta === null) return [];
  const topics = meta.events.flatMap(({ body: event }) => event.v0.topics);
  return topics.flatMap((topic) =>
    topic.type === 18 && topic.address.type === 0 ? [topic.address.accountId.ed25519] : [],
  );
}

/** Whose account, trust line, offer or data the change is about. */
export function ownerOfChange(change: xdr.LedgerEntryChangeWire): Uint8Array | undefined {
  if (change.type === 2) return ownerOfKey(change.removed);
  if (change.type === 0) return ownerOfEntry(change.created);
  if (change.type === 1) return ownerOfEntry(change.updated);
  return ownerOfEntry(change.type === 3 ? change.state : change.restored);
}

function ownerOfEntry(entry: Entry): Uint8Array | undefined {
  return entry.data.type === 0 ? entry.data.account.accountId.ed25519 : ownerOf(entry);
}

function ownerOfKey(key: xdr.LedgerKeyWire): Uint8Array | undefined {
  if (key.type === 0) return key.account.accountId.ed25519;
  if (key.type === 1) return key.trustLine.accountId.ed25519;
  if (key.type === 2) return key.offer.sellerId.ed25519;
  return key.type === 3 ? key.data.accountId.ed25519 : undefined;
}
