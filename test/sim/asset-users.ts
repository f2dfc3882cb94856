/** People who add an issued asset to a wallet and remove it again, now and then twice at once. */
import type { AssetFields } from '../../src/stellar/asset.ts';
import { addAsset, removeAsset } from '../../src/withdrawals/trust-lines/change-asset.ts';
import type { SimulatedWallet } from './accounts.ts';
import { type Desk, refusalOf } from './clients.ts';
import type { SimProcess } from './process.ts';

type Wish = { wallet: SimulatedWallet; add: boolean };

/** One change after another, until the desk closes. */
export async function changeAssets(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    const wish = { wallet: random.pick(desk.accounts.wallets), add: random.chance(0.6) };
    const wishes = random.chance(0.3) ? [wish, { ...wish, add: random.chance(0.7) === wish.add }] : [wish];
    await Promise.all(wishes.map((each) => ask(desk, each)));
  }
}

async function ask(desk: Desk, { wallet, add }: Wish): Promise<void> {
  const process = desk.process();
  if (!process) return;
  const { history } = desk.scheduler;
  const [code = '', issuer = ''] = desk.accounts.spare.toString().split(':');
  const what = `${add ? 'add' : 'remove'} ${code} of ${wallet.id}`;
  history.record(process.name, `is asked to ${what}`);
  const asked = change(process, { wallet, add }, { asset_code: code, asset_issuer: issuer })
    .then(() => 'done')
    .catch((error) => {
      const { status, code: why } = refusalOf(error);
      if (status === 500) desk.asset_errors.push(`${what}: ${why}`);
      return `${status} ${why}`;
    });
  const answer = await Promise.race([asked, process.died.then(() => null)]);
  history.record(process.name, `answers to ${what}: ${answer}`);
}

/** As the routes do it. */
async function change(
  process: SimProcess,
  { wallet: { id, owner }, add }: Wish,
  asset: AssetFields & { asset_issuer: string },
): Promise<void> {
  const wallet = await process.requireWallet({ kind: 'login', user: owner, session_id: '' }, id);
  if (add) await addAsset(process.deps, process, wallet, asset);
  else await removeAsset(process.deps, process, wallet, asset);
}
