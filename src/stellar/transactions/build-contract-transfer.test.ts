import { strict as assert } from 'node:assert';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  Account,
  Address,
  Asset,
  Contract,
  Keypair,
  nativeToScVal,
  Operation,
  StrKey,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk';
import { contractAddress } from '../contract-address.ts';
import { provesOwnTransfer } from '../contracts/proven-transfer.ts';
import { checkSorobanData } from '../contracts/simulated-transfer.ts';
import { muxedContract } from '../protocol/missing-arms.ts';
import type { ContractTransfer } from '../stellar.ts';
import { transferKeys, transferPreimage } from './asset-contract.ts';
import { buildContractTransfer, transferToSimulate } from './build-contract-transfer.ts';
import { buildFeeBump } from './build-payment.ts';
import { networkId, paymentIn } from './envelope.ts';

const sha256 = (text: string) => hash('sha256', text, 'buffer');
const keyOf = (text: string) => Keypair.fromRawEd25519Seed(sha256(text));
const [wallet, channel, treasury] = ['wallet', 'channel', 'treasury'].map((name) =>
  keyOf(`teller vector ${name}`),
) as [Keypair, Keypair, Keypair];
const contract = StrKey.encodeContract(sha256('teller vector contract'));
const AMOUNT = 12_345_678n;
const TERMS = {
  tx_source_public_key: Buffer.from(channel.rawPublicKey()),
  wallet_public_key: Buffer.from(wallet.rawPublicKey()),
  sequence: 42n,
  fee_stroops: 0n,
  min_time: 0n,
  max_time: 1_800_000_000n,
};

/** Hashes of a transfer and of its fee-bump by the treasury, as the stellar-core that applied them names them. */
const VECTORS = [
  {
    passphrase: 'Standalone Network ; February 2017',
    asset: null,
    hash: '402e2252608f6307e9d6c2694ccc75adcbc0ddc6cf8d2d1ed565b33208979c00',
    fee_bump_hash: 'd92e29c3a76d4a5108183c7d4b1af0af5a611af03e7ef91b4962c67461b5790e',
  },
  {
    passphrase: 'Test SDF Network ; September 2015',
    asset: { code: 'USDC', issuer: 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5' },
    hash: '908db75e593955c5468ed6b50395e51c390d40154b64f6b050735a55acaf3afc',
    fee_bump_hash: '20f71fc2d97879564211dfb7f9386270e13afe8826c30251fdf85d097beb6e7a',
  },
  {
    passphrase: 'Public Global Stellar Network ; September 2015',
    asset: { code: 'USDC', issuer: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' },
    hash: '4cb21c0ac43babb0e88f9f7b5a65823101427eb91a884bf89fb520b9328ff23c',
    fee_bump_hash: '16e57a816628e2afef37218b86d9430385ef15f34f324c12bcf909f78cf48287',
  },
];

type Vector = (typeof VECTORS)[number];

const transferOf = (
  { asset }: Pick<Vector, 'asset'>,
  to_muxed_id: bigint | null = null,
): ContractTransfer => ({
  asset,
  from: wallet.publicKey(),
  to: contract,
  to_muxed_id,
  amount_stroops: AMOUNT,
});

function sorobanData(vector: Vector, change: (wire: any) => void = () => undefined): string {
  const { instance, issuer, paying, paid } = transferKeys(vector.passphrase, transferOf(vector));
  const keys = (names: (string | null)[]) =>
    names.flatMap((name) => (name === null ? [] : [xdr.LedgerKey.fromXdr(name, 'base64')]));
  const data = new xdr.SorobanTransactionData({
    ext: xdr.SorobanTransactionDataExt.v0(),
    resources: new xdr.SorobanResources({
      footprint: new xdr.LedgerFootprint({
        readOnly: keys([issuer, instance]),
        readWrite: keys([paying, paid]),
      }),
      instructions: 400_000,
      diskReadBytes: 400,
      writeBytes: 400,
    }),
    resourceFee: 100_000n,
  }).toXdrObject();
  change(data);
  return xdr.SorobanTransactionData.fromXdrObject(data).toXdr('base64');
}

/** The same by the SDK. `fee`: the bid beside the resource fee, which the SDK adds. */
function bySdk(vector: Vector, fee: string, to = nativeToScVal(contract, { type: 'address' })) {
  const { passphrase: networkPassphrase, asset } = vector;
  const sdkAsset = asset ? new Asset(asset.code, asset.issuer) : Asset.native();
  const from = wallet.publicKey();
  const args = [nativeToScVal(from, { type: 'address' }), to, nativeToScVal(AMOUNT, { type: 'i128' })];
  const call = new xdr.InvokeContractArgs({
    contractAddress: new Address(sdkAsset.contractId(networkPassphrase)).toScAddress(),
    functionName: 'transfer',
    args,
  });
  const auth = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(call),
      subInvocations: [],
    }),
  });
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(call);
  const options = { fee, networkPassphrase, timebounds: { minTime: 0, maxTime: 1_800_000_000 } };
  return new TransactionBuilder(new Account(channel.publicKey(), '41'), options)
    .addOperation(Operation.invokeHostFunction({ func, auth: [auth], source: from }))
    .setSorobanData(sorobanData(vector))
    .build();
}

