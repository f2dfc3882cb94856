import type { xdr } from '@stellar/stellar-sdk/base';
import { accountLiabilities, sequenceUse, thresholdOf } from '../ledger/account.ts';
import { base64 } from '../ledger/bytes.ts';
import type { Account, Entry } from '../ledger/entry.ts';
import { accountKey } from '../ledger/entry.ts';
import type { StellarNode } from '../node.ts';
import { timeText } from '../time-text.ts';
import { accountAddress, signerAddress } from './addresses.ts';
import { amountText } from './amounts.ts';
import { assetFields } from './assets.ts';
import { signerSponsors, sponsorOf } from './entry-changes.ts';
import { AUTHORIZED, CLAWBACK_ENABLED, MAINTAIN_LIABILITIES } from './flags.ts';
import type { Links } from './links.ts';

/** Horizon's account resource at the latest ledger that the node knows; undefined when the account does not exist. */
export function accountRecord(node: StellarNode, ed25519: Uint8Array, links: Links) {
  const entry = node.entry(accountKey(ed25519));
  if (entry?.data.type !== 0) return undefined;
  const { account } = entry.data;
  const owned = node.entriesOwnedBy(ed25519);
  const id = accountAddress({ type: 0, ed25519 });
  const modified = node.ledger(entry.lastModifiedLedgerSeq);
  return {
    _links: accountLinks(id, links),
    id,
    account_id: id,
    sequence: `${account.seqNum}`,
    ...sequenceFields(account),
    subentry_count: account.numSubEntries,
    ...(account.inflationDest === null
      ? {}
      : { inflation_destination: accountAddress(account.inflationDest) }),
    ...(account.homeDomain.length === 0 ? {} : { home_domain: account.homeDomain.toString() }),
    last_modified_ledger: entry.lastModifiedLedgerSeq,
    last_modified_time: modified === undefined ? null : timeText(modified.close_time),
    thresholds: {
      low_threshold: thresholdOf(account, 1),
      med_threshold: thresholdOf(account, 2),
      high_threshold: thresholdOf(account, 3),
    },
    flags: flagFields(account.flags),
    balances: [...trustLineBalances(owned), nativeBalance(account)],
    signers: signersOf(entry, account),
    data: dataOf(owned),
    ...sponsorshipFields(entry, account),
    paging_token: id,
  };
}

function accountLinks(id: string, links: Links) {
  const self = `/accounts/${id}`;
  return {
    self: links.to(self),
    transactions: links.paged(`${self}/transactions`),
    operations: links.paged(`${self}/operations`),
    payments: links.paged(`${self}/payments`),
    effects: links.paged(`${self}/effects`),
    offers: links.paged(`${self}/offers`),
    trades: links.paged(`${self}/trades`),
    data: links.template(`${self}/data/{key}`),
  };
}

/** Absent before the first transaction of the account (CAP-21). */
function sequenceFields(account: Account) {
  const { seqLedger, seqTime } = sequenceUse(account);
  return seqLedger === 0 ? {} : { sequence_ledger: seqLedger, sequence_time: `${seqTime}` };
}

function flagFields(flags: number) {
  return {
    auth_required: (flags & 1) !== 0,
    auth_revocable: (flags & 2) !== 0,
    auth_immutable: (flags & 4) !== 0,
    auth_clawback_enabled: (flags & 8) !== 0,
  };
}

function nativeBalance(account: Account) {
  return {
    balance: amountText(account.balance),
    ...liabilityFields(accountLiabilities(account)),
    asset_type: 'native',
  };
}

function liabilityFields(liabilities: xdr.LiabilitiesWire | null) {
  return {
    buying_liabilities: amountText(liabilities?.buying ?? 0n),
    selling_liabilities: amountText(liabilities?.selling ?? 0n),
  };
}

/** By asset code, then issuer. */
function trustLineBalances(owned: Entry[]) {
  const balances = owned.flatMap((entry) =>
    entry.data.type === 1 ? trustLineBalance(entry, entry.data.trustLine) : [],
  );
  const orderOf = ({ asset_code, asset_issuer }: Record<string, unknown>) => `${asset_code} ${asset_issuer}`;
  return balances.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function trustLineBalance(entry: Entry, line: xdr.TrustLineEntryWire): Record<string, unknown>[] {
  if (line.asset.type === 3) return []; // shares of liquidity pools, which the sandbox does not have
  const sponsor = sponsorOf(entry);
  return [
    {
      balance: amountText(line.balance),
      limit: amountText(line.limit),
      ...liabilityFields(line.ext.v === 1 ? line.ext.v1.liabilities : null),
      ...(sponsor === null ? {} : { sponsor: accountAddress(sponsor) }),
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      is_authorized: (line.flags & AUTHORIZED) !== 0,
      is_authorized_to_maintain_liabilities: (line.flags & (AUTHORIZED | MAINTAIN_LIABILITIES)) !== 0,
      ...((line.flags & CLAWBACK_ENABLED) === 0 ? {} : { is_clawback_enabled: true }),
      ...assetFields(line.asset),
    },
  ];
}

const SIGNER_TYPES = ['ed25519_public_key', 'preauth_tx', 'sha256_hash', 'ed25519_signed_payload'] as const;

/** The key of the account comes last, also with weight 0. */
function signersOf(entry: Entry, account: Account) {
  const sponsors = signerSponsors(entry);
  const added = account.signers.map(({ key, weight }) => {
    const address = signerAddress(key);
    const sponsor = sponsors.get(address);
    const type = SIGNER_TYPES[key.type];
    return { weight, key: address, type, ...(sponsor ? { sponsor: accountAddress(sponsor) } : {}) };
  });
  const master = { weight: thresholdOf(account, 0), key: accountAddress(account.accountId) };
  return [...added, { ...master, type: SIGNER_TYPES[0] }];
}

/** Name → base64 of the value, sorted by name. */
function dataOf(owned: Entry[]): Record<string, string> {
  const pairs = owned.flatMap(({ data }) =>
    data.type === 3 ? [[data.data.dataName.toString(), base64(data.data.dataValue)] as const] : [],
  );
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sponsorshipFields(entry: Entry, { ext }: Account) {
  const counts = ext.v === 1 && ext.v1.ext.v === 2 ? ext.v1.ext.v2 : { numSponsoring: 0, numSponsored: 0 };
  const sponsor = sponsorOf(entry);
  return {
    num_sponsoring: counts.numSponsoring,
    num_sponsored: counts.numSponsored,
    ...(sponsor === null ? {} : { sponsor: accountAddress(sponsor) }),
  };
}
