import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Asset, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { closingClock, payFromElsewhere } from '../../../test/support/channels.ts';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import type { Deps } from '../../deps.ts';
import { countChannels, listChannels } from './channel-store.ts';
import { createChannels, mergeChannels, retireChannels } from './channels.ts';
import { chooseTreasury } from './treasury.ts';

let world: InProcessService;
let deps: Deps;
const dir = mkdtempSync(join(tmpdir(), 'teller-treasury-'));
const working = { report: () => undefined, signal: new AbortController().signal };

before(async () => {
  world = await startInProcess();
  deps = { ...world.deps, clock: closingClock(world.sandbox) };
});
after(async () => {
  rmSync(dir, { recursive: true });
  await world.close();
});

const configured = (config: Partial<Deps['config']>, other: Deps = deps): Deps => ({
  ...other,
  config: { ...other.config, ...config },
});

/** A process with this key in TREASURY_SEED_FILE. */
function owning(key: Keypair, config: Partial<Deps['config']> = {}): Deps {
  const treasury_seed_file = join(dir, key.publicKey());
  writeFileSync(treasury_seed_file, `${key.secret()}\n`);
  return configured({ ...config, treasury_seed_file });
}

const fund = (account: string) => closingLedgers(world.sandbox, deps.stellar.fund(account));

async function channelsOf(sponsor: string): Promise<number> {
  return (await listChannels(deps.db)).filter((channel) => channel.sponsor === sponsor).length;
}

test('on the public network nobody pays without TREASURY_SEED_FILE, and no key is made', async () => {
  const publicly = configured({ network: 'public' });
  await assert.rejects(createChannels(publicly, 1, working), /TREASURY_SEED_FILE/);
  assert.equal((await countChannels(deps.db)).creating, 0);
});

test('on a test network without one, a treasury is made once, however many ask at once, and friendbot funds it', async () => {
  const chosen = await Promise.all([
    chooseTreasury(deps),
    chooseTreasury(world.another()),
    chooseTreasury(deps),
  ]);
  assert.equal(new Set(chosen).size, 1);
  await closingLedgers(world.sandbox, createChannels(world.deps, 1, working));
  assert.equal(await channelsOf(chosen[0] ?? ''), 1);
});

test('the operator’s account pays once its seed is in the file; after that the file is not needed', async () => {
  const key = Keypair.random();
  await fund(key.publicKey());
  await createChannels(owning(key, { network: 'public' }), 2, working);
  assert.equal(await channelsOf(key.publicKey()), 2);
  await createChannels(configured({ network: 'public' }), 1, working);
  assert.equal(await channelsOf(key.publicKey()), 3);
});

test('a file without a seed is named by its variable, and nothing of it is shown', async () => {
  const file = join(dir, 'wrong');
  writeFileSync(file, 'SECRETCONTENT\n');
  const error = await chooseTreasury(configured({ treasury_seed_file: file })).catch((thrown) => thrown);
  assert.match(error.message, /^TREASURY_SEED_FILE: /);
  assert.doesNotMatch(error.message, /SECRETCONTENT/);
});

test('for a treasury that is not on the public network, or too poor, the message says what is missing, and no key is made', async () => {
  const key = Keypair.random();
  const poor = owning(key, { network: 'public' });
  await assert.rejects(
    createChannels(poor, 3, working),
    new RegExp(`${key.publicKey()} is not on the network`),
  );
  const { active } = await countChannels(deps.db);

  await pay(key.publicKey(), 25_000_000n);
  const message = await createChannels(poor, 3, working).catch(({ message }) => message);
  // The treasury has 2.5, of which 1 is its own reserve; it needs 3 × 2 × 0.5 and 9 operations at 100 stroops.
  assert.match(message, /can spend 1\.5, and it needs 3 of reserve \(2 × 0\.5 .*\) and 0\.00009 of fees/);
  assert.match(message, /Send it at least 1.50009.$/);
  assert.equal((await countChannels(deps.db)).creating, 0);

  await pay(key.publicKey(), 15_000_900n);
  await createChannels(poor, 3, working);
  assert.equal((await countChannels(deps.db)).active, active + 3);
  assert.equal((await stateOf(key.publicKey())).spendable_stroops, 0n);
  await retireChannels(deps, 'all');
  await assert.rejects(mergeChannels(deps, working), /it needs 0\.00003 of fees\. Send it at least 0\.00003/);
  await pay(key.publicKey(), 300n);
});

