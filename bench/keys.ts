/**
 * What a signature costs with a key provider, beside the master key alone: rounds of 200 signatures of as many wallets, as the
 * service signs them, through the vault with its data keys. SoftHSM is measured where the machine has it, and pkcs11js.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { systemClock } from '../src/lib/clock.ts';
import { createKeys } from '../src/vault/keys.ts';
import { openAwsKms } from '../src/vault/providers/aws-kms.ts';
import { createDataKeys, type DataKeys } from '../src/vault/providers/data-keys.ts';
import type { KeyProvider } from '../src/vault/providers/key-provider.ts';
import { openPkcs11 } from '../src/vault/providers/pkcs11.ts';
import { watchProvider } from '../src/vault/providers/watched-provider.ts';
import type { OwnedSeed, Vault } from '../src/vault/vault.ts';
import { makeSoftHsm, whyNoSoftHsm } from '../test/support/softhsm.ts';
import { machine, markdown, median } from './measure.ts';

const WALLETS = 200;
const MASTER_KEY = randomBytes(32);
const HASH = randomBytes(32);

type Case = { name: string; vault: Vault; seeds: OwnedSeed[]; close(): Promise<void> };
type Measured = { batch_ms: number; one_ms: number };

/** Prints medians over the rounds, and how many times as long as the master key alone each takes. */
export async function benchKeys({ rounds }: { rounds: number }): Promise<void> {
  const kms = await startKms();
  process.env.AWS_ACCESS_KEY_ID = 'AKIATEST';
  process.env.AWS_SECRET_ACCESS_KEY = 'secret';
  const byKms = (delay_ms: number, cache_seconds = 0) =>
    caseOf(
      `AWS KMS, ${delay_ms} ms away${cache_seconds > 0 ? ', cached' : ''}`,
      openAwsKms(
        { key_id: kms.key_id, region: 'eu-central-1', endpoint: new URL(kms.urls[delay_ms] as string) },
        systemClock,
      ),
      cache_seconds,
    );
  const cases: Case[] = [
    await caseOf('the master key alone', null),
    await byKms(0),
    await byKms(5),
    await byKms(5, 3_600),
  ];
  const missing = whyNoSoftHsm();
  if (missing) console.log(`Without PKCS#11: ${missing}.`);
  else cases.push(await caseOf('PKCS#11 by SoftHSM', openPkcs11(makeSoftHsm())));
  const measured = cases.map((): Measured[] => []);
  for (let round = -1; round < rounds; round++)
    for (const [index, each] of cases.entries()) {
      const figures = await measure(each);
      if (round >= 0) measured[index]?.push(figures); // the first one warms up
    }
  for (const { close } of cases) await close();
  kms.stop();
  print(cases, measured);
}

async function measure({ vault, seeds }: Case): Promise<Measured> {
  const sign = (some: OwnedSeed[]) =>
    vault.withSigner(some, async (signer) => {
      for (const { sealed_seed, owner } of some) signer.signWith(sealed_seed, owner, HASH);
    });
  const timed = async (work: () => Promise<void>) => {
    const began_ms = performance.now();
    await work();
    return performance.now() - began_ms;
  };
  const batch_ms = await timed(() => sign(seeds));
  const singles: number[] = [];
  for (const seed of seeds.slice(0, 20)) singles.push(await timed(() => sign([seed])));
  return { batch_ms, one_ms: median(singles) };
}

async function caseOf(name: string, provider: KeyProvider | null, cache_seconds = 0): Promise<Case> {
  const data_keys = provider && dataKeysOf(provider, cache_seconds);
  const { vault, key_ring } = createKeys([MASTER_KEY], data_keys);
  if (data_keys) {
    const known = await data_keys.provider.makeKnownAnswer();
    data_keys.provider.expect(known);
    const { check: key_check } = key_ring.sealing();
    key_ring.sealWith({ key_check, provider_check: known.key_check });
  }
  const seeds = await Promise.all(
    Array.from({ length: WALLETS }, async (_, index) => {
      const id = `wal_${index}`;
      const { public_key, sealed_seed } = await vault.generate(id);
      return { sealed_seed, owner: { id, public_key } };
    }),
  );
  return { name, vault, seeds, close: async () => data_keys?.close() };
}

function dataKeysOf(provider: KeyProvider, cache_seconds: number): DataKeys {
  const nothing = () => undefined;
  const watched = watchProvider(provider, { clock: systemClock, onCall: nothing, onChange: nothing });
  return createDataKeys(watched, { clock: systemClock, cache_seconds });
}

/** In a process of its own: its work is not that of the service. `urls`: by the milliseconds that it waits. */
async function startKms(): Promise<{ key_id: string; urls: Record<number, string>; stop(): void }> {
  const program = join(import.meta.dirname, 'keys-kms.ts');
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { ...JSON.parse(line.toString()), stop: () => child.stdin.end() };
}

function print(cases: Case[], measured: Measured[][]): void {
  const medians = measured.map((each) => ({
    batch_ms: median(each.map(({ batch_ms }) => batch_ms)),
    one_ms: median(each.map(({ one_ms }) => one_ms)),
  }));
  const [alone] = medians as [Measured];
  const rows = medians.map(({ batch_ms, one_ms }, index) => [
    cases[index]?.name ?? '',
    `${(batch_ms / WALLETS).toFixed(3)} ms`,
    `${(batch_ms / alone.batch_ms).toFixed(1)} ×`,
    `${one_ms.toFixed(2)} ms`,
  ]);
  console.log(`${machine()}\n`);
  console.log(
    markdown(['sealed with', `one of ${WALLETS} signatures at once`, 'of the first row', 'one alone'], rows),
  );
}
