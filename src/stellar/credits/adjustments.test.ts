/** What others take from an account, and do to its trust lines: by operations and by contracts of assets. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Address, Asset, Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk';
import { evil, issuer, other, usd, wallet } from '../../../test/support/crediting.ts';
import {
  address,
  call,
  contractEvent,
  i128,
  ledgerTransaction,
  type Made,
  NETWORK,
  nameOf,
  payer,
  type Step,
  symbol,
  text,
  toMuxed,
  transferEvent,
  u64,
} from '../../../test/support/paying.ts';
import { muxedAddress, publicKeyOf } from '../address.ts';
import { createAccountFilter } from './account-filter.ts';
import type { Adjustment } from './adjustment.ts';
import { lineOrdersIn, lossesIn } from './adjustments.ts';
import { openTransaction } from './credits.ts';
import { lineChanges } from './line-changes.ts';

const contract = usd.contractId(NETWORK);
const { OperationResultTr: Tr } = xdr;

function lossesOf(made: Made): Adjustment[] {
  return lossesIn(NETWORK, openTransaction(NETWORK, ledgerTransaction(made)));
}

function changesOf(made: Made): Adjustment[] | null {
  const transaction = ledgerTransaction(made);
  return lineChanges(transaction.meta, lineOrdersIn(NETWORK, openTransaction(NETWORK, transaction)));
}

/** An event of the contract of `asset`. */
function event(name: string, who: string[], data: xdr.ScVal, asset = usd, by = asset.contractId(NETWORK)) {
  const topics = [symbol(name), ...who.map(address), text(nameOf(asset))];
  return contractEvent({ topics, data, contract: by });
}

const clawedBack = (from: string, source?: string): Step => ({
  operation: Operation.clawback({ asset: usd, amount: '0.0000007', from, ...(source && { source }) }),
  result: Tr.clawback(xdr.ClawbackResult.clawbackSuccess()),
});

const USD = { asset_code: 'USD', asset_issuer: issuer };
const CALLED = { operation: 'invoke_host_function', operation_index: 0, event_index: 0 } as const;

test('a clawback operation takes its amount, from a muxed address too, and names its source', () => {
  const steps = [clawedBack(other, issuer), clawedBack(muxedAddress(wallet, 3n), issuer)];
  const lost = { ...USD, amount_stroops: 7n, reason: 'clawback', caused_by: issuer, event_index: 0 };
  const place = { operation: 'clawback', operation_index: 1 };
  assert.deepEqual(lossesOf({ steps })[1], { account: wallet, ...lost, ...place });
  const [own] = lossesOf({ steps: [clawedBack(wallet)], source: issuer, form: 'fee_bump' });
  assert.equal(own?.caused_by, issuer, 'the source of the inner transaction');
});

test('a failed transaction takes nothing', () => {
  const failed = [xdr.OperationResult.opInner(Tr.clawback(xdr.ClawbackResult.clawbackUnderfunded()))];
  assert.deepEqual(lossesOf({ steps: [clawedBack(wallet)], failed }), []);
});

/** An authorization of a function of a contract, below another call or not. */
function authorization(credentials: xdr.SorobanCredentials, function_name: string, nested = false) {
  const invocation = (called: string, name: string, subInvocations: xdr.SorobanAuthorizedInvocation[]) =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
        new xdr.InvokeContractArgs({
          contractAddress: new Address(called).toScAddress(),
          functionName: name,
          args: [],
        }),
      ),
      subInvocations,
    });
  const own = invocation(contract, function_name, []);
  return new xdr.SorobanAuthorizationEntry({
    credentials,
    rootInvocation: nested ? invocation(evil, 'do_it', [own]) : own,
  });
}

const bySource = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
const by = (who: string) =>
  xdr.SorobanCredentials.sorobanCredentialsAddress(
    new xdr.SorobanAddressCredentials({
      address: new Address(who).toScAddress(),
      nonce: 1n,
      signatureExpirationLedger: 9,
      signature: xdr.ScVal.scvVoid(),
    }),
  );

test('a clawback by the contract’s admin counts, and names the admin, who need not be the issuer', () => {
  const events = [event('clawback', [wallet], i128(7n))];
  const admin = Keypair.random().publicKey();
  const lost = { account: wallet, ...USD, amount_stroops: 7n, reason: 'clawback', ...CALLED };
  const cases: [string, Step][] = [
    [
      payer,
      call(events, [], { contract, function: 'clawback', auth: [authorization(bySource, 'clawback')] }),
    ],
    [
      admin,
      call(events, [], { contract, function: 'clawback', auth: [authorization(by(admin), 'clawback')] }),
    ],
    [
      admin,
      call(events, [], {
        contract: evil,
        function: 'do_it',
        auth: [authorization(by(admin), 'clawback', true)],
      }),
    ],
    // A contract that is the admin: it authorizes by calling.
    [evil, call(events, [], { contract: evil, function: 'do_it' })],
  ];
  for (const [caused_by, step] of cases)
    assert.deepEqual(lossesOf({ steps: [step] }), [{ ...lost, caused_by }]);
});

