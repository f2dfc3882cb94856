/** Issued assets under load: their issuer, and trust lines that wallets get over HTTP, now and then twice at once. */
import { Asset, type Keypair, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk/base';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import type { AssetCall } from '../oracle/evidence.ts';
import type { Random } from '../support/random.ts';
import type { UnreliableService } from './killable-service.ts';
import type { CrashAssets, LoadState, Place } from './load-state.ts';
import { newAccount, PASSPHRASE, serverOf, untilApplied } from './payers.ts';
import { ask, pause, persist } from './persistent-client.ts';

const CONTRACTS = 2;

/** `sink` takes the asset that wallets pay. */
export async function makeAssets(service: UnreliableService, sink: Keypair): Promise<CrashAssets> {
  const issuer = await newAccount(service);
  const [held, spare] = [new Asset('USDC', issuer.publicKey()), new Asset('EURCRASH', issuer.publicKey())];
  await apply(service, sink, [Operation.changeTrust({ asset: held })]);
  const deployed = await Promise.all(
    Array.from({ length: CONTRACTS }, () => persist(service, () => deployTestContract(service.rpc_url))),
  );
  return { issuer, held, spare, contracts: deployed.map(({ contract }) => contract) };
}

async function apply(service: UnreliableService, key: Keypair, operations: xdr.Operation[]): Promise<void> {
  const source = await persist(service, () => serverOf(service).getAccount(key.publicKey()));
  const builder = new TransactionBuilder(source, { fee: '1000', networkPassphrase: PASSPHRASE });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(key);
  await untilApplied(service, transaction);
}

/** Twice at once: it is one trust line. Resolves when the wallet has it. */
export async function addAssets(state: LoadState, wallet: Place, { held }: CrashAssets): Promise<void> {
  await Promise.all([untilChanged(state, wallet, held, 'add'), untilChanged(state, wallet, held, 'add')]);
}

/** Adds and removes the asset, one after the other, until the load ends; now and then both at once. */
export async function changeAssetOnAndOn(
  state: LoadState,
  wallet: Place,
  { asset, random }: { asset: Asset; random: Random },
): Promise<void> {
  for (let wish: AssetCall['wish'] = 'add'; !state.stopping(); wish = wish === 'add' ? 'remove' : 'add') {
    const second = random.chance(0.3) ? [change(state, wallet, asset, random.pick(['add', 'remove']))] : [];
    await Promise.all([untilChanged(state, wallet, asset, wish), ...second]);
  }
}

/** Asks until it is so, or the load ends: what is refused because another change is under way is asked for again. */
async function untilChanged(
  state: LoadState,
  wallet: Place,
  asset: Asset,
  wish: AssetCall['wish'],
): Promise<void> {
  while (!state.stopping()) {
    const { status, code } = await change(state, wallet, asset, wish);
    if (status < 300 || (wish === 'remove' && code === 'not_found')) return;
    for (let i = 0; i < 5; i++) await pause();
  }
}

/** Answers that a careful client expects; others are noted. */
const EXPECTED = new Set([
  'outcome_pending',
  'asset_in_use',
  'asset_change_failed',
  'wallet_unfunded',
  'not_found',
]);

async function change(
  { service, journal }: LoadState,
  { id: wallet_id, account }: Place,
  asset: Asset,
  wish: AssetCall['wish'],
): Promise<{ status: number; code: string }> {
  const { token } = journal;
  const path = `/v1/wallets/${wallet_id}/assets`;
  const body = { asset_code: asset.getCode(), asset_issuer: asset.getIssuer() };
  const answer =
    wish === 'add'
      ? await ask(service, 'POST', path, { token, body })
      : await ask(service, 'DELETE', `${path}/${asset}`, { token });
  const { status } = answer;
  const code: string = answer.body?.error?.code ?? 'done';
  journal.asset_calls.push({
    wallet_id,
    account,
    asset: `${asset}`,
    wish,
    answer: { status, code, made: status === 201 },
  });
  if (status >= 300 && !EXPECTED.has(code))
    journal.unexpected.push(`${wish} ${asset}: ${status} ${answer.text}`);
  return { status, code };
}
