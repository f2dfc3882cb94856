/** One ledger behind servers of each kind and version: what they answer can differ only by how they answer. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Asset,
  type FeeBumpTransaction,
  Operation,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import type { RequestKind as Kind } from '../../sandbox/faults/request-kind.ts';
import { deployTestContract } from '../../sandbox/issuer-order.ts';
import { RPC_VERSIONS, type RpcVersion } from '../../sandbox/rpc/versions.ts';
import { prepareTransfer } from '../../sandbox/testing/contract-wallet.ts';
import { ContractWorld } from '../../sandbox/testing/contract-world.ts';
import { faultsOf } from '../../sandbox/testing/faulty-sandbox.ts';
import { ManualClock } from '../../sandbox/testing/manual-clock.ts';
import { call, closeUntilAnswered, type Ending, signed } from '../../sandbox/testing/rpc-client.ts';
import { pay, START_S } from '../../sandbox/testing/test-network.ts';
import { createLog } from '../../src/lib/log.ts';
import { createMetrics, type Metrics } from '../../src/lib/metrics.ts';
import { createStellar } from '../../src/stellar/sources/create-stellar.ts';
import type { Stellar } from '../../src/stellar/stellar.ts';

/** A server as the service can be given one. `version`: null for Horizon. `node`: its name in the sandbox. */
export type Face = { name: string; version: RpcVersion | null; node: string };

const FACES: Face[] = [
  ...RPC_VERSIONS.map((version) => ({
    name: `stellar-rpc ${version}`,
    version,
    node: `rpc-${version.replace('.', '-')}`,
  })),
  { name: 'Horizon', version: null, node: 'horizon' },
];

type Asking = { stellar: Stellar; face: Face; isRpc: boolean };
type Condition = { oldest_ledger?: number; lag_ledgers?: number };

/** Starts the sandbox, and makes what the questions are about. Its ledgers close by hand, its clock stands still. */
export async function startNetworkVersions(ending: Ending) {
  const clock = new ManualClock(START_S);
  const world = await ContractWorld.start(ending, { faults: true, clock });
  const { sandbox, server, bob, issuer, usd } = world;
  const { passphrase } = sandbox;
  await world.classic(bob, Operation.manageData({ name: 'config.memo_required', value: '1' }));
  await world.classic(issuer, Operation.setOptions({ homeDomain: 'example.com', setFlags: 2 }));
  const deploy = (state: 'live' | 'archived') =>
    closeUntilAnswered(sandbox, deployTestContract(sandbox.rpc_url, state));
  const [live, archived] = [await deploy('live'), await deploy('archived')];
  const { rows, setFace, breakFace } = servers(world, clock);
  return {
    world,
    sandbox,
    server,
    clock,
    passphrase,
    rows,
    setFace,
    breakFace,
    contract: live.contract,
    archived: archived.contract,
    absent: world.wallet.address,
    native_contract: Asset.native().contractId(passphrase),
    asset: { code: usd.code, issuer: issuer.publicKey() },
    history: await makeHistory(world, live.contract),
    entryOf: (account: string) => server.getAccountEntry(account),
    /** The newest ledger, which closes now. */
    close() {
      const { sequence, hash, close_time } = sandbox.closeLedger();
      return { sequence, hash, close_time: BigInt(close_time) };
    },
    /** One request, to the newest version. */
    async raw(method: string, params: object): Promise<any> {
      return (await call(sandbox, { jsonrpc: '2.0', id: 1, method, params })).json.result;
    },
  };
}

/** The ways to ask each server, and to change one. */
function servers({ sandbox }: ContractWorld, clock: ManualClock) {
  const faults = faultsOf(sandbox);
  const setFace = ({ node, version }: Face, condition: Condition = {}) =>
    faults.setNode(node, { ...condition, rpc_like: version });

  /** A new one for each question: it keeps what it has learned of a server. */
  function open({ node, version }: Face, metrics: Metrics): Stellar {
    const url = `${sandbox.url}nodes/${node}`;
    return createStellar({
      ...(version ? { rpc_urls: [`${url}/rpc`], horizon_urls: [] } : { rpc_urls: [], horizon_urls: [url] }),
      passphrase: sandbox.passphrase,
      clock,
      log: createLog('silent', false),
      metrics,
    });
  }

  /** A row of the contract: one question for each server. No answer may be one that had to be thrown away. */
  function rows(question: string, ask: (asking: Asking) => Promise<void>): void {
    describe(question, () => {
      for (const face of FACES)
        test(face.name, async (t) => {
          faults.clear();
          setFace(face);
          const metrics = createMetrics();
          const stellar = open(face, metrics);
          t.after(() => stellar.close());
          await ask({ stellar, face, isRpc: face.version !== null });
          assert.deepEqual((await metrics.unusable_answers.get()).values, []);
        });
    });
  }

  /** The next answers to this request (of RPC, or of Horizon) are a fault. */
  const breakFace = ({ node, version }: Face, on: { rpc: Kind; horizon: Kind }, fault: object) =>
    faults.add({ ...fault, on: version ? on.rpc : on.horizon, node } as Parameters<typeof faults.add>[0]);
  return { rows, setFace, breakFace };
}

/** A transaction in a ledger. `asked`: the hash that is known before; `hash`: the one in the ledger. */
export type Past = { asked: string; hash: string; ledger: number };

type AnyTransaction = Transaction | FeeBumpTransaction;
const hashIn = (transaction: AnyTransaction) => Buffer.from(transaction.hash()).toString('hex');

/** Makes one transaction of each kind of outcome, each in a ledger of its own. */
async function makeHistory({ sandbox, server, alice, bob }: ContractWorld, contract: string) {
  const inLedger = async (transaction: AnyTransaction, asked = transaction): Promise<Past> => {
    const { status } = await server.sendTransaction(transaction);
    assert.equal(status, 'PENDING');
    const { sequence } = sandbox.closeLedger();
    return { asked: hashIn(asked), hash: hashIn(transaction), ledger: sequence };
  };
  const paid = await inLedger(await signed(server, alice, [pay(bob, 5n)]));
  const failed = await inLedger(await signed(server, alice, [pay(bob, 10n ** 15n)]));
  const inner = await signed(server, alice, [pay(bob, 7n)]);
  const { passphrase } = sandbox;
  const outer = TransactionBuilder.buildFeeBumpTransaction(bob, '200', inner, passphrase);
  outer.sign(bob);
  const bumped = await inLedger(outer, inner);
  const native = Asset.native();
  const transfer = { asset: native, from: alice.publicKey(), to: contract, amount: 11n };
  const calling = await prepareTransfer(server, alice, transfer);
  calling.sign(alice);
  return { paid, failed, bumped, called: await inLedger(calling) };
}