test('a treasury whose key is used elsewhere at the same time: the sequence number is lost, and the channels are made', async () => {
  const key = Keypair.random();
  await fund(key.publicKey());
  const mine = owning(key);
  const rival: Deps = {
    ...mine,
    stellar: {
      ...mine.stellar,
      // Another transaction uses the sequence number before our first envelope arrives.
      submit: async (envelope_xdr) => {
        if ((await stateOf(key.publicKey())).sequence % 2n ** 32n === 0n) {
          await sendPayment(world, key, { destination: key.publicKey(), amount: '1' });
          world.sandbox.closeLedger();
        }
        return deps.stellar.submit(envelope_xdr);
      },
    },
  };
  const reports: string[] = [];
  await createChannels(rival, 2, { ...working, report: (text) => reports.push(text) });
  assert.match(
    reports.join(),
    /does not take the transaction at present: tx_bad_seq.*did not get into a ledger/,
  );
  assert.equal(await channelsOf(key.publicKey()), 2);
});

test('a transaction that the ledger has and that failed is not repeated by itself', async () => {
  const key = Keypair.random();
  await fund(key.publicKey());
  const mine = owning(key);
  const spent: Deps = {
    ...mine,
    stellar: {
      ...mine.stellar,
      // The treasury pays everything away after its balance was read and before our envelope is sent.
      submit: async (envelope_xdr) => {
        await drain(key);
        return deps.stellar.submit(envelope_xdr);
      },
    },
  };
  await assert.rejects(createChannels(spent, 1, working), /failed: op_low_reserve/);
  assert.equal((await countChannels(deps.db)).creating, 1);
  await pay(key.publicKey(), 1_000_000_000n);
  await createChannels(mine, 1, working);
  assert.equal((await countChannels(deps.db)).creating, 0);
});

test('a treasury whose signature does not suffice any more: the run ends with the network’s own word', async () => {
  const key = Keypair.random();
  await fund(key.publicKey());
  const transaction = new TransactionBuilder(await world.rpc.getAccount(key.publicKey()), terms())
    .addOperation(Operation.setOptions({ masterWeight: 0 }))
    .setTimeout(0)
    .build();
  transaction.sign(key);
  await world.rpc.sendTransaction(transaction);
  world.sandbox.closeLedger();
  await assert.rejects(createChannels(owning(key), 1, working), /did not take .*: tx_bad_auth/);
  const sound = Keypair.random();
  await fund(sound.publicKey());
  await createChannels(owning(sound), 1, working);
  assert.deepEqual([await channelsOf(key.publicKey()), await channelsOf(sound.publicKey())], [0, 1]);
});

test('each channel is merged by the treasury that sponsors it, whichever pays for new ones', async () => {
  const [one, two] = [Keypair.random(), Keypair.random()];
  for (const key of [one, two]) {
    await fund(key.publicKey());
    await createChannels(owning(key), 2, working);
  }
  await retireChannels(deps, 'all');
  await mergeChannels(deps, working);
  for (const key of [one, two]) {
    const { balance_stroops, spendable_stroops } = await stateOf(key.publicKey());
    assert.equal(balance_stroops - spendable_stroops, 10_000_000n);
  }
});

test('FEE_MAX_STROOPS holds for the pool too: fewer channels in a transaction, or none', async () => {
  await assert.rejects(
    createChannels(configured({ fee_max_stroops: 299n }), 1, working),
    /FEE_MAX_STROOPS is 299/,
  );
  const { sequence } = await stateOf(await chooseTreasury(deps));
  await createChannels(configured({ fee_max_stroops: 700n }), 4, working);
  assert.equal((await stateOf(await chooseTreasury(deps))).sequence, sequence + 2n);
});

const terms = () => ({ fee: '100', networkPassphrase: world.sandbox.passphrase });

async function stateOf(account: string) {
  const { accounts } = await deps.stellar.readAccounts([account]);
  return accounts.get(account) ?? assert.fail(`no ${account}`);
}

const pay = (destination: string, amount_stroops: bigint) =>
  payFromElsewhere(world, destination, amount_stroops);

/** Takes the account's balance except for a fee, in a transaction that does not use its sequence number. */
async function drain(key: Keypair): Promise<void> {
  const other = Keypair.random();
  await fund(other.publicKey());
  const operation = Operation.payment({
    source: key.publicKey(),
    destination: other.publicKey(),
    asset: Asset.native(),
    amount: '9998.99',
  });
  const transaction = new TransactionBuilder(await world.rpc.getAccount(other.publicKey()), terms())
    .addOperation(operation)
    .setTimeout(0)
    .build();
  transaction.sign(other, key);
  await world.rpc.sendTransaction(transaction);
  world.sandbox.closeLedger();
}
