/** The setup of the catch-up bench: databases with wallets that the ledgers pay, and the reader processes. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk/base';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { accountOf, addressOf } from '../src/stellar/address.ts';
import { readLedgerCloseMeta } from '../src/stellar/ledgers/ledger-close-meta.ts';
import { innerTransaction } from '../src/stellar/transactions/envelope.ts';
import { outcomeOf } from '../src/stellar/transactions/result-codes.ts';
import type { Templates } from './catch-up-made.ts';
import type { Databases } from './withdrawals-world.ts';

/** Number of wallets, and number of deposit addresses of the first wallet. */
export type Size = { wallets: number; addresses: number };

export type Child = {
  pid: number;
  /** Its first message. */
  ready: unknown;
  ask(message: object): Promise<unknown>;
  stop(): void;
};

/** Runs a file of this folder in its own process. @throws Error when the process ends without an answer */
export async function startChild(file: string, order: object): Promise<Child> {
  const child = fork(join(import.meta.dirname, file), [JSON.stringify(order)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  ended.catch(() => undefined); // `message` gives the rejection to its caller
  const message = async () => (await Promise.race([once(child, 'message'), ended]))[0];
  return {
    pid: child.pid as number,
    ready: await message(),
    ask(question) {
      child.send(question);
      return message();
    },
    stop: () => void child.kill(),
  };
}

/** Accounts that each of these ledgers pays about once. */
export function paidAccounts({ passphrase, metas }: Templates, count: number): string[] {
  const payments = new Map<string, number>();
  for (const meta of metas) {
    for (const { envelope, result } of transactionsIn(passphrase, meta)) {
      if (!outcomeOf(xdr.TransactionResult.fromXdr(result)).successful) continue;
      for (const { body } of innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope)).operations) {
        if (body.type !== 'payment') continue;
        const { account } = addressOf(body.paymentOp.destination);
        payments.set(account, (payments.get(account) ?? 0) + 1);
      }
    }
  }
  const off = (times: number) => Math.abs(times - metas.length);
  const sorted = [...payments].sort(([, a], [, b]) => off(a) - off(b));
  return sorted.slice(0, count).map(([account]) => account);
}

function transactionsIn(passphrase: string, meta: Buffer) {
  const decoded = xdr.LedgerCloseMeta.schema.decode(meta);
  const { ledgerHeader } = decoded.v === 0 ? decoded.v0 : decoded.v === 1 ? decoded.v1 : decoded.v2;
  const sequence = ledgerHeader.header.ledgerSeq;
  return readLedgerCloseMeta({ method: 'bench', passphrase, sequence }, meta).transactions;
}

/** Creates a database with wallets and addresses. The first wallets have the `paid` accounts. */
export async function databaseFor(databases: Databases, size: Size, paid: string[]): Promise<string> {
  const url = await databases.create();
  await migrate(url);
  const accounts = paid.slice(0, size.wallets);
  while (accounts.length < size.wallets) accounts.push(accountOf(randomBytes(32)));
  await run(url, async (client) => {
    await client.query(
      `insert into users (id, email, email_folded, name, password_hash) values ('usr_1', 'a@b.c', 'a@b.c', '', '')`,
    );
    await client.query(
      `insert into wallets (id, owner_id, name, network, account, sealed_seed)
         select 'wal_' || number, 'usr_1', '', 'sandbox', account, ''
         from unnest($1::text[]) with ordinality as given (account, number)`,
      [accounts],
    );
    await client.query(
      `insert into deposit_addresses (id, wallet_id, memo_id)
         select 'adr_' || number, 'wal_1', number from generate_series(1, $1) as number`,
      [size.addresses],
    );
    await client.query('analyze');
  });
  return url;
}

/** Resets the deposit cursor to the ledger before `first`, and deletes all deposits. */
export async function forget(database_url: string, first: number): Promise<void> {
  await run(database_url, async (client) => {
    await client.query('truncate deposits cascade');
    await client.query('delete from deposit_cursor');
    await client.query('insert into deposit_cursor (ledger) values ($1)', [first - 1]);
  });
}

/** Deposits by payments and created accounts through this ledger, in order. */
export async function depositsUntil(database_url: string, through: number): Promise<string[]> {
  const found: string[] = [];
  await run(database_url, async (client) => {
    const { rows } = await client.query(
      `select stellar_tx_hash, operation_index, wallet_id, asset_code, amount_stroops from deposits
         where ledger <= $1 and kind in ('payment', 'create_account') order by 1, 2`,
      [through],
    );
    found.push(...rows.map((row) => Object.values(row).join(' ')));
  });
  return found;
}

async function run(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