test('before protocol 23 the admin stood in the event too', () => {
  const [lost, ...more] = lossesOf({
    steps: [call([event('clawback', [issuer, wallet], i128(7n))])],
    meta: 'v3',
  });
  assert.deepEqual([lost?.account, lost?.amount_stroops, more], [wallet, 7n, []]);
});

test('a transfer or burn of the account’s balance counts in a call of others, and names who authorized it', () => {
  const spender = Keypair.random().publicKey();
  const auth = [authorization(by(spender), 'transfer_from')];
  const events = [
    transferEvent(wallet, evil, 5n, usd),
    transferEvent(wallet, other, toMuxed(6n, u64(1n)), usd),
    event('burn', [wallet], i128(7n)),
    transferEvent(other, wallet, 8n, usd),
  ];
  const lost = lossesOf({ steps: [call(events, [], { contract: evil, function: 'do_it', auth })] });
  assert.deepEqual(
    lost
      .filter(({ account }) => account === wallet)
      .map((each) => [each.reason, each.amount_stroops, each.event_index, each.caused_by]),
    [
      ['contract_transfer', 5n, 0, spender],
      ['contract_transfer', 6n, 1, spender],
      ['contract_burn', 7n, 2, spender],
    ],
  );
});

test('a transfer in a transaction of which the account is a source is left to withdrawals and unmatched transactions', () => {
  const moved = [transferEvent(wallet, other, 5n, usd), event('burn', [wallet], i128(7n))];
  const own: Made[] = [
    { steps: [call(moved)], source: wallet },
    { steps: [call(moved)], form: 'fee_bump', fee_source: wallet },
    { steps: [call(moved, [], { source: wallet })] },
  ];
  for (const made of own) assert.deepEqual(lossesOf(made), []);
  const clawback = call([event('clawback', [wallet], i128(7n))], [], { source: wallet });
  assert.equal(lossesOf({ steps: [clawback] }).length, 1, 'a clawback is nobody’s withdrawal');
});

const look_alikes: Record<string, xdr.ContractEvent> = {
  'an event by the contract of somebody else': event('clawback', [wallet], i128(7n), usd, evil),
  'an event that names another asset': event(
    'clawback',
    [wallet],
    i128(7n),
    new Asset('EUR', issuer),
    contract,
  ),
  'a clawback from a contract': event('clawback', [evil], i128(7n)),
  'a clawback of 0': event('clawback', [wallet], i128(0n)),
  'a transfer by the issuer, which has no balance of its asset': transferEvent(issuer, other, 5n, usd),
  'an allowance': event('approve', [wallet, other], i128(7n)),
};
for (const [name, made] of Object.entries(look_alikes)) {
  test(`takes nothing: ${name}`, () => assert.deepEqual(lossesOf({ steps: [call([made])] }), []));
}

const unreadable: Record<string, xdr.ContractEvent> = {
  'a clawback of more than a balance can be': event('clawback', [wallet], i128(2n ** 63n)),
  'a clawback of a negative amount': event('clawback', [wallet], i128(-1n)),
  'a clawback without an account': event('clawback', [], i128(7n)),
  'a burn with a topic more than is known': event('burn', [wallet, other], i128(7n)),
};
for (const [name, made] of Object.entries(unreadable)) {
  test(`never passed over: ${name}`, () => assert.throws(() => lossesOf({ steps: [call([made])] }), Error));
}

test('events that the result does not prove take nothing: the transaction cannot be read', () => {
  const called = ledgerTransaction({ steps: [call([event('clawback', [wallet], i128(7n))])] });
  const more = ledgerTransaction({ steps: [call([event('clawback', [wallet], i128(700n))])] });
  const open = openTransaction(NETWORK, { ...called, meta: more.meta });
  assert.throws(() => lossesIn(NETWORK, open), /not those of the result/);
});

// trust lines

const NONE = 0;
const FULL = 1;
const MAINTAIN = 2;
const CLAWBACK = 4;

function line(flags: number, account = wallet, asset = usd): xdr.LedgerEntry {
  const data = xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(account)),
      asset: asset.toTrustLineXdrObject(),
      balance: 5n,
      limit: 9n,
      flags,
      ext: xdr.TrustLineEntryExt.v0(),
    }),
  );
  return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 7, data, ext: xdr.LedgerEntryExt.v0() });
}

const changed = (before: number, after: number, account = wallet): xdr.LedgerEntryChange[] => [
  xdr.LedgerEntryChange.ledgerEntryState(line(before, account)),
  xdr.LedgerEntryChange.ledgerEntryUpdated(line(after, account)),
];

