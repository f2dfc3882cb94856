/**
 * The contract of `Stellar`: a row is one question, to which each kind and version of server gives the answer that the ledger
 * has, and says so where a server cannot. What reads the network through `Stellar` needs no test with each version.
 */
import { strict as assert } from 'node:assert';
import { after } from 'node:test';
import { Keypair, xdr } from '@stellar/stellar-sdk';
import { type Past, startNetworkVersions } from '../../test/support/network-versions.ts';
import { readLedgerCloseMeta } from './ledgers/ledger-close-meta.ts';
import { NetworkUnavailable } from './network-unavailable.ts';
import { lineKey } from './stellar.ts';
import { transferToSimulate } from './transactions/build-contract-transfer.ts';

const network = await startNetworkVersions({ after });
const { rows: row, setFace, breakFace, close, contract, history, asset, passphrase, entryOf } = network;
const [alice, bob, issuer] = ['alice', 'bob', 'issuer'].map((name) =>
  network.world[name as 'alice'].publicKey(),
) as [string, string, string];
const nobody = Keypair.random().publicKey();
const NO_HASH = '0'.repeat(64);

const CLOSE_TIMES = 'no close times in getHealth: getTransaction is asked';
const HEADER = 'no header in getLatestLedger: getLedgers is asked';
const DESCRIBED: Record<string, [software: string, lacks: string[]]> = {
  'stellar-rpc 22': ['Stellar RPC 22.1.5-stellar-teller-sandbox', [CLOSE_TIMES, HEADER]],
  'stellar-rpc 23': ['Stellar RPC 23.0.4-stellar-teller-sandbox', [CLOSE_TIMES, HEADER]],
  'stellar-rpc 27.0': ['Stellar RPC 27.0.0-stellar-teller-sandbox', [CLOSE_TIMES]],
  'stellar-rpc 27.1': ['Stellar RPC 27.1.0-stellar-teller-sandbox', []],
  'stellar-rpc 28': ['Stellar RPC 28.0.0-stellar-teller-sandbox', []],
  'stellar-rpc 30': ['Stellar RPC 30.0.0-stellar-teller-sandbox', []],
  Horizon: ['Horizon 30.0.0-stellar-teller-sandbox', []],
};

row('a source is described: software, newest and oldest ledger, protocols, what it lacks', async (asking) => {
  const newest = close();
  setFace(asking.face, { oldest_ledger: 3 });
  const [report] = await asking.stellar.sources();
  assert(report?.usable);
  const { latest, ...description } = report.description;
  const [software, lacks] = DESCRIBED[asking.face.name] ?? [];
  assert.deepEqual(description, { software, oldest_ledger: 3, lacks, supported_protocol: 30 });
  assert.partialDeepStrictEqual(latest, newest);
  assert.deepEqual(report.protocols, { network: 30, supported: 30 });
});

row('the newest ledger has its hash, close time, base reserve and protocol', async ({ stellar }) => {
  const newest = close();
  assert.deepEqual(await stellar.latestLedger(), {
    ...newest,
    base_reserve_stroops: 5_000_000n,
    max_operations: 1_000,
    protocol_version: 30,
  });
});

row(
  'accounts and trust lines are read as they are, and those that do not exist are absent',
  async (asking) => {
    const newest = close();
    const lines = [bob, alice, nobody].map((account) => ({ account, asset }));
    const {
      latest,
      accounts,
      lines: found,
    } = await asking.stellar.readAccounts([bob, issuer, nobody], lines);
    assert.partialDeepStrictEqual(latest, newest);
    assert.deepEqual([...accounts.keys()].sort(), [bob, issuer].sort());
    const { seqNum: sequence, balance: balance_stroops } = await entryOf(bob);
    const flags = {
      auth_required: false,
      auth_revocable: false,
      auth_immutable: false,
      clawback_enabled: false,
    };
    assert.deepEqual(accounts.get(bob), {
      sequence,
      balance_stroops,
      reserve_stroops: 20_000_000n,
      spendable_stroops: balance_stroops - 20_000_000n,
      memo_required: true,
      flags,
      home_domain: null,
    });
    assert.partialDeepStrictEqual(accounts.get(issuer), {
      memo_required: false,
      home_domain: 'example.com',
      flags: { ...flags, auth_revocable: true },
    });
    const line = {
      balance_stroops: 0n,
      limit_stroops: 10_000_000_000n,
      buying_liabilities_stroops: 0n,
      selling_liabilities_stroops: 0n,
      authorization: 'full' as const,
      clawback_enabled: false,
    };
    assert.deepEqual(found.get(lineKey({ account: bob, asset })), line);
    assert.deepEqual(found.get(lineKey({ account: alice, asset })), {
      ...line,
      balance_stroops: 1_000_000_000n,
    });
    assert.equal(found.size, 2);
  },
);

row('sequence numbers are those of the newest ledger', async ({ stellar }) => {
  const newest = close();
  const { latest, sequences } = await stellar.readSequences([alice, nobody]);
  assert.partialDeepStrictEqual(latest, newest);
  assert.deepEqual([...sequences], [[alice, (await entryOf(alice)).seqNum]]);
});

