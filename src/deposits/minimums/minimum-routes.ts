import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { envelope, envelopeSchema } from '../../http/envelope.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { AssetAmount, arrayOf, GivenAssetAmount, Id, readAsset } from '../../http/schemas.ts';
import { AppError } from '../../lib/errors.ts';
import { assetText } from '../../stellar/asset.ts';
import { listMinimums, type Minimum } from './minimum-store.ts';
import { setMinimums } from './minimums.ts';

const MAX_MINIMUMS = 100;

const MinimumsBody = z.strictObject({
  items: arrayOf(
    z
      .array(GivenAssetAmount, 'must be an array of minimums')
      .max(MAX_MINIMUMS, `must have at most ${MAX_MINIMUMS} assets`),
  ).meta({ description: 'The minimums of every asset, in place of all before; [] removes all' }),
});
const Minimums = z
  .object({ items: z.array(AssetAmount) })
  .meta({ id: 'DepositMinimums', description: 'Deposits below these amounts are not announced' });
const WalletParams = z.object({ id: Id });

export function minimumRoutes(app: HttpApp, deps: Deps): void {
  app.get(
    '/v1/wallets/:id/deposit-minimums',
    {
      config: {
        access: 'key',
        roles: 'everyone',
        scopes: ['read'],
        errors: [],
        client: 'deposits.get_minimums',
      },
      schema: {
        operationId: 'getDepositMinimums',
        tags: ['deposits'],
        summary: 'Read deposit minimums',
        description:
          'The smallest deposits, by asset, that an event announces. An asset that is not listed has no minimum.',
        params: WalletParams,
        response: { 200: envelopeSchema(Minimums) },
      },
    },
    async (request, reply) =>
      reply.code(200).send(envelope(200, { items: await listMinimums(deps.reads, request.wallet.id) })),
  );

  app.put(
    '/v1/wallets/:id/deposit-minimums',
    {
      config: {
        access: 'login',
        roles: 'owners',
        step_up: 'always', // a high minimum hides deposits from the integration
        errors: [],
        client: 'deposits.replace_minimums',
        examples: { body: { items: [{ amount_stroops: 10_000 }] } },
      },
      schema: {
        operationId: 'replaceDepositMinimums',
        tags: ['deposits'],
        summary: 'Replace deposit minimums',
        description:
          'Deposits below the minimum of their asset are recorded and listed with `below_minimum: true`; no event and no delivery is ' +
          'made for them. It holds for the deposits that are recorded afterwards.',
        params: WalletParams,
        body: MinimumsBody,
        response: { 200: envelopeSchema(Minimums) },
      },
    },
    async (request, reply) => {
      const minimums = readEntries(request.body.items);
      return reply.code(200).send(envelope(200, { items: await setMinimums(deps, request, minimums) }));
    },
  );
}

/** @throws AppError `invalid_request` for an asset that is named twice or by half */
function readEntries(entries: z.output<typeof GivenAssetAmount>[]): Minimum[] {
  const seen = new Set<string>();
  return entries.map((entry, index) => {
    const at = `/items/${index}`;
    const asset = readAsset(entry, at);
    const name = assetText(asset);
    if (seen.has(name))
      throw new AppError('invalid_request', `The asset ${name} is listed twice.`, {
        details: [{ path: at, message: 'names an asset again' }],
      });
    seen.add(name);
    return { ...asset, amount_stroops: entry.amount_stroops };
  });
}
