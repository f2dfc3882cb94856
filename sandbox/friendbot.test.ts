import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Account, Keypair, MuxedAccount, Operation } from '@stellar/stellar-sdk/base';
import { pino } from 'pino';
import { Friendbot } from './friendbot.ts';
import { rootKeypair } from './ledger/genesis.ts';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { closeUntilAnswered, FRIENDBOT_STROOPS, fund, sandboxFor, signed } from './testing/rpc-client.ts';
import { create, pay, TestNetwork, UNIT } from './testing/test-network.ts';

const address = () => Keypair.random().publicKey();

test('funds any number of accounts asked for at once, in transactions of up to 100', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const keys = await fund(sandbox, 230);
  const balances = await Promise.all(keys.map((key) => server.getAccountEntry(key.publicKey())));
  assert.ok(balances.every(({ balance }) => balance === FRIENDBOT_STROOPS));
  const { transactions } = await server.getTransactions({ startLedger: 1 });
  assert.ok(transactions.length < 230);
});

test("answers with the transaction once it is in a ledger, and the SDK's calls work on it", async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const url = `${sandbox.friendbot_url}?addr=${address()}`;
  const response = await closeUntilAnswered(sandbox, fetch(url));
  assert.equal(response.status, 200);
  const { hash, ledger, envelope_xdr, result_xdr, successful } = (await response.json()) as Record<
    string,
    unknown
  >;
  assert.ok(envelope_xdr && result_xdr && successful);
  const found = await server.getTransaction(String(hash));
  assert.equal(found.status === 'SUCCESS' && found.ledger, ledger);

  const account = await closeUntilAnswered(sandbox, server.requestAirdrop(address()));
  assert.equal(account.sequenceNumber(), (await server.getAccount(account.accountId())).sequenceNumber());
  assert.equal((await closeUntilAnswered(sandbox, server.fundAddress(address()))).status, 'SUCCESS');
});

test('refuses an existing account, a wrong address, and the second of two requests for one account', async (t) => {
  const { sandbox } = await sandboxFor(t);
  const ask = async (addr: string) => {
    const response = await fetch(`${sandbox.friendbot_url}?addr=${addr}`, { method: 'POST' });
    return { status: response.status, body: (await response.json()) as { detail?: string; status?: number } };
  };
  const addr = address();
  const both = await closeUntilAnswered(sandbox, Promise.all([ask(addr), ask(addr)]));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400]);
  const again = await ask(addr);
  assert.deepEqual([again.status, again.body.status], [400, 400]);
  assert.match(again.body.detail ?? '', /createAccountAlreadyExist/);

  const muxed = new MuxedAccount(new Account(addr, '0'), '1').accountId();
  for (const bad of ['', 'GABC', muxed, Keypair.random().secret()]) {
    assert.equal((await ask(bad)).status, 400, bad);
  }
});

test('funds all others when somebody else creates one of the accounts in the same ledger', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const [rich] = (await fund(sandbox, 1)) as [Keypair];
  for (let round = 0; round < 4; round++) {
    const taken = Keypair.random();
    await server.sendTransaction(await signed(server, rich, [create(taken, UNIT)]));
    const addresses = [taken.publicKey(), address(), address()];
    const answers = addresses.map((addr) => fetch(`${sandbox.friendbot_url}?addr=${addr}`));
    const responses = await closeUntilAnswered(sandbox, Promise.all(answers));
    const [first, ...others] = responses.map(({ status }) => status);
    assert.ok(first === 200 || first === 400);
    assert.deepEqual(others, [200, 200]);
  }
});

test('waits while somebody else uses the root account, whose key everybody knows', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const root = rootKeypair(SANDBOX_PASSPHRASE);
  await server.sendTransaction(await signed(server, root, [pay(root, 1n)]));
  const response = await closeUntilAnswered(sandbox, fetch(`${sandbox.friendbot_url}?addr=${address()}`));
  assert.equal(response.status, 200);
});

describe('gives up when the root account, whose key everybody knows, cannot create accounts:', () => {
  const root = rootKeypair(SANDBOX_PASSPHRASE);
  const lock = () => Operation.setOptions({ masterWeight: 0 });
  const spend = (to: Keypair, balance: bigint) => pay(to, balance - 5n * UNIT);
  for (const [how, spoil] of Object.entries({ lock, spend })) {
    test(how, async (t) => {
      const { sandbox, server } = await sandboxFor(t);
      const [rich] = (await fund(sandbox, 1)) as [Keypair];
      const { balance } = await server.getAccountEntry(root.publicKey());
      await server.sendTransaction(await signed(server, root, [spoil(rich, balance)]));
      sandbox.closeLedger();
      const asked = fetch(`${sandbox.friendbot_url}?addr=${address()}`);
      assert.equal((await closeUntilAnswered(sandbox, asked)).status, 503);
    });
  }
});

test('a request that still waits when the network stops is answered so', async () => {
  const { network } = new TestNetwork();
  const friendbot = new Friendbot(network, pino({ level: 'silent' }));
  const outcome = friendbot.fund(address());
  friendbot.stop();
  assert.equal(await outcome, 'stopped');
  assert.equal(await friendbot.fund(address()), 'stopped');
});

test('submits no more at once than ledger and queue accept while the capacity changes', async () => {
  const { network } = new TestNetwork();
  const friendbot = new Friendbot(network, pino({ level: 'silent' }));
  network.maxOperations = 0;
  const outcomes = Array.from({ length: 4 }, () => friendbot.fund(address()));
  network.close();
  network.maxOperations = 3;
  network.close();
  network.maxOperations = 2;
  network.close();
  network.close();
  const ledgers = await Promise.all(outcomes.map(async (one) => Object(await one).ledger));
  assert.deepEqual(ledgers, [5, 5, 6, 6]);
});
