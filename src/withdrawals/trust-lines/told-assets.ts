/**
 * What an `asset.changed` tells: the asset as `GET …/assets/CODE:ISSUER` shows it. The ledger is read before the transaction
 * that records the change, because no transaction waits for the network.
 *
 * | what the reading found                   | what the event shows                                             |
 * |------------------------------------------|------------------------------------------------------------------|
 * | the ledger of the change, or a later one | what GET shows                                                   |
 * | no answer in 5 s, or an older ledger     | the status that the change proves, and nothing of the issuer; if |
 * |                                          | the change proves none, `pending` or `removing` stays            |
 * | a crash before the transaction           | nothing is recorded: change and asset are read again             |
 *
 * The transaction waits these 5 s at most, and never fails because of an event.
 */
import type { ChangedLine, Deps } from '../../deps.ts';
import { issuedAsset } from '../../stellar/asset.ts';
import { lineKey } from '../../stellar/stellar.ts';
import { walletsToTell } from '../../webhooks/events/enqueue.ts';
import { TRUST_LINE_OPERATIONS, type Withdrawal } from '../engine/store.ts';
import { showAsset } from './asset-schema.ts';
import {
  type AssetStatus,
  assetOf,
  type LedgerFacts,
  STATUS_OF_AUTHORIZATION,
  type WalletAsset,
} from './assets.ts';
import { accountsOf, keyOfLine, newestChangesOf, type WalletLine } from './trust-line-store.ts';

type Reading = Pick<Deps, 'db' | 'stellar' | 'clock' | 'log' | 'config'>;
/** Of the trust lines that were read, by `keyOfLine`; `ledger`: a ledger that they are not older than. */
export type LinesRead = Map<string, Pick<LedgerFacts, 'issuer' | 'line'> & { ledger: number }>;

const READ_MS = 5_000;

/**
 * Reads what the ledger has of the trust lines that these withdrawals change, for wallets with an endpoint that gets the event.
 * Empty when that takes longer than 5 s, or fails.
 */
export async function readLinesOf(deps: Reading, changes: Withdrawal[]): Promise<LinesRead> {
  return readLines(
    deps,
    changes.filter(isLineChange).map((change) => ({ ...change, asset_issuer: change.asset_issuer ?? '' })),
  );
}

export function isLineChange({ operation }: Pick<Withdrawal, 'operation'>): boolean {
  return TRUST_LINE_OPERATIONS.some((each) => each === operation);
}

async function readLines(deps: Reading, lines: WalletLine[]): Promise<LinesRead> {
  const wallet_ids = lines.map(({ wallet_id }) => wallet_id);
  const wallets = await walletsToTell(deps.db, wallet_ids, ['asset.changed']);
  const told = lines.filter(({ wallet_id }) => wallets.has(wallet_id));
  if (told.length === 0) return new Map();
  const accounts = await accountsOf(deps.db, [...wallets]);
  const enough = new AbortController();
  const late = deps.clock.sleep(READ_MS, enough.signal).then((): LinesRead => new Map());
  try {
    return await Promise.race([factsOf(deps, told, accounts), late]);
  } catch (error) {
    // Whatever it is: the change is proven without it, and must be recorded.
    deps.log.warn({ err: error }, 'the asset of a changed trust line could not be read for its event');
    return new Map();
  } finally {
    enough.abort();
  }
}

/** @throws NetworkUnavailable */
async function factsOf(
  { stellar }: Reading,
  lines: WalletLine[],
  accounts: Map<string, string>,
): Promise<LinesRead> {
  const named = lines.flatMap((line) => {
    const [account, asset] = [accounts.get(line.wallet_id), issuedAsset(line)];
    return account && asset ? [{ key: keyOfLine(line), account, asset }] : [];
  });
  const issuers = new Set(named.map(({ asset }) => asset.issuer));
  const { latest, ...read } = await stellar.readAccounts([...issuers], named);
  return new Map(
    named.map(({ key, ...name }) => {
      const issuer = read.accounts.get(name.asset.issuer) ?? null;
      return [key, { issuer, line: read.lines.get(lineKey(name)) ?? null, ledger: latest.sequence }];
    }),
  );
}

/**
 * Shows the asset whose trust line `changed` has changed: a settled withdrawal. `newest`: the newest change of that trust line.
 */
export function assetAfter(
  deps: Pick<Deps, 'config'>,
  changed: Withdrawal,
  newest: Withdrawal,
  read: LinesRead,
): object {
  const line = { ...changed, asset_issuer: changed.asset_issuer ?? '' };
  const proven = newest.settled_at === null ? undefined : PROVEN[`${newest.operation} ${newest.status}`];
  return showLine(deps, { line, newest, least_ledger: changed.ledger ?? 0, proven }, read);
}

/** What an outcome proves of the trust line. An addition does not prove that the issuer lets the wallet use the asset. */
const PROVEN: Record<string, AssetStatus | undefined> = {
  'add_trust_line confirmed': 'pending',
  'add_trust_line failed': 'failed',
  'remove_trust_line confirmed': 'absent',
  'remove_trust_line failed': 'removing',
};

/** Shows the assets of trust lines that others have changed, in the same order. Reads the network: not for a transaction. */
export async function showChangedLines(deps: Reading, changed: ChangedLine[]): Promise<object[]> {
  const [read, changes] = await Promise.all([readLines(deps, changed), newestChangesOf(deps.db, changed)]);
  return changed.map((line) => {
    const newest = changes.get(keyOfLine(line));
    const isOpen = newest !== undefined && newest.settled_at === null;
    const proven = isOpen ? undefined : STATUS_OF_AUTHORIZATION[line.authorization];
    return showLine(deps, { line, newest, least_ledger: line.ledger, proven }, read);
  });
}

/** `proven`: what the status is at least; undefined while a change of it is open, whose status is shown. */
type ToShow = {
  line: WalletLine;
  newest: Withdrawal | undefined;
  least_ledger: number;
  proven: AssetStatus | undefined;
};

function showLine(
  deps: Pick<Deps, 'config'>,
  { line, newest, least_ledger, proven }: ToShow,
  read: LinesRead,
): object {
  const { asset_code, asset_issuer } = line;
  const asset = { asset_code, asset_issuer };
  const facts = read.get(keyOfLine(line));
  if (facts && facts.ledger >= least_ledger) return showAsset(assetOf(deps, asset, facts, newest));
  const nothing = { issuer: null, line: null };
  const unread: WalletAsset = assetOf(deps, asset, nothing, newest, proven);
  // The issuer's account is not known, and may allow clawbacks: the answer must not deny that.
  return showAsset({ ...unread, clawback_enabled: true });
}
