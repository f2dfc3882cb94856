/** Contract events that must never be credited. Each mentions the account, or it would prove nothing. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Asset, StrKey, xdr } from '@stellar/stellar-sdk';
import {
  creditsIn,
  evil,
  issuer,
  neverCredited,
  neverPassedOver,
  other,
  usd,
  wallet,
} from '../../../test/support/crediting.ts';
import { mistyped } from '../../../test/support/mistyped.ts';
import {
  address,
  call,
  contractEvent,
  type EventParts,
  i128,
  ledgerTransaction,
  map,
  mintEvent,
  NETWORK,
  nameOf,
  pay,
  payer,
  type Step,
  symbol,
  text,
  toMuxed,
  transferEvent,
  u64,
} from '../../../test/support/paying.ts';
import { muxedAddress } from '../address.ts';
import { muxedContract } from '../protocol/missing-arms.ts';
import type { LedgerTransaction } from '../stellar.ts';
import { creditsOf } from './credits.ts';

const native = Asset.native().contractId(NETWORK);

const muxed_contract = xdr.ScVal.scvAddress(muxedContract(StrKey.decodeContract(evil), 7n));

/** An event of the native asset's contract, with one part replaced. */
function forged(parts: Partial<EventParts> = {}): Step {
  const topics = [symbol('transfer'), address(payer), address(wallet), text('native')];
  return call([contractEvent({ topics, data: i128(5n), contract: evil, ...parts })]);
}

/** An event that names one asset, written by the contract of another. */
function lookAlike(claimed: string, contract: string): Step {
  return forged({ topics: [symbol('transfer'), address(payer), address(wallet), text(claimed)], contract });
}

/** A false event from the native asset's own contract. */
const garbled = (data: xdr.ScVal) => call([transferEvent(payer, wallet, data)]);

function oneBitOff(contract: string): string {
  const id = Buffer.from(StrKey.decodeContract(contract));
  id[31] = (id[31] ?? 0) ^ 1;
  return StrKey.encodeContract(id);
}

