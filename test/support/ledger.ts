/** The ledger as anybody sees it: through the unmodified Stellar SDK, with accounts of the test's own. */
import {
  Account,
  Asset,
  FeeBumpTransaction,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import { eventually } from './eventually.ts';
import { findAccount } from './find-account.ts';

export type Applied = { hash: string; ledger: number; successful: boolean };
export type Paying = { memo?: Memo; source?: Keypair; fee_bump?: Keypair };

export type Ledger = {
  server: Server;
  passphrase: string;
  /** Holds the 100 billion units of the sandbox. */
  root: Keypair;
  /** A new account with friendbot's 10,000 units. */
  fund(): Promise<Keypair>;
  /** Applies the operations in one transaction of `source`; the next of the same source waits for it. */
  apply(source: Keypair, operations: xdr.Operation[], options?: Paying): Promise<Applied>;
  pay(source: Keypair, destination: string, amount_stroops: bigint, options?: Paying): Promise<Applied>;
  account(address: string): Promise<{ balance: bigint; sequence: bigint } | null>;
  transaction(
    hash: string,
  ): Promise<{ status: string; ledger: number; created_at: number; envelope: Transaction }>;
};

export async function openLedger(rpc_url: string): Promise<Ledger> {
  const server = new Server(rpc_url, { allowHttp: true });
  const { passphrase, friendbotUrl } = await server.getNetwork();
  const last = new Map<string, Promise<unknown>>();

  async function submit(source: Keypair, operations: xdr.Operation[], options: Paying): Promise<Applied> {
    const account = await server.getAccount(source.publicKey());
    const builder = new TransactionBuilder(new Account(account.accountId(), account.sequenceNumber()), {
      fee: '1000',
      networkPassphrase: passphrase,
      ...(options.memo && { memo: options.memo }),
    });
    for (const operation of operations) builder.addOperation(operation);
    const inner = builder.setTimeout(0).build();
    inner.sign(source, ...(options.source ? [options.source] : []));
    const sent = options.fee_bump ? feeBump(inner, options.fee_bump, passphrase) : inner;
    const { status, errorResult } = await server.sendTransaction(sent);
    if (status !== 'PENDING') throw new Error(`${status}: ${JSON.stringify(errorResult)}`);
    const hash = Buffer.from(sent.hash()).toString('hex');
    const found = await eventually(`transaction ${hash}`, async () => {
      const answer = await server.getTransaction(hash);
      return answer.status === 'NOT_FOUND' ? null : answer;
    });
    return { hash, ledger: found.ledger, successful: found.status === 'SUCCESS' };
  }

  const apply: Ledger['apply'] = (source, operations, options = {}) => {
    const turn = (last.get(source.publicKey()) ?? Promise.resolve()).then(() =>
      submit(source, operations, options),
    );
    last.set(
      source.publicKey(),
      turn.catch(() => undefined),
    );
    return turn;
  };

  return {
    server,
    passphrase,
    root: Keypair.master(passphrase),
    async fund() {
      const key = Keypair.random();
      const { ok } = await fetch(`${friendbotUrl}?addr=${key.publicKey()}`);
      if (!ok) throw new Error('friendbot refused');
      return key;
    },
    apply,
    pay: (source, destination, amount_stroops, options) =>
      apply(
        source,
        [
          Operation.payment({
            destination,
            asset: Asset.native(),
            amount: toUnits(amount_stroops),
            ...(options?.source && { source: options.source.publicKey() }),
          }),
        ],
        options,
      ),
    async account(address) {
      const entry = await findAccount(server, address);
      return entry && { balance: BigInt(`${entry.balance}`), sequence: BigInt(`${entry.seqNum}`) };
    },
    async transaction(hash) {
      const answer = await server.getTransaction(hash);
      if (answer.status === 'NOT_FOUND') throw new Error(`no transaction ${hash}`);
      const parsed = TransactionBuilder.fromXDR(answer.envelopeXdr.toXdr('base64'), passphrase);
      const envelope = parsed instanceof FeeBumpTransaction ? parsed.innerTransaction : parsed;
      return { status: answer.status, ledger: answer.ledger, created_at: Number(answer.createdAt), envelope };
    },
  };
}

function feeBump(inner: Transaction, payer: Keypair, passphrase: string): FeeBumpTransaction {
  const bumped = TransactionBuilder.buildFeeBumpTransaction(payer, '1000', inner, passphrase);
  bumped.sign(payer);
  return bumped;
}

/** The SDK takes amounts as decimal text. */
export function toUnits(stroops: bigint): string {
  const digits = `${stroops}`.padStart(8, '0');
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

/** Reads an amount that the SDK gives, which is decimal text. Returns it in stroops. */
export function toStroops(units: string): bigint {
  const [whole = '', part = ''] = units.split('.');
  return BigInt(whole + part.padEnd(7, '0'));
}

export const memoId = (id: bigint): Memo => Memo.id(`${id}`);
