/** What a node may say of ledgers that is not so: each alters an honest answer. */
import { xdr } from '@stellar/stellar-sdk/base';
import type { Random } from '../support/random.ts';

/** What an altered answer may be made of. */
export type Falsifying = {
  random: Random;
  params: any;
  /** Asks the same node the same method with other parameters. */
  ask(params: object): any;
  /** Hash of a transaction that was applied, not the one asked for, if there is one. */
  otherHash(not: string): string | undefined;
};

export type Lie = { name: string; alter: (result: any, world: Falsifying) => any };

/** An answer of getLedgers whose list is another one. */
const list = (name: string, change: (ledgers: any[], world: Falsifying) => any[]): Lie => ({
  name,
  alter: (result, world) => ({ ...result, ledgers: change(result.ledgers, world) }),
});

/** A ledger whose bytes are others. */
const bytes = (name: string, change: (metadata_xdr: string) => string): Lie =>
  list(name, (ledgers, { random }) => {
    const at = random.integer(0, ledgers.length - 1);
    return ledgers.map((ledger, index) =>
      index === at ? { ...ledger, metadataXdr: change(ledger.metadataXdr) } : ledger,
    );
  });

type Contents = { processing: any[]; envelopes: any[] };

/** A ledger with transactions whose contents are others; the answer as it is when none has so many. */
const contents = (name: string, change: (contents: Contents, random: Random) => void, at_least = 1): Lie => ({
  name,
  alter: (result, { random }) => {
    for (const [index, ledger] of [...result.ledgers.entries()].reverse()) {
      const meta: any = xdr.LedgerCloseMeta.schema.decode(Buffer.from(ledger.metadataXdr, 'base64'));
      const { txProcessing: processing, txSet } = meta.v2;
      if (processing.length < at_least) continue;
      change({ processing, envelopes: envelopesIn(txSet) }, random);
      const metadataXdr = Buffer.from(xdr.LedgerCloseMeta.schema.encode(meta)).toString('base64');
      return { ...result, ledgers: result.ledgers.with(index, { ...ledger, metadataXdr }) };
    }
    return result;
  },
});

/** The classic phase's first list: where transactions without contracts are. */
function envelopesIn(set: any): any[] {
  return set.v1TxSet.phases[0].v0Components[0]?.txsMaybeDiscountedFee.txs ?? [];
}

/** Events of contracts, which no hash of a ledger's transactions covers but their results'. */
const events = (name: string, change: (events: any[]) => void): Lie =>
  contents(name, ({ processing }) => {
    const operations = processing.flatMap((one) => one.txApplyProcessing.v4.operations);
    const telling = operations.findLast((operation) => operation.events.length > 0);
    if (telling) change(telling.events);
  });

/** The amount of a transfer, whether it stands alone or with a muxed id. */
function amountIn(data: any): { lo: bigint } {
  return data.type === 17 ? data.map[0].val.i128 : data.i128;
}

export const LEDGERS_LIES: readonly Lie[] = [
  list('ledgers_none', () => []),
  list('ledgers_first_missing', (ledgers) => ledgers.slice(1)),
  list('ledgers_one_missing', (ledgers, { random }) =>
    ledgers.toSpliced(random.integer(0, ledgers.length - 1), 1),
  ),
  list('ledgers_cut', (ledgers) => ledgers.slice(0, Math.ceil(ledgers.length / 2))),
  list('ledgers_reversed', (ledgers) => ledgers.toReversed()),
  list('ledgers_doubled', (ledgers) => ledgers.flatMap((ledger) => [ledger, ledger])),
  list('ledgers_renumbered', (ledgers) =>
    ledgers.map((ledger) => ({ ...ledger, sequence: ledger.sequence + 1 })),
  ),
  list('ledgers_of_other_height', (ledgers, { ask, params }) => {
    // No answer when the node has just lost the earlier history.
    const others = ask({ ...params, startLedger: Math.max(params.startLedger - 1, 1) })?.ledgers ?? [];
    return ledgers.map((ledger, index) => ({
      ...ledger,
      metadataXdr: (others[index] ?? ledger).metadataXdr,
    }));
  }),
  {
    name: 'ledgers_of_an_old_answer',
    alter: (_result, { ask, params, random }) =>
      ask({ ...params, startLedger: Math.max(params.startLedger - random.integer(1, 10), 1) }),
  },
  {
    name: 'ledgers_old_latest',
    alter: (result, { params }) => ({ ...result, latestLedger: params.startLedger - 1 }),
  },
  { name: 'ledgers_promised', alter: (result) => ({ ...result, latestLedger: result.latestLedger + 3 }) },
  {
    name: 'ledgers_begin_later',
    alter: (result, { params }) => ({ ...result, oldestLedger: params.startLedger + 1 }),
  },
  bytes('ledger_cut', (text) => text.slice(0, text.length >> 1)),
  bytes('ledger_cut_in_bytes', (text) => Buffer.from(text, 'base64').subarray(0, -4).toString('base64')),
  bytes('ledger_longer', (text) =>
    Buffer.concat([Buffer.from(text, 'base64'), Buffer.alloc(4)]).toString('base64'),
  ),
  contents('tx_left_out', ({ processing, envelopes }, random) => {
    processing.splice(random.integer(0, processing.length - 1), 1);
    envelopes.splice(random.integer(0, envelopes.length - 1), 1);
  }),
  contents('txs_left_out', ({ processing, envelopes }) => {
    processing.length = 0;
    envelopes.length = 0;
  }),
  contents('tx_result_left_out', ({ processing }) => processing.pop()),
  contents('tx_envelope_left_out', ({ envelopes }) => envelopes.pop()),
  contents('tx_doubled', ({ processing }) => processing.push(processing[0])),
  contents('txs_exchanged', ({ processing }) => processing.push(processing.shift()), 2),
  contents(
    'tx_result_exchanged',
    ({ processing: [one, other] }) => {
      [one.result.result, other.result.result] = [other.result.result, one.result.result];
    },
    2,
  ),
  contents('tx_result_turned', ({ processing }, random) => {
    const { result } = random.pick(processing).result;
    result.feeCharged += 1n;
  }),
  contents('tx_named_otherwise', ({ processing }, random) => {
    random.pick(processing).result.transactionHash = Buffer.alloc(32, 7);
  }),
  contents('tx_envelope_changed', ({ envelopes }, random) => {
    if (envelopes.length === 0) return;
    const envelope = random.pick(envelopes);
    const { tx } = envelope.type === 5 ? envelope.feeBump.tx.innerTx.v1 : envelope.v1;
    tx.seqNum += 1n;
  }),
  events('events_changed', ([event]) => {
    amountIn(event.body.v0.data).lo += 1n;
  }),
  events('events_doubled', (all) => all.push(all[0])),
  events('events_left_out', (all) => all.pop()),
];

export const HEALTH_LIES: readonly Lie[] = [
  { name: 'health_begins_later', alter: (result) => ({ ...result, oldestLedger: result.latestLedger }) },
  {
    name: 'health_old',
    alter: (result) => ({ ...result, latestLedger: Math.max(result.latestLedger - 7, 1) }),
  },
  { name: 'health_of_another_network', alter: (result) => ({ ...result, oldestLedger: 1, latestLedger: 1 }) },
  { name: 'health_ahead', alter: (result) => ({ ...result, latestLedger: result.latestLedger + 50 }) },
];