row('balances are each at one ledger, also of an account that does not exist', async ({ stellar }) => {
  const ledger = close().sequence;
  const holders = [alice, nobody].map((account) => ({ account, assets: [asset] }));
  const issued = new Map([[`${asset.code}:${asset.issuer}`, 1_000_000_000n]]);
  assert.deepEqual(
    await stellar.readBalances(holders),
    new Map([
      [alice, { ledger, native: (await entryOf(alice)).balance, issued }],
      [nobody, { ledger, native: null, issued: new Map() }],
    ]),
  );
});

row('fees are the network’s minimum while ledgers are empty', async ({ stellar }) => {
  close();
  assert.equal(await stellar.feePerOperation(), 100n);
  assert.equal(await stellar.contractFeePerOperation(), 100n);
});

row('contracts are read: with a balance, without, absent, of an asset; Horizon has none', async (asking) => {
  const { stellar, isRpc } = asking;
  assert.equal(stellar.readsContracts, isRpc);
  const read = (to: string, of: typeof asset | null) => stellar.readContract(to, of);
  if (!isRpc) return assert.rejects(read(contract, null), NetworkUnavailable);
  const live = { contract: 'live', asset_deployed: true } as const;
  assert.deepEqual(await read(contract, null), { ...live, balance: { authorized: true } });
  assert.deepEqual(await read(contract, asset), { ...live, balance: null });
  assert.deepEqual(await read(network.archived, null), { ...live, contract: 'archived', balance: null });
  assert.deepEqual(await read(network.absent, null), { ...live, contract: 'absent', balance: null });
  assert.deepEqual(await read(network.native_contract, null), { ...live, contract: 'asset', balance: null });
});

row('a transfer to a contract is simulated: possible, or not and why; Horizon cannot', async (asking) => {
  const { stellar, isRpc } = asking;
  const transfer = { asset: null, from: alice, to: contract, to_muxed_id: null, amount_stroops: 1n };
  if (!isRpc) return assert.rejects(stellar.simulateTransfer(transfer), NetworkUnavailable);
  const simulated = await stellar.simulateTransfer(transfer);
  assert(simulated.possible);
  const transaction = transferToSimulate(passphrase, transfer);
  const { transactionData, minResourceFee } = await network.raw('simulateTransaction', { transaction });
  assert.equal(simulated.soroban_data, transactionData);
  assert.equal(simulated.resource_fee_stroops, BigInt(minResourceFee));
  const tooMuch = await stellar.simulateTransfer({ ...transfer, amount_stroops: 10n ** 16n });
  assert(!tooMuch.possible);
  assert.match(tooMuch.reason, /^HostError: /);
});

row('an outcome is found by the hash that was signed and by the hash in the ledger', async ({ stellar }) => {
  const outcome = async (past: Past, expected: object) => {
    const { hash, ledger } = past;
    for (const asked of [past.asked, past.hash])
      assert.partialDeepStrictEqual(await stellar.find(asked), {
        found: 'applied',
        hash,
        ledger,
        ...expected,
      });
  };
  const classic = { call_result: null, failure_code: null, fee_stroops: 100n, fee_account: alice };
  await outcome(history.paid, { ...classic, successful: true });
  await outcome(history.failed, { ...classic, successful: false, failure_code: 'op_underfunded' });
  await outcome(history.bumped, { ...classic, successful: true, fee_account: bob, fee_stroops: 200n });
  const called = await stellar.find(history.called.hash);
  assert(called.found === 'applied');
  const { resultXdr } = await network.raw('getTransaction', { hash: history.called.hash });
  const [result] = xdr.TransactionResult.fromXdr(resultXdr, 'base64').result.value as any;
  assert.equal(called.call_result, Buffer.from(result.tr.value.success.toXdr()).toString('hex'));
});

row('a transaction is given in bytes, with its meta and its close time', async ({ stellar }) => {
  for (const { hash, ledger } of Object.values(history)) {
    const { ledgers } = await network.raw('getLedgers', { startLedger: ledger, pagination: { limit: 1 } });
    const bytes = Buffer.from(ledgers[0].metadataXdr, 'base64');
    const whole = readLedgerCloseMeta({ method: '', passphrase, sequence: ledger }, bytes);
    assert.deepEqual(await stellar.readTransaction(hash), {
      found: 'applied',
      transaction: whole.transactions.find((each) => each.hash === hash),
      close_time: whole.header.close_time,
    });
  }
});

row('an unknown hash is absent from a history whose ends are known', async ({ stellar, face }) => {
  const newest = close();
  setFace(face, { oldest_ledger: 4 });
  assert.deepEqual(await stellar.find(NO_HASH), {
    found: 'absent',
    oldest_ledger: 4,
    latest_ledger: newest.sequence,
    latest_close_time: newest.close_time,
  });
  setFace(face, { lag_ledgers: 1 });
  assert.partialDeepStrictEqual(await stellar.find(NO_HASH), { latest_ledger: newest.sequence - 1 });
});

row('a look-up without an answer is unknown, never absent', async ({ stellar, face }) => {
  const unavailable = { kind: 'status', status: 503, times: null };
  breakFace(face, { rpc: 'getTransaction', horizon: 'horizon:transaction' }, unavailable);
  assert.equal((await stellar.find(NO_HASH)).found, 'unknown');
  assert.equal((await stellar.readTransaction(history.paid.hash)).found, 'unknown');
});
