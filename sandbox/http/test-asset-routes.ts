import { Keypair } from '@stellar/stellar-sdk/base';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refusalHandler } from '../explorer/refusal.ts';
import type { Issuers } from '../issuers.ts';
import type { Log } from '../log.ts';
import { findTestAsset, testAssets } from '../test-assets.ts';
import { walletAddress } from '../test-contracts.ts';
import { accountAddress, amount, bodyOf, contractAddress, memoId, refuseForeignOrigin } from './json-body.ts';

/**
 * The test assets, and what their issuers do on request; `deploy` makes a test contract. Every answer comes when a ledger has the transaction:
 * `{hash, ledger}`, or `{error: {code, message}}` with the network's reason.
 */
export function registerTestAssets(
  server: FastifyInstance,
  { issuers, passphrase, log }: { issuers: Issuers; passphrase: string; log: Log },
): void {
  const assets = testAssets(passphrase);
  const codes = assets.map(({ asset_code }) => asset_code);
  const words = `There is no such test asset. There are ${codes.join(', ')}.`;
  const asset = z.string().transform((text, context) => {
    const found = findTestAsset(assets, text);
    if (found !== undefined) return found;
    context.addIssue(words);
    return z.NEVER;
  });
  const payBody = z.strictObject({
    asset,
    destination: accountAddress,
    amount,
    memo_id: memoId.optional(),
  });
  const lineBody = z.strictObject({ asset, account: accountAddress });
  const clawBackBody = lineBody.extend({ amount });
  const deployBody = z.strictObject({
    contract: contractAddress.optional(),
    state: z.enum(['live', 'archived']).optional(),
  });

  server.register(
    async (routes) => {
      routes.setErrorHandler(refusalHandler(log));
      routes.addHook('onRequest', async (request) => refuseForeignOrigin(request));
      routes.get('/', async () => ({ records: assets }));
      routes.post('/pay', async (request) => {
        const { amount: amount_stroops, ...order } = bodyOf(request, payBody);
        return await issuers.pay({ ...order, amount_stroops });
      });
      routes.post('/authorize', async (request) => await issuers.authorize(bodyOf(request, lineBody)));
      routes.post('/revoke', async (request) => await issuers.revoke(bodyOf(request, lineBody)));
      routes.post('/claw-back', async (request) => {
        const { amount: amount_stroops, ...order } = bodyOf(request, clawBackBody);
        return await issuers.clawBack({ ...order, amount_stroops });
      });
      routes.post('/deploy', async (request) => {
        const { contract, state } = bodyOf(request, deployBody);
        const key = contract === undefined ? Keypair.random() : null;
        const address = contract ?? walletAddress(passphrase, key as Keypair);
        const applied = await issuers.deploy(address, state);
        return { contract: address, ...(key && { secret: key.secret() }), ...applied };
      });
    },
    { prefix: '/test-assets' },
  );
}
