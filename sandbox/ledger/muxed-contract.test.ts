import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { StrKey, xdr } from '@stellar/stellar-sdk/base';
import { AssetContracts, EventSink } from './events.ts';
import { muxedContract } from './missing-arms.ts';
import { muxedContractAddress, muxedContractOf, parseMuxedContract } from './muxed-contract.ts';

/** Made by another implementation: see its README. */
const RECORDINGS = new URL('../testing/recordings/protocol-30/', import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, RECORDINGS), 'utf8'));

type Vector = { id: string; contract: string; muxed: string; sc_address_xdr: string };
const { valid, invalid }: { valid: Vector[]; invalid: Record<string, string> } = read('muxed-contracts.json');

test('a W… address and the XDR of a muxed contract say the same contract and id', () => {
  for (const { id, contract, muxed, sc_address_xdr } of valid) {
    const address = { contract_id: StrKey.decodeContract(contract), muxed_id: BigInt(id) };
    assert.equal(muxedContractAddress(address), muxed);
    const parsed = parseMuxedContract(muxed);
    assert.ok(parsed !== null);
    assert.deepEqual(
      [Buffer.from(parsed.contract_id), parsed.muxed_id],
      [Buffer.from(address.contract_id), BigInt(id)],
    );
    assert.equal(muxedContract(parsed.contract_id, parsed.muxed_id).toXdr('base64'), sc_address_xdr);
    const decoded = muxedContractOf(xdr.ScAddress.fromXdr(sc_address_xdr, 'base64').toXdrObject());
    assert.equal(decoded && muxedContractAddress(decoded), muxed);
  }
});

for (const [name, text] of Object.entries({
  ...invalid,
  'an address of a contract': valid[0]?.contract ?? '',
})) {
  test(`no muxed contract is read from ${name}`, () => {
    assert.equal(parseMuxedContract(text), null);
  });
}

test('an event names the plain contract and the id of a muxed destination, as the vector does', () => {
  const { envelope_xdr, event_xdr } = read('transfer-to-muxed.json');
  const envelope = xdr.TransactionEnvelope.schema.decode(Buffer.from(envelope_xdr, 'base64'));
  assert.equal(Buffer.from(xdr.TransactionEnvelope.schema.encode(envelope)).toString('base64'), envelope_xdr);
  const expected = xdr.ContractEvent.schema.decode(Buffer.from(event_xdr, 'base64'));
  const [, from, to, name] = expected.body.v0.topics;
  assert.ok(from?.type === 18 && from.address.type === 0 && to?.type === 18 && name?.type === 14);
  const [code = '', issuer = ''] = name.str.toString().split(':');
  const asset = {
    type: 1 as const,
    alphaNum4: {
      assetCode: Buffer.from(code),
      issuer: { type: 0 as const, ed25519: StrKey.decodeEd25519PublicKey(issuer) },
    },
  };
  const sink = new EventSink(new AssetContracts('Test SDF Network ; September 2015'), { type: 0 });
  const id = 9007199254740993n;
  sink.transfer(asset, from.address.accountId, { address: to.address, id }, 12345678900n, 'with_muxed_id');
  const body = (event: xdr.ContractEventWire | undefined) =>
    event && Buffer.from(xdr.ContractEventBody.schema.encode(event.body)).toString('base64');
  assert.equal(body(sink.events[0]), body(expected));
});
