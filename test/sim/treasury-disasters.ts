/** What befalls the treasury: it has too little for some time, and what it pays for wallets changes. */
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk/base';
import type { Config } from '../../src/config.ts';
import { toUnits } from '../support/ledger.ts';
import { type DisasterContext, pause } from './disaster-context.ts';

export type TreasuryPays = Config['treasury_pays'];

/** Every value of TREASURY_PAYS. */
export const TREASURY_PAYS: readonly TreasuryPays[] = [
  { fees: true, reserves: true },
  { fees: true, reserves: false },
  { fees: false, reserves: true },
  { fees: false, reserves: false },
];

/** Only where the treasury pays something. */
export const OF_TREASURY = new Set(['treasury_short', 'treasury_pays_anew']);

/** For nothing, for a few fees, for a transfer to a contract, for a reserve or two. */
const LEFT_STROOPS = [0n, 150n, 1_000n, 500_000n, 5_000_100n, 10_000_000n];
/** More than anybody else bids, so that it gets a place in a ledger. */
const FEE = '1000000';
const VALID_SECONDS = 60;
const LOOK_MS = 5_000;

/** Its operator takes out nearly all, and pays it in again later. */
export async function treasury_short(context: DisasterContext): Promise<void> {
  const { network, accounts, foreign, random } = context;
  const { treasury, rival } = accounts;
  const account = treasury.publicKey();
  const taken = network.spendableOf(account) - random.pick(LEFT_STROOPS) - BigInt(FEE);
  if (taken <= 0n) return;
  const max_time = Number(network.latest.close_time) + VALID_SECONDS;
  const out = network.build(treasury, paying(rival.publicKey(), taken), { fee: FEE, max_time });
  const hash = Buffer.from(out.hash()).toString('hex');
  foreign.push(hash);
  network.submit(out);
  await pause(context, 5_000, 90_000);
  const applied = () => network.transactions.find((tx) => tx.hash === hash);
  while (network.latest.close_time <= max_time && !applied())
    await context.scheduler.sleep(context.world, LOOK_MS);
  // It fails when the treasury has paid something in the meantime.
  if (applied()?.successful) await payIn(context, rival, taken);
}

/** Again until it is paid: a network that stands still or has no place drops transactions. */
async function payIn(
  { network, scheduler, world, accounts }: DisasterContext,
  rival: Keypair,
  stroops: bigint,
) {
  const sent = new Set<string>();
  const isPaid = () => network.transactions.some((tx) => tx.successful && sent.has(tx.hash));
  while (!isPaid()) {
    const back = network.build(rival, paying(accounts.treasury.publicKey(), stroops), { fee: FEE });
    sent.add(Buffer.from(back.hash()).toString('hex'));
    network.submit(back);
    await scheduler.sleep(world, LOOK_MS);
  }
}

function paying(destination: string, stroops: bigint) {
  const amount = toUnits(stroops);
  return { operations: [Operation.payment({ destination, asset: Asset.native(), amount })] };
}

/** Changes TREASURY_PAYS. Processes restart one after the other, so that both values are in use for some time. */
export async function treasury_pays_anew(context: DisasterContext): Promise<void> {
  const { fleet, random } = context;
  context.payAnew(random.pick(TREASURY_PAYS));
  for (const process of fleet.running) {
    await process.stop();
    await pause(context, 0, 20_000);
  }
}