neverCredited({
  // requested amounts that did not move
  'a call that was asked to pay the wallet, and moved nothing': {
    steps: [call([], [address(payer), address(wallet), i128(5n)])],
  },
  'a call that was asked to pay the wallet, and paid another': {
    steps: [call([transferEvent(payer, other, 5n)], [address(payer), address(wallet), i128(5n)])],
  },
  // other events of an asset's contract
  ...Object.fromEntries(
    ['approve', 'burn', 'clawback', 'set_admin', 'set_authorized', 'fee', 'Transfer', 'transfer '].map(
      (name) => [
        `the event "${name}" of the native asset’s contract`,
        {
          steps: [
            call([
              contractEvent({
                topics: [
                  name.trim() === name ? symbol(name) : text(name),
                  address(payer),
                  address(wallet),
                  text('native'),
                ],
                data: i128(5n),
                contract: native,
              }),
            ]),
          ],
        },
      ],
    ),
  ),
  'a transfer as a system event': {
    steps: [forged({ contract: native, type: xdr.ContractEventType.system })],
  },
  'a transfer as a diagnostic event': {
    steps: [forged({ contract: native, type: xdr.ContractEventType.diagnostic })],
  },
  // events of foreign contracts
  'a foreign contract’s transfer of "native"': { steps: [forged()] },
  'a foreign contract’s mint': {
    steps: [forged({ topics: [symbol('mint'), address(wallet), text(nameOf(usd))] })],
  },
  'a contract whose id is one bit off': { steps: [forged({ contract: oneBitOff(native) })] },
  'the native asset’s contract on another network': {
    steps: [forged({ contract: Asset.native().contractId('Test SDF Network ; September 2015') })],
  },
  'an issued asset’s contract on another network': {
    steps: [lookAlike(nameOf(usd), usd.contractId('Test SDF Network ; September 2015'))],
  },
  'the same code of another issuer': {
    steps: [lookAlike(nameOf(usd), new Asset('USD', other).contractId(NETWORK))],
  },
  'an issued asset that says it is native': { steps: [lookAlike('native', usd.contractId(NETWORK))] },
  'an issued asset with the code of the native one': {
    steps: [lookAlike('native', new Asset('native', other).contractId(NETWORK))],
  },
  'a code in another case': { steps: [lookAlike(`usd:${issuer}`, usd.contractId(NETWORK))] },
  'a code with zero bytes behind it': { steps: [lookAlike(`USD\0:${issuer}`, usd.contractId(NETWORK))] },
  'a code with a space behind it': { steps: [lookAlike(`USD :${issuer}`, usd.contractId(NETWORK))] },
  'a name with a line behind it': { steps: [lookAlike(`${nameOf(usd)}\n`, usd.contractId(NETWORK))] },
  'an issuer whose checksum is wrong': {
    steps: [lookAlike(`USD:${mistyped(issuer)}`, usd.contractId(NETWORK))],
  },
  'a name that is no text': {
    steps: [
      forged({
        topics: [
          symbol('transfer'),
          address(payer),
          address(wallet),
          xdr.ScVal.scvString(Buffer.from([0xff])),
        ],
      }),
    ],
  },
  'a token that names no asset (SEP-41)': {
    steps: [forged({ topics: [symbol('transfer'), address(payer), address(wallet)] })],
  },
  'an event of no contract': {
    steps: [
      call([
        new xdr.ContractEvent({
          ext: xdr.ExtensionPoint.v0(),
          contractId: null,
          type: xdr.ContractEventType.contract,
          body: transferEvent(payer, wallet, 5n).body,
        }),
      ]),
    ],
  },
  // malformed events of foreign contracts are ignored too
  'a foreign transfer with an empty map': { steps: [forged({ data: xdr.ScVal.scvMap([]) })] },
  'a foreign transfer with no map': { steps: [forged({ data: xdr.ScVal.scvMap(null) })] },
  'a foreign transfer with a muxed id that is a map': { steps: [forged({ data: toMuxed(5n, map({})) })] },
  'a foreign transfer with no topics but its name': { steps: [forged({ topics: [symbol('transfer')] })] },
  'a foreign transfer to M…': {
    steps: [forged({ topics: [symbol('transfer'), address(payer), address(muxedAddress(wallet, 7n))] })],
  },
  'a foreign transfer to W…': {
    steps: [forged({ topics: [symbol('transfer'), address(payer), muxed_contract, text('native')] })],
  },
  'a foreign transfer to a pool': {
    steps: [
      forged({
        topics: [symbol('transfer'), address(wallet), address(StrKey.encodeLiquidityPool(Buffer.alloc(32)))],
      }),
    ],
  },
  'a foreign event with no topics at all': { steps: [forged({ topics: [], data: address(wallet) })] },
});

