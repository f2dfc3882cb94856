import type { Account, Transaction } from '@stellar/stellar-sdk/base';
import {
  Asset,
  extractBaseAddress,
  Keypair,
  Memo,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { Api, Server } from '@stellar/stellar-sdk/rpc';
import { systemClock } from './clock.ts';
import { FRIENDBOT_BALANCE_STROOPS } from './friendbot.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';

const FEE_STROOPS = 100n;
const ACCOUNT_RESERVE_STROOPS = 10_000_000n;
const MAX_AMOUNT_STROOPS = FRIENDBOT_BALANCE_STROOPS - ACCOUNT_RESERVE_STROOPS - FEE_STROOPS;
const STROOPS_PER_UNIT = 10_000_000n;

const DEFAULT_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

export type PayOptions = {
  rpc_url: string;
  /** G… or M…. A G… account that does not exist is created with the amount. */
  destination: string;
  memo_id?: bigint;
  amount_stroops: bigint;
  timeout_ms?: number;
};

export type Paid = { hash: string; ledger: number; source_account: string };

/**
 * Pays from a test account of the sandbox, for demonstrations. Each call creates its own payer through friendbot,
 * so any number of calls may run at once without a conflict of sequence numbers.
 * @throws Error with a message for people. Only when the message says that the outcome is unknown may the payment
 * still happen.
 */
export async function payFromTestAccount(options: PayOptions): Promise<Paid> {
  const deadline_ms = systemClock.now().getTime() + (options.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  checkOptions(options);
  const { server, friendbot_url } = await findSandbox(options.rpc_url);
  const payer = Keypair.random();
  await fund(friendbot_url, payer.publicKey(), deadline_ms);
  const source = await server.getAccount(payer.publicKey());
  const exists = await accountExists(server, extractBaseAddress(options.destination));
  return await pay(server, options, { payer, source, exists, deadline_ms });
}

/** @throws Error with a message for people when no node answers, or it is not one of a sandbox */
export async function findSandbox(rpc_url: string): Promise<{ server: Server; friendbot_url: string }> {
  const server = new Server(rpc_url, { allowHttp: true });
  const network = await server.getNetwork().catch((error: unknown) => {
    throw new Error(`No Stellar RPC answers at ${rpc_url}: ${textOf(error)}`);
  });
  if (network.passphrase !== SANDBOX_PASSPHRASE || network.friendbotUrl === undefined) {
    throw new Error(`${rpc_url} is not a sandbox network ("${network.passphrase}"): nothing was paid.`);
  }
  return { server, friendbot_url: network.friendbotUrl };
}

type Payment = { payer: Keypair; source: Account; exists: boolean; deadline_ms: number };

async function pay(server: Server, options: PayOptions, payment: Payment): Promise<Paid> {
  const { payer, source, exists, deadline_ms } = payment;
  const transaction = buildPayment(options, source, exists);
  transaction.sign(payer);
  const { ledger, code } = await submit(server, transaction, deadline_ms);
  const hash = Buffer.from(transaction.hash()).toString('hex');
  if (code === null) return { hash, ledger, source_account: payer.publicKey() };
  // Somebody else has created the account. This attempt is in a ledger as failed, so a second payment is safe.
  if (code.includes('already_exist')) return pay(server, options, { ...payment, exists: true });
  throw new Error(`The payment failed and nothing was paid: ${code}`);
}

function checkOptions({ destination, amount_stroops, memo_id }: PayOptions): void {
  if (!StrKey.isValidEd25519PublicKey(destination) && !StrKey.isValidMed25519PublicKey(destination)) {
    throw new Error(`Not an account address (G… or M…): ${destination}`);
  }
  if (amount_stroops <= 0n) throw new Error('The amount must be above 0 stroops.');
  if (amount_stroops > MAX_AMOUNT_STROOPS) {
    throw new Error(
      `The amount must not be above ${MAX_AMOUNT_STROOPS} stroops, which is what a test account has.`,
    );
  }
  if (memo_id !== undefined && (memo_id < 0n || memo_id >= 1n << 64n)) {
    throw new Error('The memo id must be between 0 and 18446744073709551615.');
  }
}

async function fund(friendbotUrl: string, address: string, deadline_ms: number): Promise<void> {
  const signal = AbortSignal.timeout(Math.max(1, deadline_ms - systemClock.now().getTime()));
  const response = await fetch(`${friendbotUrl}?addr=${address}`, { method: 'POST', signal }).catch(
    (error: unknown) => {
      throw new Error(`Friendbot does not answer: ${textOf(error)}. Nothing was paid.`);
    },
  );
  if (!response.ok) throw new Error(`Friendbot refused: ${await response.text()}`);
}

async function accountExists(server: Server, address: string): Promise<boolean> {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  const key = xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId }));
  const { entries } = await server.getLedgerEntries(key);
  return entries.length > 0;
}

