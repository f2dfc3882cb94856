import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Operation, StrKey, xdr } from '@stellar/stellar-sdk/base';
import { muxedContractAddress } from '../ledger/muxed-contract.ts';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { effectsOf } from './effects.ts';
import { operationFields } from './operation-fields.ts';
import { applied, party } from './testing/applied.ts';

const alice = party(1);
const bob = party(2);
const issuer = party(3);
const usd = new Asset('USD', issuer.address);
const USD = { asset_type: 'credit_alphanum4', asset_code: 'USD', asset_issuer: issuer.address };
const vault = StrKey.encodeContract(Buffer.alloc(32, 7));

const symbol = (name: string): xdr.ScValWire => ({ type: 15, sym: new xdr.XdrString(name) });
const text = (value: string): xdr.ScValWire => ({ type: 14, str: new xdr.XdrString(value) });
const i128 = (lo: bigint, hi = 0n): xdr.ScValWire => ({ type: 10, i128: { hi, lo } });
const G = ({ id }: typeof alice): xdr.ScValWire => ({ type: 18, address: { type: 0, accountId: id } });
const C = (contract: string): xdr.ScValWire => {
  return { type: 18, address: { type: 1, contractId: StrKey.decodeContract(contract) } };
};
const withId = (amount: bigint, id: xdr.ScValWire): xdr.ScValWire => {
  const map = [
    { key: symbol('amount'), val: i128(amount) },
    { key: symbol('to_muxed_id'), val: id },
  ];
  return { type: 17, map };
};

const usdContract = usd.contractId(SANDBOX_PASSPHRASE);
const usdName = text(`USD:${issuer.address}`);

function event(topics: xdr.ScValWire[], data: xdr.ScValWire, contract = usdContract): xdr.ContractEventWire {
  const body: xdr.ContractEventBodyWire = { v: 0, v0: { topics, data } };
  return { ext: { v: 0 }, contractId: StrKey.decodeContract(contract), type: 1, body };
}

function invoked(events: xdr.ContractEventWire[], failed = false) {
  const operation = Operation.invokeContractFunction({
    contract: usdContract,
    function: 'transfer',
    args: [],
  });
  return applied(operation, { source: alice, events, failed });
}

test('a contract pays a muxed account: shown with the id, credited under it, debited to the contract', () => {
  const at = invoked([
    event(
      [symbol('transfer'), C(vault), G(bob), usdName],
      withId(15_000_000n, { type: 5, u64: 2n ** 64n - 1n }),
    ),
  ]);
  assert.deepEqual(operationFields(at), {
    type: 'invoke_host_function',
    type_i: 24,
    function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
    parameters: [
      { value: base64(C(usdContract)), type: 'Address' },
      { value: base64(symbol('transfer')), type: 'Sym' },
    ],
    address: '',
    salt: '',
    asset_balance_changes: [
      {
        ...USD,
        type: 'transfer',
        from: vault,
        to: bob.address,
        amount: '1.5000000',
        destination_muxed_id: '18446744073709551615',
      },
    ],
  });
  assert.deepEqual(effectsOf(at), [
    {
      account: alice.address,
      type: 'contract_debited',
      type_i: 97,
      ...USD,
      amount: '1.5000000',
      contract: vault,
    },
    {
      account: bob.address,
      account_muxed: bob.muxed(2n ** 64n - 1n),
      account_muxed_id: '18446744073709551615',
      type: 'account_credited',
      type_i: 2,
      ...USD,
      amount: '1.5000000',
    },
  ]);
});

test('an account pays a contract in the native asset', () => {
  const contract = Asset.native().contractId(SANDBOX_PASSPHRASE);
  const topics = [symbol('transfer'), G(alice), C(vault), text('native')];
  const fields = { asset_type: 'native', amount: '0.0000001' };
  assert.deepEqual(effectsOf(invoked([event(topics, i128(1n), contract)])), [
    { account: alice.address, type: 'account_debited', type_i: 3, ...fields },
    { account: alice.address, type: 'contract_credited', type_i: 96, ...fields, contract: vault },
  ]);
});

test('a muxed contract is credited under its contract, with address and id', () => {
  const id = 2n ** 64n - 1n;
  const fields = { ...USD, amount: '0.0000001' };
  const [, credited] = effectsOf(
    invoked([event([symbol('transfer'), G(alice), C(vault), usdName], withId(1n, { type: 5, u64: id }))]),
  );
  const muxed = muxedContractAddress({ contract_id: StrKey.decodeContract(vault), muxed_id: id });
  const contract = { contract: vault, contract_muxed: muxed, contract_muxed_id: `${id}` };
  assert.deepEqual(credited, {
    account: alice.address,
    type: 'contract_credited',
    type_i: 96,
    ...fields,
    ...contract,
  });
});

test('what is minted is credited; what is burned or clawed back is debited; i128 may exceed int64', () => {
  const at = invoked([
    event([symbol('mint'), G(bob), usdName], i128(0n, 1n)),
    event([symbol('burn'), G(bob), usdName], i128(1n)),
    event([symbol('clawback'), C(vault), usdName], i128(2n)),
  ]);
  assert.deepEqual(
    effectsOf(at).map(({ type, account, contract, amount }) => [type, contract ?? account, amount]),
    [
      ['account_credited', bob.address, '1844674407370.9551616'],
      ['account_debited', bob.address, '0.0000001'],
      ['contract_debited', vault, '0.0000002'],
    ],
  );
  const [mint, burn] = operationFields(at).asset_balance_changes as object[];
  assert.deepEqual(mint, { ...USD, type: 'mint', to: bob.address, amount: '1844674407370.9551616' });
  assert.deepEqual(burn, { ...USD, type: 'burn', from: bob.address, amount: '0.0000001' });
});

const transfer = [symbol('transfer'), G(alice), G(bob), usdName];
const foreign: [why: string, event: xdr.ContractEventWire][] = [
  ["of another contract that claims to be the asset's", event(transfer, i128(1n), vault)],
  ['of another asset', event(transfer.with(3, text('native')), i128(1n))],
  ['with a name that is no asset', event(transfer.with(3, text('USD:nobody')), i128(1n))],
  ['of another kind', event(transfer.with(0, symbol('approve')), i128(1n))],
  ['with too few topics', event(transfer.toSpliced(2, 1), i128(1n))],
  ['with an empty map', event(transfer, { type: 17, map: [] })],
  ['with a text for a muxed id, as only classic payments have', event(transfer, withId(1n, text('7')))],
  ['with no contract', { ...event(transfer, i128(1n)), contractId: null }],
];
for (const [why, forged] of foreign) {
  test(`an event ${why} counts for nothing, and does not hide those that count`, () => {
    const at = invoked([forged, event(transfer, i128(5n))]);
    assert.equal((operationFields(at).asset_balance_changes as object[]).length, 1);
    assert.deepEqual(
      effectsOf(at).map(({ amount }) => amount),
      ['0.0000005', '0.0000005'],
    );
  });
}

test('without events, and in a failed transaction, there are no changes of balances: null, not an empty list', () => {
  assert.equal(operationFields(invoked([])).asset_balance_changes, null);
  assert.equal(operationFields(invoked([], true)).asset_balance_changes, null);
});

function base64(value: xdr.ScValWire): string {
  return Buffer.from(xdr.ScVal.schema.encode(value)).toString('base64');
}
