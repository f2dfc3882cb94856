/** Strangers who pay into the wallets, with the unmodified Stellar SDK. What they paid is read from the ledger. */
import {
  Asset,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import { toUnits } from '../support/ledger.ts';
import type { Random } from '../support/random.ts';
import type { UnreliableService } from './killable-service.ts';
import { persist } from './persistent-client.ts';

export type Target = { address: string; account: string; memo_id: bigint };

export const PASSPHRASE = 'Standalone Network ; February 2017';

export function serverOf(service: UnreliableService): Server {
  return new Server(service.rpc_url, { allowHttp: true });
}

/** A funded account. */
export async function newAccount(service: UnreliableService): Promise<Keypair> {
  const key = Keypair.random();
  await ensureFunded(service, key.publicKey());
  return key;
}

export async function ensureFunded(service: UnreliableService, account: string): Promise<void> {
  const server = serverOf(service);
  await persist(service, async () => {
    await fetch(`${service.friendbot_url}?addr=${account}`);
    return server.getAccountEntry(account);
  });
}

export type PayingPlan = {
  targets: Target[];
  stopping: () => boolean;
  applied: string[];
  /** A new account when absent. */
  payer?: Keypair;
  /** The native asset when absent. */
  asset?: Asset;
};

/**
 * Pays one random target after the other until stopped; gives the hashes of what was applied. The same envelope is sent
 * until a ledger has it: the queue of the sandbox dies with it.
 */
export async function payOnAndOn(
  service: UnreliableService,
  random: Random,
  plan: PayingPlan,
): Promise<void> {
  const payer = plan.payer ?? (await newAccount(service));
  const server = serverOf(service);
  while (!plan.stopping()) {
    if (plan.targets.length === 0) {
      await persist(service, async () => plan.targets[0] ?? (plan.stopping() || undefined));
      continue;
    }
    const transaction = await persist(service, () => build(server, payer, random, plan));
    plan.applied.push(await untilApplied(service, transaction));
  }
}

/** Gives its hash. */
export async function untilApplied(service: UnreliableService, transaction: Transaction): Promise<string> {
  const server = serverOf(service);
  const hash = Buffer.from(transaction.hash()).toString('hex');
  await persist(service, async () => {
    const found = await server.getTransaction(hash);
    if (found.status !== 'NOT_FOUND') return found;
    await server.sendTransaction(transaction); // DUPLICATE, or lost with the last kill
    return undefined;
  });
  return hash;
}

/** To an address as M…, or as G… with its memo id; sometimes to nobody's id, sometimes two at once. */
async function build(
  server: Server,
  payer: Keypair,
  random: Random,
  { targets, asset = Asset.native() }: PayingPlan,
): Promise<Transaction> {
  const source = await server.getAccount(payer.publicKey());
  const builder = new TransactionBuilder(source, { fee: '1000', networkPassphrase: PASSPHRASE });
  const target = random.pick(targets);
  const way = random.pick(['muxed', 'muxed', 'memo', 'memo', 'stranger', 'none'] as const);
  const destination = way === 'muxed' ? target.address : target.account;
  for (let count = random.chance(0.15) ? 2 : 1; count > 0; count--) {
    const amount = toUnits(BigInt(random.integer(1, asset.isNative() ? 5_000_000 : 200_000_000)));
    builder.addOperation(Operation.payment({ destination, asset, amount }));
  }
  if (way === 'memo') builder.addMemo(Memo.id(`${target.memo_id}`));
  if (way === 'stranger') builder.addMemo(Memo.id(`${2n ** 63n + BigInt(random.integer(0, 1_000_000))}`));
  const transaction = builder.setTimeout(0).build();
  transaction.sign(payer);
  return transaction;
}