/** An unsigned payment of the native asset, or the creation of a G… account that does not exist. */
export function buildPayment(
  options: Pick<PayOptions, 'destination' | 'memo_id' | 'amount_stroops'>,
  source: Account,
  exists: boolean,
): Transaction {
  const { destination, memo_id, amount_stroops } = options;
  const builder = new TransactionBuilder(source, {
    fee: FEE_STROOPS.toString(),
    networkPassphrase: SANDBOX_PASSPHRASE,
  }).setTimeout(0);
  const amount = unitsOf(amount_stroops);
  if (exists || destination.startsWith('M')) {
    builder.addOperation(Operation.payment({ destination, asset: Asset.native(), amount }));
  } else {
    builder.addOperation(Operation.createAccount({ destination, startingBalance: amount }));
  }
  if (memo_id !== undefined) builder.addMemo(Memo.id(memo_id.toString()));
  return builder.build();
}

/** `25.0000000`. */
export function unitsOf(stroops: bigint): string {
  const fraction = (stroops % STROOPS_PER_UNIT).toString().padStart(7, '0');
  return `${stroops / STROOPS_PER_UNIT}.${fraction}`;
}

type PaymentResult = { ledger: number; code: string | null };
type Sending = { status: 'unsent' | 'unknown' | 'PENDING' | 'DUPLICATE' | 'TRY_AGAIN_LATER' | 'ERROR' };

/** Sends one envelope, the same one again if needed, until a ledger has it. */
async function submit(server: Server, transaction: Transaction, deadline_ms: number): Promise<PaymentResult> {
  const hash = Buffer.from(transaction.hash()).toString('hex');
  const sending: Sending = { status: 'unsent' };
  let obstacle = 'no ledger has it yet';
  while (systemClock.now().getTime() < deadline_ms) {
    try {
      await send(server, transaction, sending);
      const result = await lookUp(server, hash);
      if (result !== null) return result;
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (sending.status === 'unsent') sending.status = 'unknown';
      obstacle = textOf(error);
    }
    await systemClock.sleep(POLL_MS);
  }
  throw new Error(
    `The outcome of transaction ${hash} is unknown (${obstacle}): look it up before paying again.`,
  );
}

async function send(server: Server, transaction: Transaction, sending: Sending): Promise<void> {
  if (sending.status === 'PENDING' || sending.status === 'DUPLICATE') return;
  const answer = await server.sendTransaction(transaction);
  // Only the first answer can refuse. After a lost answer the transaction may already be in a ledger.
  if (answer.status === 'ERROR' && sending.status === 'unsent') throw new Refused(answer.errorResult);
  sending.status = answer.status;
}

async function lookUp(server: Server, hash: string): Promise<PaymentResult | null> {
  const found = await server.getTransaction(hash);
  if (found.status === Api.GetTransactionStatus.NOT_FOUND) return null;
  const success = found.status === Api.GetTransactionStatus.SUCCESS;
  return { ledger: found.ledger, code: success ? null : JSON.stringify(found.resultXdr.toJson()) };
}

class Refused extends Error {
  constructor(result: xdr.TransactionResult | undefined) {
    super(`The network refused the payment, nothing was paid: ${JSON.stringify(result?.toJson())}`);
  }
}

export function textOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return JSON.stringify(error);
}