/** Forms that no asset's contract writes and no ledger has: unreadable, so a person must look. */
neverPassedOver({
  'a negative amount': ledgerTransaction({ steps: [garbled(i128(-5n))] }),
  'an amount beyond int64': ledgerTransaction({ steps: [garbled(i128(2n ** 63n))] }),
  'the smallest i128': ledgerTransaction({ steps: [garbled(i128(-(2n ** 127n)))] }),
  'an amount that is no i128': ledgerTransaction({ steps: [garbled(u64(5n))] }),
  'an empty map for an amount': ledgerTransaction({ steps: [garbled(xdr.ScVal.scvMap([]))] }),
  'no map for an amount': ledgerTransaction({ steps: [garbled(xdr.ScVal.scvMap(null))] }),
  'a map without a muxed id': ledgerTransaction({ steps: [garbled(map({ amount: i128(5n) }))] }),
  'a map without an amount': ledgerTransaction({ steps: [garbled(map({ to_muxed_id: u64(5n) }))] }),
  'a map with one field more': ledgerTransaction({
    steps: [garbled(map({ amount: i128(5n), more: u64(5n), to_muxed_id: u64(5n) }))],
  }),
  'a map with a field twice': ledgerTransaction({
    steps: [
      garbled(
        xdr.ScVal.scvMap(
          ['amount', 'amount', 'to_muxed_id'].map(
            (name) => new xdr.ScMapEntry({ key: symbol(name), val: name === 'amount' ? i128(5n) : u64(5n) }),
          ),
        ),
      ),
    ],
  }),
  'a transfer whose topics name M…': ledgerTransaction({
    steps: [
      forged({
        topics: [symbol('transfer'), address(payer), address(muxedAddress(wallet, 7n)), text('native')],
        contract: native,
      }),
    ],
  }),
  'a transfer whose topics name W…': ledgerTransaction({
    steps: [
      forged({
        topics: [symbol('transfer'), address(payer), muxed_contract, text('native')],
        contract: native,
      }),
    ],
  }),
  'a muxed id that is an i128': ledgerTransaction({ steps: [garbled(toMuxed(5n, i128(7n)))] }),
  'a muxed id that is a boolean': ledgerTransaction({
    steps: [garbled(toMuxed(5n, xdr.ScVal.scvBool(true)))],
  }),
  'a transfer with a topic more than is known': ledgerTransaction({
    steps: [
      forged({
        topics: [symbol('transfer'), address(payer), address(wallet), text('native'), u64(1n)],
        contract: native,
      }),
    ],
  }),
  'a mint of the native asset': ledgerTransaction({ steps: [call([mintEvent(wallet, 5n, Asset.native())])] }),
  ...unproven(),
});

/** Metas whose events do not match the hash in the result. */
function unproven(): Record<string, LedgerTransaction> {
  const paid = ledgerTransaction({ steps: [pay(wallet, 5n)] });
  const called = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 5n)])] });
  const more = ledgerTransaction({ steps: [call([transferEvent(payer, wallet, 500n)])] });
  const none = ledgerTransaction({ steps: [call([])] });
  return {
    'events that do not hash to the result': { ...called, meta: more.meta },
    'events that were left out': { ...called, meta: none.meta },
    'events that were put in': { ...none, meta: called.meta },
    'a meta with events outside the operation': { ...called, meta: paid.meta },
    'a meta that is cut': { ...called, meta: called.meta?.subarray(0, -4) ?? null },
  };
}

test('the same events are credited when the named asset’s own contract wrote them', () => {
  const steps = [forged({ contract: native }), lookAlike(nameOf(usd), usd.contractId(NETWORK))];
  const credits = steps.flatMap((step) => creditsIn({ steps: [step] }));
  assert.deepEqual(
    credits.map(({ account, asset_code, amount_stroops }) => [account, asset_code, amount_stroops]),
    [
      [wallet, 'native', 5n],
      [wallet, 'USD', 5n],
    ],
  );
});

test('never credited: events of the transaction, diagnostic events, or events of an operation without effect', () => {
  const { meta, ...transaction } = ledgerTransaction({ steps: [pay(other, 1n)] });
  const decoded = xdr.TransactionMeta.fromXdr(meta as Buffer);
  assert(decoded.type === 'v4');
  const event = transferEvent(payer, wallet, 5n);
  const { after } = { after: xdr.TransactionEventStage.transactionEventStageAfterTx };
  const told = new xdr.TransactionMetaV4({
    ...decoded.v4,
    events: [new xdr.TransactionEvent({ stage: after, event })],
    operations: [new xdr.OperationMetaV2({ ext: xdr.ExtensionPoint.v0(), changes: [], events: [event] })],
    diagnosticEvents: [new xdr.DiagnosticEvent({ inSuccessfulContractCall: true, event })],
  });
  const credits = creditsOf(NETWORK, {
    ...transaction,
    meta: Buffer.from(xdr.TransactionMeta.v4(told).toXdr()),
  });
  assert.deepEqual(
    credits.map(({ account }) => account),
    [other],
  );
});
