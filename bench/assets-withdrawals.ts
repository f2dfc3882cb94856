/** One wallet withdraws a test asset of the sandbox, and the native one, to the same account. */
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { Server } from '@stellar/stellar-sdk/rpc';
import { SANDBOX_PASSPHRASE } from '../sandbox/passphrase.ts';
import { testAssets } from '../sandbox/test-assets.ts';
import type { AssetsOptions, Pair } from './assets-options.ts';
import { cpuMs } from './process-usage.ts';
import { withdrawAtOnce } from './withdrawals-load.ts';
import {
  type BenchNetwork,
  type BenchService,
  startBenchService,
  startDatabases,
  startNetwork,
} from './withdrawals-world.ts';

type Issued = { asset_code: string; asset_issuer: string };
/** `requests`: to the network, for each withdrawal, like `cpu_ms`. */
export type PaidRound = { per_second: number; ledgers: number; cpu_ms: number; requests: number };

const BALANCE = '100000';

export async function benchAssetWithdrawals(options: AssetsOptions): Promise<Pair<PaidRound>> {
  const { channels, close_ms, operations, rounds } = options;
  const databases = await startDatabases();
  const network = await startNetwork({ close_ms, max_operations: operations });
  try {
    const database_url = await databases.create();
    const bench = await startBenchService({
      database_url,
      rpc_url: network.rpc_url,
      channels,
      channel_fees: 'wallet',
    });
    try {
      const asset = await holdAsset(network, bench);
      const destination = await takerOf(network, asset);
      const pair: Pair<PaidRound> = { native: [], issued: [] };
      for (let number = 0; number <= rounds; number++) {
        // The asset that is first alternates too.
        const sides = number % 2 === 0 ? (['native', 'issued'] as const) : (['issued', 'native'] as const);
        for (const side of sides) {
          const order = { destination, ...(side === 'issued' && { asset }) };
          const round = await measure(network, bench, order, options.withdrawals);
          console.error(`${number === 0 ? 'warm-up' : `round ${number}`}, ${side}: ${round.ledgers} ledgers`);
          if (number > 0) pair[side].push(round);
        }
      }
      return pair;
    } finally {
      await bench.stop();
    }
  } finally {
    await network.stop();
    await databases.stop();
  }
}

/** @throws Error when a withdrawal is not confirmed: what failed would look fast */
async function measure(
  { rpc_url }: BenchNetwork,
  { service, requests, token, wallet_id }: BenchService,
  order: { destination: string; asset?: Issued },
  count: number,
): Promise<PaidRound> {
  requests.take();
  const before_ms = cpuMs(service.pid);
  const target = { url: service.url, rpc_url, token, wallet_id, count };
  const { from_ledger, outcomes, refusals } = await withdrawAtOnce({ ...target, ...order });
  if (refusals.size > 0) throw new Error(`not confirmed: ${JSON.stringify([...refusals])}`);
  const asked = [...requests.take().values()].reduce((sum, times) => sum + times, 0);
  return {
    requests: asked / count,
    per_second: count / Math.max(...outcomes.map(({ seconds }) => seconds)),
    ledgers: Math.max(...outcomes.map(({ ledger }) => (ledger ?? 0) - from_ledger)),
    cpu_ms: (cpuMs(service.pid) - before_ms) / count,
  };
}

/** The wallet gets the trust line, and the asset from its issuer. */
async function holdAsset({ rpc_url }: BenchNetwork, bench: BenchService): Promise<Issued> {
  const { service, token, wallet_id } = bench;
  const [first] = testAssets(SANDBOX_PASSPHRASE);
  if (!first) throw new Error('the sandbox has no test asset');
  const { asset_code, asset_issuer } = first;
  // The issuer has no account before it is first used.
  await payAsset(rpc_url, asset_code, await takerOf({ rpc_url }, first));
  const body = { asset_code, asset_issuer };
  const made = await service.api('POST', `/v1/wallets/${wallet_id}/assets`, { token, body });
  if (made.status !== 201) throw new Error(`no trust line: ${made.text}`);
  const wallet = await service.api('GET', `/v1/wallets/${wallet_id}`, { token });
  await payAsset(rpc_url, asset_code, wallet.body.data.account);
  return body;
}

async function payAsset(rpc_url: string, asset: string, destination: string): Promise<void> {
  const response = await fetch(new URL('/test-assets/pay', rpc_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ asset, destination, amount: BALANCE }),
  });
  if (!response.ok) throw new Error(`the issuer did not pay: ${await response.text()}`);
}

/** A new account with a trust line. */
async function takerOf(
  { rpc_url }: Pick<BenchNetwork, 'rpc_url'>,
  { asset_code, asset_issuer }: Issued,
): Promise<string> {
  const key = Keypair.random();
  const server = new Server(rpc_url, { allowHttp: true });
  await server.requestAirdrop(key.publicKey());
  const source = await server.getAccount(key.publicKey());
  const transaction = new TransactionBuilder(source, { fee: '1000', networkPassphrase: SANDBOX_PASSPHRASE })
    .addOperation(Operation.changeTrust({ asset: new Asset(asset_code, asset_issuer) }))
    .setTimeout(60)
    .build();
  transaction.sign(key);
  const { hash } = await server.sendTransaction(transaction);
  const { status } = await server.pollTransaction(hash, { attempts: 60 });
  if (status !== 'SUCCESS') throw new Error(`no trust line of the receiver: ${status}`);
  return key.publicKey();
}
