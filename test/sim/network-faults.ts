/** How a request to a node can go wrong. */
import type { NodeCondition } from '../../sandbox/node.ts';
import type { Random } from '../support/random.ts';
import type { Fault } from './faults.ts';
import { type Falsifying, HEALTH_LIES, LEDGERS_LIES, type Lie } from './ledger-lies.ts';
import { ENTRIES_LIES, SIMULATION_LIES } from './simulation-lies.ts';

export type Reply = { status: number; text: string };

export type NetworkFault = Fault & {
  /** Only at these methods; all when absent. */
  methods?: readonly string[];
  /** Before anything is heard. */
  wait_ms?: number;
} & (
    | { error: () => Error }
    | { reply: Reply }
    | { alter: (result: any, world: Falsifying) => any }
    | { text: (text: string) => string }
    | { condition: (random: Random, latest: number) => Partial<NodeCondition> }
    | { slow: true }
  );

const reset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
const timeout = () =>
  Object.assign(new Error('The operation was aborted due to timeout'), { name: 'TimeoutError' });
const TIMEOUT_MS = 10_000;

const rpcError = (code: number, message: string): Reply => ({
  status: 200,
  text: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
});
const status = (code: number, at: Fault['at']): NetworkFault => ({
  name: `http_${code}_${at}`,
  at,
  reply: { status: code, text: '<html>sorry</html>' },
});
const SEND = ['sendTransaction'];
const LOOK = ['getTransaction'];
/** TransactionResult with fee charged 100: txBAD_SEQ, txTOO_LATE, txINSUFFICIENT_BALANCE, txNO_ACCOUNT. */
const resultXdr = (code: number): string => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(100n, 0);
  bytes.writeInt32BE(code, 8);
  return bytes.toString('base64');
};
const refusal = (name: string, code: number): NetworkFault => ({
  name: `said_${name}`,
  at: 'after',
  methods: SEND,
  alter: (result) => ({ ...result, status: 'ERROR', errorResultXdr: resultXdr(code) }),
});

/** The plain ones first. */
export const NETWORK_FAULTS: readonly NetworkFault[] = [
  { name: 'net_reset_before', at: 'before', error: reset },
  { name: 'net_reset_after', at: 'after', error: reset },
  { name: 'net_timeout_before', at: 'before', error: timeout, wait_ms: TIMEOUT_MS },
  { name: 'net_timeout_after', at: 'after', error: timeout, wait_ms: TIMEOUT_MS },
  { name: 'net_slow', at: 'after', slow: true },
  status(429, 'before'),
  status(500, 'before'),
  status(500, 'after'),
  status(502, 'after'),
  status(504, 'before'),
  status(504, 'after'),
  { name: 'rpc_error_before', at: 'before', reply: rpcError(-32603, 'internal error') },
  { name: 'rpc_error_after', at: 'after', reply: rpcError(-32603, 'internal error') },
  { name: 'rpc_invalid_after', at: 'after', reply: rpcError(-32600, 'invalid request') },
  { name: 'cut_in_half', at: 'after', text: (text) => text.slice(0, text.length >> 1) },
  { name: 'no_result', at: 'after', alter: () => ({}) },
  { name: 'null_result', at: 'after', alter: () => null },
  {
    name: 'node_lags',
    at: 'after',
    condition: (random) => ({ lag_ledgers: random.integer(1, 20) }),
  },
  {
    name: 'node_pruned',
    at: 'after',
    methods: ['getTransaction', 'getLedgers', 'getHealth'],
    condition: (random, latest) => ({ oldest_ledger: Math.max(1, latest - random.integer(0, 5)) }),
  },
  { name: 'filtered', at: 'before', methods: SEND, reply: rpcError(-32603, 'invalid status: FILTERED') },
  { name: 'try_again', at: 'before', methods: SEND, condition: () => ({ try_again_later: 'not_taken' }) },
  { name: 'try_again_taken', at: 'after', methods: SEND, condition: () => ({ try_again_later: 'taken' }) },
  refusal('bad_seq', -5),
  refusal('too_late', -3),
  refusal('insufficient_balance', -7),
  refusal('no_account', -8),
  refusal('bad_auth', -6),
  {
    name: 'another_hash',
    at: 'after',
    methods: [...SEND, ...LOOK],
    alter: (result) => ({ ...result, hash: 'ab'.repeat(32), txHash: 'ab'.repeat(32) }),
  },
  {
    name: 'anothers_result',
    at: 'after',
    methods: LOOK,
    alter: (result, world) => {
      const other = world.otherHash(world.params.hash);
      return other === undefined ? result : { ...world.ask({ hash: other }), txHash: world.params.hash };
    },
  },
  {
    name: 'opposite_status',
    at: 'after',
    methods: LOOK,
    alter: (result) => ({ ...result, status: result.status === 'SUCCESS' ? 'FAILED' : 'SUCCESS' }),
  },
  {
    name: 'garbage_xdr',
    at: 'after',
    alter: (result) =>
      JSON.parse(JSON.stringify(result), (key, value) => (/xdr$/i.test(key) ? 'AAAAAgAAAAB=' : value)),
  },
  {
    name: 'node_unhealthy',
    at: 'before',
    methods: ['getHealth'],
    reply: rpcError(-32603, 'latency is too high'),
  },
  ...lies(['getLedgers'], LEDGERS_LIES),
  ...lies(['getHealth'], HEALTH_LIES),
  ...lies(['simulateTransaction'], SIMULATION_LIES),
  ...lies(['getLedgerEntries'], ENTRIES_LIES),
];

function lies(methods: string[], told: readonly Lie[]): NetworkFault[] {
  return told.map((lie) => ({ ...lie, at: 'after', methods }));
}

/** What a request can meet for longer. */
export const UNREACHABLE = NETWORK_FAULTS[0] as NetworkFault;
export const TOO_MANY_REQUESTS = status(429, 'before');
export const SLOW: NetworkFault = { name: 'slow', at: 'after', slow: true };
export const SILENT: NetworkFault = { name: 'silent', at: 'before', error: timeout, wait_ms: TIMEOUT_MS };

/** Its answer is lost. */
export const FRIENDBOT_FAULTS = [{ name: 'friendbot_reset_after', at: 'after', error: reset } as const];
