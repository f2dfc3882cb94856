/** Measures the sandbox: ledgers and payments in one process, and submissions with and without HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keypair } from '@stellar/stellar-sdk/base';
import { pino } from 'pino';
import { startSandbox } from '../sandbox/launch.ts';
import type { ClosedLedger } from '../sandbox/ledger/close.ts';
import type { Network } from '../sandbox/network.ts';
import { virtualNetwork } from '../sandbox/virtual-clock.ts';
import { inserts, verifications } from './ceilings.ts';
import { type Figure, machine, rate, table } from './measure.ts';
import { createAccounts, payments, seededAccounts, submit } from './payments.ts';

const ACCOUNTS = 1000;
const EMPTY_LEDGERS = 200;
const HTTP_AT_ONCE = 16;

export async function benchSandbox(rounds: number): Promise<void> {
  const [memoryKeys, diskKeys] = [seededAccounts('memory', ACCOUNTS), seededAccounts('disk', ACCOUNTS)];
  const dir = mkdtempSync(join(tmpdir(), 'teller-bench-'));
  try {
    const verify: Figure = { name: 'ed25519 verifications', rates: [], unit: 'signatures' };
    const insert: Figure = { name: 'bare inserts', rates: [], unit: 'transactions' };
    const both: Figure = { name: 'one of each', rates: [], unit: 'transactions' };
    const memory = figuresFor('memory', verify, verify);
    const disk = figuresFor('disk', verify, both);
    const http: Figure = { name: 'submissions over HTTP', rates: [], unit: 'transactions', ceiling: verify };

    const inMemory = networkWith(memoryKeys, null);
    const onDisk = networkWith(diskKeys, join(dir, 'ledger'));
    for (let round = -1; round < rounds; round++) {
      if (round === 0)
        for (const figure of [verify, insert, both, http, ...memory, ...disk]) figure.rates.length = 0; // warm-up
      const verified = await verifications(memoryKeys);
      const inserted = await inserts(dir, await measureNetwork(inMemory, memoryKeys, memory));
      verify.rates.push(verified);
      insert.rates.push(inserted);
      both.rates.push(1 / (1 / verified + 1 / inserted));
      await measureNetwork(onDisk, diskKeys, disk);
      http.rates.push(await overHttp(seededAccounts(`http ${round}`, ACCOUNTS)));
    }
    onDisk.store.close();
    console.log(`${machine()}; ${rounds} rounds after one to warm up\n`);
    console.log(table([verify, insert, both, ...memory, ...disk, http]));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function networkWith(keys: Keypair[], dir: string | null): Network {
  const { network } = virtualNetwork({ dir });
  createAccounts(network, keys);
  return network;
}

type Figures = [empty: Figure, hundred: Figure, thousand: Figure, submitted: Figure, paid: Figure];

function figuresFor(where: string, submitting: Figure, applying: Figure): Figures {
  const figure = (name: string, unit: string) => ({ name: `${name} (${where})`, rates: [], unit });
  return [
    figure('empty ledgers', 'ledgers'),
    figure('ledgers of 100 payments', 'ledgers'),
    figure('ledgers of 1,000 payments', 'ledgers'),
    { ...figure('Network.submit', 'transactions'), ceiling: submitting },
    { ...figure('payments submitted and applied', 'payments'), ceiling: applying },
  ];
}

/** Measures one round on one network. Returns its ledger of 1,000 payments. */
async function measureNetwork(network: Network, keys: Keypair[], figures: Figures): Promise<ClosedLedger> {
  const [empty, hundred, thousand, submitted, paid] = figures;
  empty.rates.push(
    await rate(EMPTY_LEDGERS, () => {
      for (let ledger = 0; ledger < EMPTY_LEDGERS; ledger++) network.close();
    }),
  );
  hundred.rates.push((await submitAndClose(network, payments(network, keys.slice(0, 100)))).ledgers);
  const {
    ledger,
    ledgers,
    submissions,
    payments: applied,
  } = await submitAndClose(network, payments(network, keys));
  thousand.rates.push(ledgers);
  submitted.rates.push(submissions);
  paid.rates.push(applied);
  return ledger;
}

/** Rates of submissions alone, of the ledger alone, and of payments from submission to a closed ledger. */
async function submitAndClose(network: Network, envelopes: Uint8Array[]) {
  const submissions = await rate(envelopes.length, () => {
    for (const envelope of envelopes) submit(network, envelope);
  });
  const closed: ClosedLedger[] = [];
  const ledgers = await rate(1, () => {
    closed.push(network.close());
  });
  const [ledger] = closed;
  if (
    ledger?.transactions.length !== envelopes.length ||
    !ledger.transactions.every(({ successful }) => successful)
  ) {
    throw new Error('not every payment was applied');
  }
  const seconds = envelopes.length / submissions + 1 / ledgers;
  return { ledger, ledgers, submissions, payments: envelopes.length / seconds };
}

/** `sendTransaction` over HTTP; client and server share one process and its CPU time. */
async function overHttp(keys: Keypair[]): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'teller-bench-'));
  const network = networkWith(keys, dir);
  const waiting = payments(network, keys).map((envelope) => Buffer.from(envelope).toString('base64'));
  network.store.close();
  const sandbox = await startSandbox({ port: 0, dir, close_ms: 0, log: pino({ level: 'silent' }) });
  const result = await rate(keys.length, async () => {
    await Promise.all(Array.from({ length: HTTP_AT_ONCE }, () => sendAll(sandbox.rpc_url, waiting)));
  });
  await sandbox.stop();
  rmSync(dir, { recursive: true, force: true });
  return result;
}

async function sendAll(rpc_url: string, waiting: string[]): Promise<void> {
  for (let transaction = waiting.pop(); transaction !== undefined; transaction = waiting.pop()) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'sendTransaction',
      params: { transaction },
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(rpc_url, { method: 'POST', headers, body });
    const { result } = (await response.json()) as { result?: { status?: string } };
    if (result?.status !== 'PENDING') throw new Error(`the network answered ${result?.status}`);
  }
}