test('a transfer has the bytes of the SDK’s, and those that a real stellar-core has applied', () => {
  for (const vector of VECTORS) {
    const measured = bySdk(vector, '100');
    assert.equal(Buffer.from(measured.hash()).toString('hex'), vector.hash);
    measured.sign(channel, wallet);
    const source_public_key = Buffer.from(treasury.rawPublicKey());
    const inner = measured.toEnvelope().toXdr('base64');
    const bump = buildFeeBump(networkId(vector.passphrase), inner, {
      source_public_key,
      fee_stroops: 100_400n,
    });
    assert.equal(bump.hash.toString('hex'), vector.fee_bump_hash);
    // On a channel the transaction itself bids nothing: its fee-bump does. All else is the measured one.
    const expected = bySdk(vector, '0');
    expected.sign(channel, wallet);
    const { passphrase } = vector;
    const soroban_data = sorobanData(vector);
    const built = buildContractTransfer(passphrase, { ...TERMS, transfer: transferOf(vector), soroban_data });
    const signatures = [channel, wallet].map((key) => ({
      public_key: Buffer.from(key.rawPublicKey()),
      signature: Buffer.from(key.sign(built.hash)),
    }));
    assert.equal(built.envelopeWith(signatures), expected.toEnvelope().toXdr('base64'));
  }
});

test('a transfer is read back from its transaction, and nothing else is taken for one', () => {
  for (const vector of VECTORS) {
    const { passphrase, asset } = vector;
    const envelope = bySdk(vector, '100').toEnvelope().toXdr('base64');
    assert.deepEqual(paymentIn(passphrase, envelope), {
      operation: 'contract_transfer',
      asset_code: asset?.code ?? 'native',
      asset_issuer: asset?.issuer ?? null,
      destination: contract,
      amount_stroops: AMOUNT,
      memo_id: null,
      memo_return: null,
    });
    assert.equal(paymentIn('another network', envelope), null, 'the contract is that of no asset there');
  }
  const [vector] = VECTORS as [Vector];
  const call = new Contract(Asset.native().contractId(vector.passphrase));
  const calls = [
    call.call('approve', nativeToScVal(wallet.publicKey(), { type: 'address' })),
    call.call(
      'transfer',
      nativeToScVal(treasury.publicKey(), { type: 'address' }),
      nativeToScVal(contract, { type: 'address' }),
      nativeToScVal(AMOUNT, { type: 'i128' }),
    ),
    call.call(
      'transfer',
      nativeToScVal(wallet.publicKey(), { type: 'address' }),
      nativeToScVal(treasury.publicKey(), { type: 'address' }),
      nativeToScVal(AMOUNT, { type: 'i128' }),
    ),
  ];
  for (const operation of calls) {
    const options = {
      fee: '100',
      networkPassphrase: vector.passphrase,
      timebounds: { minTime: 0, maxTime: 99 },
    };
    const other = new TransactionBuilder(new Account(wallet.publicKey(), '41'), options)
      .addOperation(operation)
      .setSorobanData(sorobanData(vector))
      .build();
    assert.equal(paymentIn(vector.passphrase, other.toEnvelope().toXdr('base64')), null);
  }
});

test('what is sent to be simulated is the same call, without data', () => {
  for (const vector of VECTORS) {
    const transaction = TransactionBuilder.fromXdr(
      transferToSimulate(vector.passphrase, transferOf(vector)),
      vector.passphrase,
    );
    const [sent] = transaction.operations as unknown as {
      func: xdr.HostFunction;
      auth: xdr.SorobanAuthorizationEntry[];
    }[];
    const [built] = bySdk(vector, '100').operations as unknown as {
      func: xdr.HostFunction;
      auth: xdr.SorobanAuthorizationEntry[];
    }[];
    assert.equal(sent?.func.toXdr('base64'), built?.func.toXdr('base64'));
    assert.deepEqual(
      sent?.auth.map((entry) => entry.toXdr('base64')),
      built?.auth.map((entry) => entry.toXdr('base64')),
    );
  }
});

const IDS = [0n, 7n, 2n ** 53n + 1n, 2n ** 64n - 1n];
const toMuxed = (id: bigint) => xdr.ScVal.scvAddress(muxedContract(StrKey.decodeContract(contract), id));

