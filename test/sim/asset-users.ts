/** People who add issued assets to wallets and remove them again, now and then twice at once. */

import type { Asset } from '@stellar/stellar-sdk/base';
import type { AssetFields } from '../../src/stellar/asset.ts';
import { addAsset, removeAsset } from '../../src/withdrawals/trust-lines/change-asset.ts';
import type { AssetCall } from '../oracle/evidence.ts';
import { on } from '../support/acting.ts';
import { loginOf, type SimulatedWallet } from './accounts.ts';
import { refusalOf } from './clients.ts';
import type { Desk } from './desk.ts';
import type { SimProcess } from './process.ts';

export type AssetWish = { wallet: SimulatedWallet; asset: Asset; wish: AssetCall['wish'] };

/** One change after another, until the desk closes. */
export async function changeAssets(desk: Desk, pause_ms: number): Promise<void> {
  const { random, scheduler, world } = desk;
  while (!desk.closing) {
    await scheduler.sleep(world, random.integer(0, pause_ms));
    const wish = newWish(desk);
    const second = { ...wish, wish: random.chance(0.7) ? wish.wish : opposite(wish.wish) };
    await Promise.all((random.chance(0.3) ? [wish, second] : [wish]).map((each) => askForAsset(desk, each)));
  }
}

/** Mostly of the asset that wallets are rarely paid: others cannot be removed while the wallet has some. */
function newWish({ random, accounts, lineOf }: Desk): AssetWish {
  const empty = accounts.wallets.flatMap((wallet) =>
    accounts.issues.flatMap(({ asset }) =>
      lineOf(wallet.account, asset)?.balance_stroops === 0n
        ? [{ wallet, asset, wish: 'remove' as const }]
        : [],
    ),
  );
  if (empty.length > 0 && random.chance(0.4)) return random.pick(empty);
  const { asset } = random.chance(0.5) ? accounts.spare : random.pick(accounts.issues);
  const wallet = random.pick(accounts.wallets);
  const wish = lineOf(wallet.account, asset) ? 'remove' : 'add';
  return { wallet, asset, wish: random.chance(0.75) ? wish : opposite(wish) };
}

function opposite(wish: AssetCall['wish']): AssetCall['wish'] {
  return wish === 'add' ? 'remove' : 'add';
}

export async function askForAsset(desk: Desk, wished: AssetWish): Promise<AssetCall['answer']> {
  const process = desk.process();
  if (!process) return null;
  const { history } = desk.scheduler;
  const { wallet, asset, wish } = wished;
  const { id: wallet_id, account } = wallet;
  const call: AssetCall = { wallet_id, account, asset: asset.toString(), wish, answer: null };
  desk.asset_calls.push(call);
  const what = `${wish} ${asset.getCode()} of ${wallet.id}`;
  history.record(process.name, `is asked to ${what}`);
  const asked = change(process, wished).catch((error) => ({ ...refusalOf(error), made: false }));
  call.answer = await Promise.race([asked, process.died.then(() => null)]);
  history.record(process.name, `answers to ${what}: ${call.answer?.status} ${call.answer?.code}`);
  return call.answer;
}

/** As the routes do it. */
async function change(process: SimProcess, { wallet: { id, owner }, asset, wish }: AssetWish) {
  const wallet = await process.requireWallet(loginOf(owner), id);
  const fields = fieldsOf(asset);
  if (wish === 'remove') {
    await removeAsset(process.deps, process, on(wallet), fields);
    return { status: 200, code: 'removed', made: false };
  }
  const { made } = await addAsset(process.deps, process, on(wallet), fields);
  return { status: made ? 201 : 200, code: 'added', made };
}

function fieldsOf(asset: Asset): AssetFields & { asset_issuer: string } {
  return { asset_code: asset.getCode(), asset_issuer: asset.getIssuer() ?? '' };
}