const flagged = (changes: xdr.LedgerEntryChange[]): Step => ({
  operation: Operation.setTrustLineFlags({
    trustor: wallet,
    asset: usd,
    flags: { authorized: false },
    source: issuer,
  }),
  result: Tr.setTrustLineFlags(xdr.SetTrustLineFlagsResult.setTrustLineFlagsSuccess()),
  changes,
});
const allowed = (changes: xdr.LedgerEntryChange[]): Step => ({
  operation: Operation.allowTrust({ trustor: wallet, assetCode: 'USD', authorize: true, source: issuer }),
  result: Tr.allowTrust(xdr.AllowTrustResult.allowTrustSuccess()),
  changes,
});
const byContract = (changes: xdr.LedgerEntryChange[]): Step => ({
  ...call([event('set_authorized', [wallet], xdr.ScVal.scvBool(false))], [], {
    contract,
    function: 'set_authorized',
    auth: [authorization(by(other), 'set_authorized')],
    source: issuer,
  }),
  changes,
});

const STATES: [number, number, Adjustment['reason']][] = [
  [FULL, MAINTAIN, 'maintain_liabilities'],
  [FULL | CLAWBACK, NONE | CLAWBACK, 'authorization_revoked'],
  [MAINTAIN, NONE, 'authorization_revoked'],
  [NONE, MAINTAIN, 'maintain_liabilities'],
  [NONE, FULL, 'authorized'],
  [MAINTAIN, FULL, 'authorized'],
];

test('the entry says which of the three states a trust line has after each way to set it', () => {
  for (const [before, after, reason] of STATES) {
    const expected = {
      account: wallet,
      ...USD,
      amount_stroops: 0n,
      reason,
      operation_index: 0,
      event_index: 0,
    };
    const changes = changed(before, after);
    const ways = [flagged(changes), allowed(changes), byContract(changes)];
    const operations = ['set_trust_line_flags', 'allow_trust', 'invoke_host_function'];
    for (const [index, step] of ways.entries())
      assert.deepEqual(changesOf({ steps: [step] }), [
        { ...expected, operation: operations[index], caused_by: index === 2 ? other : issuer },
      ]);
  }
});

test('a trust line that is as before has not changed, whatever operation or event there was', () => {
  for (const state of [NONE, FULL, MAINTAIN])
    for (const step of [flagged, allowed, byContract])
      assert.deepEqual(changesOf({ steps: [step(changed(state, state))] }), []);
  assert.deepEqual(changesOf({ steps: [flagged([])] }), []);
  const sandwich = [flagged(changed(NONE, FULL)), allowed(changed(FULL, NONE))];
  assert.deepEqual(changesOf({ steps: sandwich }), [], 'authorized for this transaction only');
});

test('two changes of one line are one, at the last operation that set it', () => {
  const steps = [flagged(changed(NONE, MAINTAIN)), flagged(changed(MAINTAIN, FULL))];
  const changes = changesOf({ steps });
  assert.deepEqual(
    changes?.map(({ reason, operation_index }) => [reason, operation_index]),
    [['authorized', 1]],
  );
});

test('another account’s line, and one that is gone after the transaction, are no change', () => {
  assert.deepEqual(changesOf({ steps: [flagged(changed(FULL, NONE, other))] }), []);
  const [state] = changed(FULL, NONE);
  const gone = xdr.LedgerEntryChange.ledgerEntryRemoved(
    xdr.LedgerKey.trustline(
      new xdr.LedgerKeyTrustLine({
        accountId: xdr.PublicKey.publicKeyTypeEd25519(publicKeyOf(wallet)),
        asset: usd.toTrustLineXdrObject(),
      }),
    ),
  );
  assert.deepEqual(changesOf({ steps: [flagged([state as xdr.LedgerEntryChange, gone])] }), []);
});

test('without a meta, or with one that does not decode, nothing is known of the line', () => {
  assert.equal(changesOf({ steps: [flagged([])], meta: null }), null);
  const transaction = ledgerTransaction({ steps: [flagged(changed(FULL, NONE))] });
  const orders = lineOrdersIn(NETWORK, openTransaction(NETWORK, transaction));
  assert.equal(lineChanges(transaction.meta?.subarray(0, -4) ?? null, orders), null);
  assert.deepEqual(lineChanges(null, []), []);
});

test('the envelope of everything that is found mentions the account', () => {
  const filter = createAccountFilter();
  filter.add(wallet);
  const made: Step[] = [
    clawedBack(muxedAddress(wallet, 3n)),
    flagged([]),
    allowed([]),
    byContract([]),
    call([event('clawback', [wallet], i128(7n))]),
    call([transferEvent(wallet, StrKey.encodeContract(Buffer.alloc(32, 1)), 5n, usd)]),
  ];
  for (const step of made) assert.ok(filter.mentionedIn(ledgerTransaction({ steps: [step] }).envelope));
});
