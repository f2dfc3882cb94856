/** The program that the service is compared with: a loop over the SDK's getTransactions, one database transaction per deposit. */
import {
  FeeBumpTransaction,
  MuxedAccount,
  type OperationRecord,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import pg from 'pg';
import { newId } from '../src/lib/ids.ts';

const LIMIT = 200;

type Order = { rpc_url: string; passphrase: string; database_url: string; first: number; through: number };

/** Handles payments and created accounts only: the simplest deposit service. */
export async function catchUpPlainly({
  rpc_url,
  passphrase,
  database_url,
  first,
  through,
}: Order): Promise<void> {
  const server = new Server(rpc_url, { allowHttp: true });
  const database = new pg.Client({ connectionString: database_url });
  await database.connect();
  const wallets = await readWallets(database);
  let page = await server.getTransactions({ startLedger: first, pagination: { limit: LIMIT } });
  for (;;) {
    for (const found of page.transactions) {
      if (found.status !== 'SUCCESS' || found.ledger > through) continue;
      for (const deposit of depositsIn(found, passphrase, wallets)) await record(database, deposit);
    }
    if (page.transactions.length < LIMIT || (page.transactions.at(-1)?.ledger ?? 0) > through) break;
    page = await server.getTransactions({ pagination: { limit: LIMIT, cursor: page.cursor } });
  }
  await database.end();
}

async function readWallets(database: pg.Client): Promise<Map<string, string>> {
  const { rows } = await database.query('select id, account from wallets');
  return new Map(rows.map(({ id, account }) => [account, id]));
}

type Found = Awaited<ReturnType<Server['getTransactions']>>['transactions'][number];

function depositsIn(
  { txHash: hash, ledger, envelopeXdr }: Found,
  passphrase: string,
  wallets: Map<string, string>,
): Deposit[] {
  const parsed = TransactionBuilder.fromXDR(envelopeXdr.toXdr('base64'), passphrase);
  const inner = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed;
  return inner.operations.flatMap((operation, operation_index) => {
    const paid = paidBy(operation);
    const wallet_id = paid && wallets.get(paid.account);
    if (!paid || !wallet_id) return [];
    const source = operation.source ?? inner.source;
    return [{ ...paid, wallet_id, hash, ledger, operation_index, source, memo_id: memoIdOf(inner) }];
  });
}

type Paid = { account: string; muxed_id: string | null; amount: string; code: string; issuer: string | null };

function paidBy(operation: OperationRecord): Paid | null {
  if (operation.type === 'payment') {
    const { destination, amount, asset } = operation;
    const code = asset.isNative() ? 'native' : asset.getCode();
    return { ...accountOf(destination), amount, code, issuer: asset.getIssuer() ?? null };
  }
  if (operation.type !== 'createAccount') return null;
  const { destination, startingBalance } = operation;
  return { account: destination, muxed_id: null, amount: startingBalance, code: 'native', issuer: null };
}

function accountOf(address: string): { account: string; muxed_id: string | null } {
  if (!address.startsWith('M')) return { account: address, muxed_id: null };
  const muxed = MuxedAccount.fromAddress(address, '0');
  return { account: muxed.baseAccount().accountId(), muxed_id: muxed.id() };
}

function memoIdOf({ memo }: Transaction): string | null {
  return memo.type === 'id' ? `${memo.value}` : null;
}

type Deposit = Paid & {
  wallet_id: string;
  hash: string;
  ledger: number;
  operation_index: number;
  source: string;
  memo_id: string | null;
};

async function record(database: pg.Client, deposit: Deposit): Promise<void> {
  const { wallet_id, hash, ledger, operation_index } = deposit;
  const memo_id = deposit.muxed_id ?? deposit.memo_id;
  const stroops = BigInt(deposit.amount.replace('.', ''));
  if (stroops === 0n) return;
  await database.query('begin');
  const { rows } = await database.query(
    'select id from deposit_addresses where wallet_id = $1 and memo_id = $2::numeric',
    [wallet_id, memo_id],
  );
  const address_id = rows[0]?.id ?? null;
  await database.query(
    `insert into deposits (id, wallet_id, address_id, asset_code, asset_issuer, amount_stroops, source_account,
       stellar_tx_hash, operation_index, memo_id, ledger, attributed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) on conflict do nothing`,
    [
      newId('dep', new Date()),
      wallet_id,
      address_id,
      deposit.code,
      deposit.issuer,
      stroops,
      deposit.source,
      hash,
      operation_index,
      memo_id,
      ledger,
      address_id !== null,
    ],
  );
  await database.query('update deposit_cursor set ledger = $1', [ledger]);
  await database.query('commit');
}
