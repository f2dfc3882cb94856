import { test } from 'node:test';
import { Asset, Keypair, scValToNative } from '@stellar/stellar-sdk/base';
import { contractWallet, prepareTransfer, walletPayment } from '../../testing/contract-wallet.ts';
import { fund, sandboxFor } from '../../testing/rpc-client.ts';

test('probe', async (t) => {
  const { sandbox, server } = await sandboxFor(t);
  const [a, b] = (await fund(sandbox, 2)) as [Keypair, Keypair];
  const run = async (tx: any) => {
    const sent = await server.sendTransaction(tx);
    console.log(tx.fee, JSON.stringify(sent.errorResult?.toJson()), sent.status);
    sandbox.closeLedger();
    const r: any = await server.getTransaction(Buffer.from(tx.hash()).toString('hex'));
    console.log(
      r.status,
      JSON.stringify(r.resultXdr.toJson()),
      JSON.stringify(
        r.events.contractEventsXdr[0]?.map((e: any) => String(scValToNative(e.body.value.data))),
      ),
      JSON.stringify(r.resultMetaXdr.toJson().v4.soroban_meta),
      JSON.stringify(r.resultMetaXdr.toJson().v4.diagnostic_events),
    );
  };
  const tx = await prepareTransfer(server, a, {
    asset: Asset.native(),
    from: a.publicKey(),
    to: b.publicKey(),
    amount: 5n,
  });
  tx.sign(a);
  await run(tx);
  const w = contractWallet(Keypair.random());
  const tx2 = await prepareTransfer(server, a, {
    asset: Asset.native(),
    from: a.publicKey(),
    to: w.address,
    amount: 50n,
  });
  tx2.sign(a);
  await run(tx2);
  const tx3 = await walletPayment(server, a, w, { asset: Asset.native(), to: b.publicKey(), amount: 20n });
  await run(tx3);
});
