/**
 * The comparison for the service, in its own process: payments of one account by a plain loop over the Stellar SDK. It
 * loads the account, builds, signs, sends, and asks for the hash each second. With channels it runs one loop for each,
 * fee-bumped by the wallet. It has no HTTP API and no database, and survives no crash.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { Server } from '@stellar/stellar-sdk/rpc';
import { rootKeypair } from '../sandbox/ledger/genesis.ts';
import { SANDBOX_PASSPHRASE as networkPassphrase } from '../sandbox/passphrase.ts';
import { nextLedger, type Outcome, type Round } from './withdrawals-load.ts';

export type SdkOrder = { rpc_url: string; direct_rpc_url: string; channels: number };
export type SdkRound = Round & { cpu_ms: number; peak_mib: number; longest_block_ms: number };

const POLL_MS = 1000;
const VALID_SECONDS = 90;
const RESEND_AFTER_POLLS = 10;
const FEE = '100';
const CREATIONS_AT_ONCE = 100;

const { rpc_url, direct_rpc_url, channels } = JSON.parse(process.argv[2] ?? '{}') as SdkOrder;
const server = new Server(rpc_url, { allowHttp: true });
const root = rootKeypair(networkPassphrase);
const wallet = Keypair.random();
const tx_sources = channels === 0 ? [wallet] : Array.from({ length: channels }, () => Keypair.random());

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
await createAccounts([wallet, ...tx_sources.filter((tx_source) => tx_source !== wallet)]);
async function respond(count: number): Promise<void> {
  process.send?.(await round(count));
}
process.on('message', (count: number) => void respond(count)); // a failure ends the process and the benchmark
process.send?.('ready');

async function round(count: number): Promise<SdkRound> {
  const from_ledger = await nextLedger(direct_rpc_url);
  const before = process.cpuUsage();
  delay.reset();
  const began = performance.now();
  const outcomes: Outcome[] = [];
  const refusals = new Map<string, number>();
  let left = count;
  const work = async (tx_source: Keypair) => {
    while (left-- > 0) {
      const ledger = await pay(tx_source);
      outcomes.push({ ledger, seconds: (performance.now() - began) / 1000 });
      if (ledger === null) refusals.set('given up', (refusals.get('given up') ?? 0) + 1);
    }
  };
  await Promise.all(tx_sources.map(work));
  const { user, system } = process.cpuUsage(before);
  return {
    from_ledger,
    outcomes,
    refusals,
    cpu_ms: (user + system) / 1000,
    peak_mib: process.resourceUsage().maxRSS / 1024,
    longest_block_ms: delay.max / 1e6,
  };
}

/** The ledger of the payment; null when it can no longer get into a ledger. */
async function pay(tx_source: Keypair): Promise<number | null> {
  const source = await server.getAccount(tx_source.publicKey());
  const payment = Operation.payment({
    source: wallet.publicKey(),
    destination: root.publicKey(),
    asset: Asset.native(),
    amount: '0.0001',
  });
  const inner = new TransactionBuilder(source, { fee: FEE, networkPassphrase })
    .addOperation(payment)
    .setTimeout(VALID_SECONDS)
    .build();
  inner.sign(...new Set([wallet, tx_source]));
  const envelope = tx_source === wallet ? inner : feeBump(inner);
  const hash = Buffer.from(envelope.hash()).toString('hex');
  for (const end = performance.now() + VALID_SECONDS * 1000; performance.now() < end; ) {
    await server.sendTransaction(envelope); // the answer is ignored: only the ledger decides
    for (let polls = 0; polls < RESEND_AFTER_POLLS; polls++) {
      await setTimeout(POLL_MS);
      const found = await server.getTransaction(hash);
      if (found.status !== 'NOT_FOUND') return found.status === 'SUCCESS' ? found.ledger : null;
    }
  }
  return null;
}

function feeBump(inner: ReturnType<TransactionBuilder['build']>) {
  const bumped = TransactionBuilder.buildFeeBumpTransaction(wallet, FEE, inner, networkPassphrase);
  bumped.sign(wallet);
  return bumped;
}

async function createAccounts(keys: Keypair[]): Promise<void> {
  for (let at = 0; at < keys.length; at += CREATIONS_AT_ONCE) {
    const builder = new TransactionBuilder(await server.getAccount(root.publicKey()), {
      fee: FEE,
      networkPassphrase,
    });
    for (const key of keys.slice(at, at + CREATIONS_AT_ONCE)) {
      const startingBalance = key === wallet ? '10000' : '10';
      builder.addOperation(Operation.createAccount({ destination: key.publicKey(), startingBalance }));
    }
    const creation = builder.setTimeout(VALID_SECONDS).build();
    creation.sign(root);
    const { hash } = await server.sendTransaction(creation);
    const { status } = await server.pollTransaction(hash, { attempts: 60, sleepStrategy: () => 500 });
    if (status !== 'SUCCESS') throw new Error(`the accounts were not created: ${status}`);
  }
}