test('a transfer to a muxed contract has the bytes of the SDK’s, and is read back with its id', () => {
  for (const vector of VECTORS)
    for (const id of IDS) {
      const { passphrase, asset } = vector;
      const soroban_data = sorobanData(vector);
      const expected = bySdk(vector, '0', toMuxed(id));
      expected.sign(channel, wallet);
      const built = buildContractTransfer(passphrase, {
        ...TERMS,
        transfer: transferOf(vector, id),
        soroban_data,
      });
      const signatures = [channel, wallet].map((key) => ({
        public_key: Buffer.from(key.rawPublicKey()),
        signature: Buffer.from(key.sign(built.hash)),
      }));
      const envelope = built.envelopeWith(signatures);
      assert.equal(envelope, expected.toEnvelope().toXdr('base64'));
      assert.deepEqual(paymentIn(passphrase, envelope), {
        operation: 'contract_transfer',
        asset_code: asset?.code ?? 'native',
        asset_issuer: asset?.issuer ?? null,
        destination: contractAddress({ contract, muxed_id: id }),
        amount_stroops: AMOUNT,
        memo_id: null,
        memo_return: null,
      });
      // The ledger entries are those of the contract.
      const checked = checkSorobanData(passphrase, transferOf(vector, id), soroban_data);
      assert.equal(checked.soroban_data, soroban_data);
    }
});

test('only an event with the ordered id proves a transfer to a muxed contract, and one without an id a plain one', () => {
  const [vector] = VECTORS as [Vector];
  const { passphrase } = vector;
  const resultOf = (id: bigint | null) =>
    hash('sha256', transferPreimage(passphrase, transferOf(vector, id)), 'hex');
  const ids = [null, ...IDS];
  for (const ordered of ids) {
    const to = ordered === null ? undefined : toMuxed(ordered);
    const envelope = bySdk(vector, '100', to).toEnvelope().toXdr('base64');
    for (const told of ids) {
      const found = { successful: true, call_result: resultOf(told) };
      assert.equal(provesOwnTransfer(passphrase, envelope, found), told === ordered, `${ordered} ${told}`);
    }
  }
});

test('call and event of a transfer to a muxed contract are those of another implementation', () => {
  const file = join(
    import.meta.dirname,
    '../../../sandbox/testing/recordings/protocol-30/transfer-to-muxed.json',
  );
  const { envelope_xdr, event_xdr, event } = JSON.parse(readFileSync(file, 'utf8'));
  const passphrase = 'Test SDF Network ; September 2015';
  const [from, to] = event.body.v0.topics.slice(1).map((topic: any) => topic.address);
  const amount_stroops = BigInt(event.body.v0.data.map[0].val.i128);
  const to_muxed_id = BigInt(event.body.v0.data.map[1].val.u64);
  const transfer = { asset: null, from, to, to_muxed_id, amount_stroops };
  const callIn = (envelope: string) => {
    const { v1 }: any = xdr.TransactionEnvelope.fromXdr(envelope, 'base64').toXdrObject();
    return v1.tx.operations[0].body.invokeHostFunctionOp.hostFunction;
  };
  assert.deepEqual(callIn(transferToSimulate(passphrase, transfer)), callIn(envelope_xdr));
  const preimage = transferPreimage(passphrase, transfer);
  const [own] = xdr.InvokeHostFunctionSuccessPreImage.fromXdr(preimage).events;
  const theirs: any = xdr.ContractEvent.fromXdr(event_xdr, 'base64').toXdrObject();
  theirs.body.v0.topics[3] = xdr.ScVal.scvString('native').toXdrObject(); // the vector's contract is the native one
  assert.deepEqual(own?.toXdr('base64'), xdr.ContractEvent.fromXdrObject(theirs).toXdr('base64'));
});

test('archived entries may be restored: the balance, and the contract of the asset when it is written', () => {
  const [vector] = VECTORS as [Vector];
  const check = (change: (wire: any) => void) => () =>
    checkSorobanData(vector.passphrase, transferOf(vector), sorobanData(vector, change));
  const restoring = (places: number[]) => ({ v: 1, resourceExt: { archivedSorobanEntries: places } });
  assert.equal(check(() => undefined)().resource_fee_stroops, 100_000n);
  check((wire) => {
    wire.ext = restoring([1]);
  })();
  check((wire) => {
    const { footprint } = wire.resources;
    footprint.readWrite.push(footprint.readOnly.pop());
    wire.ext = restoring([1, 2]);
  })();
  const wrong: ((wire: any) => void)[] = [
    ({ resources: { footprint } }) => footprint.readWrite.push(footprint.readOnly.pop()), // written, and not archived
    (wire) => {
      wire.ext = restoring([0]); // an account is never archived
    },
    (wire) => {
      wire.ext = restoring([1, 1]);
    },
    ({ resources: { footprint } }) => footprint.readOnly.push(footprint.readWrite.pop()),
  ];
  for (const change of wrong) assert.throws(check(change));
});
