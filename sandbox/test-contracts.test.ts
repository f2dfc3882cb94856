import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Asset, Contract, Keypair } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from './passphrase.ts';
import { walletAddress } from './test-contracts.ts';
import { contractWallet, walletPayment } from './testing/contract-wallet.ts';
import { ContractWorld } from './testing/contract-world.ts';

test('a contract is there once it is deployed, and the contracts of assets always are', async (t) => {
  const world = await ContractWorld.start(t);
  const { sandbox, server, usd } = world;
  const address = walletAddress(SANDBOX_PASSPHRASE, Keypair.random());
  const instanceOf = async (contract: string) => {
    const [entry] = (await server.getLedgerEntries(new Contract(contract).getFootprint())).entries;
    if (entry?.val.type !== 'contractData' || entry.val.contractData.val.type !== 'scvContractInstance')
      return null;
    return [entry.val.contractData.val.instance.executable.type, entry.liveUntilLedgerSeq === 0];
  };
  const deploy = async (state?: 'archived') => {
    const deployed = sandbox.issuers.deploy(address, state);
    for (let ledgers = 0; ledgers < 4; ledgers++) {
      await new Promise((resolve) => setImmediate(resolve));
      sandbox.closeLedger();
    }
    await deployed;
  };
  assert.equal(await instanceOf(address), null);
  await deploy();
  assert.deepEqual(await instanceOf(address), ['contractExecutableWasm', false]);
  await deploy('archived');
  assert.deepEqual(await instanceOf(address), ['contractExecutableWasm', true]);
  for (const asset of [Asset.native(), usd])
    assert.deepEqual(await instanceOf(asset.contractId(SANDBOX_PASSPHRASE)), [
      'contractExecutableStellarAsset',
      false,
    ]);
});

test('whoever has the key of a deployed wallet can pay from it', async (t) => {
  const world = await ContractWorld.start(t);
  const key = Keypair.random();
  const wallet = contractWallet(key);
  assert.equal(wallet.address, walletAddress(SANDBOX_PASSPHRASE, key));
  const { alice, bob, server } = world;
  await world.transfer(alice, {
    asset: Asset.native(),
    from: alice.publicKey(),
    to: wallet.address,
    amount: 50n,
  });
  const order = { asset: Asset.native(), to: bob.publicKey(), amount: 20n };
  const { outcome } = await world.applied(await walletPayment(server, alice, wallet, order));
  assert.equal(outcome, 'success');
  assert.equal(await world.balance(wallet.address), 30n);
});
