/** The service itself: its version and network, and the test payment on the sandbox. */
import { z } from 'zod';
import { type Config, NETWORKS } from '../config.ts';
import type { Deps } from '../deps.ts';
import { envelope, envelopeSchema } from '../http/envelope.ts';
import type { HttpApp } from '../http/http-app.ts';
import { ACCOUNT, MEMO_ID } from '../http/sample-values.ts';
import { AssetCode, AssetIssuer, assetInBody, MemoId, readAsset, Stroops } from '../http/schemas.ts';
import { AppError } from '../lib/errors.ts';
import { version } from '../lib/version.ts';
import { parseAddress } from '../stellar/address.ts';
import type { AssetFields } from '../stellar/asset.ts';
import { KNOWN_PROTOCOL } from '../stellar/protocol/known-protocol.ts';
import { protocolReport } from '../stellar/sources/protocol-report.ts';
import type { SourceReport } from '../stellar/stellar.ts';
import { knownAssets } from '../withdrawals/trust-lines/known-assets.ts';
import type { KnownSources } from './known-sources.ts';

const Links = z.object({
  transaction: z.string().meta({ description: 'URL of a transaction, with {hash} as placeholder' }),
  account: z
    .string()
    .meta({ description: 'URL of an account, with {account} as placeholder for a G… address' }),
});

const TestAsset = z
  .object({
    asset_code: AssetCode,
    asset_issuer: AssetIssuer,
    note: z.string().meta({ description: 'What its issuer can do, in words' }),
  })
  .meta({ id: 'TestAsset' });

const SourceProtocol = z
  .object({
    source: z.int().meta({
      description:
        'Its place in the configuration, from 1 on: the RPC servers come before the Horizon servers',
    }),
    network_protocol: z.int().nullable().meta({
      description: 'The protocol of the network as this source has it; null when it does not tell it',
    }),
    supported_protocol: z.int().nullable().meta({
      description: 'The highest protocol that the source supports; null when it does not tell it',
    }),
  })
  .meta({ id: 'SourceProtocol' });

const ServiceResource = z
  .object({
    name: z.literal('Stellar Teller'),
    version: z.string(),
    network: z.enum(['sandbox', 'testnet', 'public']),
    passphrase: z.string(),
    explorer: Links.nullable().meta({
      description: 'Web pages about transactions and accounts; null when none are known for this network',
    }),
    known_assets: z.array(z.object({ asset_code: z.string(), asset_issuer: z.string() })).meta({
      description: 'The issued assets of this network that the service knows by itself',
    }),
    network_protocol: z.int().nullable().meta({
      description: 'The protocol of the network, the highest that a source tells; null while none does',
    }),
    known_protocol: z.int().meta({
      description: 'The highest protocol of the network that this version of the service reads',
    }),
    sources: z.array(SourceProtocol).meta({
      description:
        'The sources of the network, in the order of the configuration; those that have not answered yet are left out',
    }),
    test_assets: z.array(TestAsset).meta({
      description: 'Issued assets that `payOnSandbox` pays; empty on other networks than the sandbox',
    }),
  })
  .meta({ id: 'Service' });

const PayBody = z.strictObject({
  destination: z
    .string()
    .max(100)
    .meta({ description: 'G… or M… address', pattern: '^(G[A-Z2-7]{55}|M[A-Z2-7]{68})$' }),
  amount_stroops: Stroops,
  memo_id: MemoId.optional(),
  ...assetInBody,
});

export function networkRoutes(
  app: HttpApp,
  { config }: Pick<Deps, 'config'>,
  knownSources: KnownSources,
): void {
  let loaded: ReturnType<typeof testAssetsOf> | null = null;
  const testAssets = () => {
    loaded ??= testAssetsOf(config);
    return loaded;
  };

  app.get(
    '/v1/service',
    {
      config: { access: 'public', errors: [], client: 'service.get' },
      schema: {
        operationId: 'getService',
        tags: ['service'],
        summary: 'Get service',
        description: 'Version of the service, its Stellar network, and the protocols that both know.',
        response: { 200: envelopeSchema(ServiceResource) },
      },
    },
    async (_request, reply) => {
      const { network, passphrase } = config;
      const explorer = await explorerOf(config);
      const test_assets = await testAssets();
      const known_assets = knownAssets(passphrase);
      const name = 'Stellar Teller' as const;
      const protocols = protocolsOf(await knownSources());
      const assets = { known_assets, test_assets };
      const service = { name, version, network, passphrase, explorer, ...assets, ...protocols };
      return reply.code(200).send(envelope(200, service));
    },
  );

  app.post(
    '/v1/sandbox/pay',
    {
      config: {
        access: 'login',
        roles: 'addressers',
        step_up: 'never',
        awaits_outcome: true,
        errors: ['not_found', 'sandbox_payment_failed', 'network_unavailable'],
        client: 'sandbox.pay',
        examples: { body: { destination: ACCOUNT, amount_stroops: 25_000_000, memo_id: MEMO_ID } },
      },
      schema: {
        operationId: 'payOnSandbox',
        tags: ['service'],
        summary: 'Pay on sandbox',
        description:
          'Only on the sandbox: pays an address from a funded test account, like a customer. A test asset is paid ' +
          'by its issuer.',
        body: PayBody,
        response: {
          201: envelopeSchema(z.object({ stellar_tx_hash: z.string() })),
        },
      },
    },
    async (request, reply) => {
      if (config.network !== 'sandbox')
        throw new AppError('not_found', 'Test payments exist only on the sandbox.');
      const { destination, amount_stroops, memo_id } = request.body;
      if (!parseAddress(destination)) throw notAnAddress();
      const asset = readAsset(request.body);
      if (!isTestAsset(asset, await testAssets())) throw notATestAsset();
      const { payFromSandbox } = await import('../sandbox/sandbox-network.ts');
      const payment = { destination, amount_stroops, memo_id, asset };
      const paid = await payFromSandbox(config, payment).catch((error: Error) => {
        throw new AppError('sandbox_payment_failed', error.message, { cause: error });
      });
      return reply.code(201).send(envelope(201, { stellar_tx_hash: paid.hash }));
    },
  );
}

function protocolsOf(reports: SourceReport[]) {
  return {
    network_protocol: protocolReport(reports).network,
    known_protocol: KNOWN_PROTOCOL,
    sources: reports.map(({ source, protocols: { network, supported } }) => {
      return { source, network_protocol: network, supported_protocol: supported };
    }),
  };
}

function notAnAddress(): AppError {
  return new AppError('invalid_request', 'The destination is not a Stellar address.', {
    details: [{ path: '/destination', message: 'must be a G… or M… address' }],
  });
}

function isTestAsset({ asset_code, asset_issuer }: AssetFields, known: AssetFields[]): boolean {
  const same = (one: AssetFields) => one.asset_code === asset_code && one.asset_issuer === asset_issuer;
  return asset_issuer === null || known.some(same);
}

function notATestAsset(): AppError {
  return new AppError('invalid_request', 'The sandbox cannot pay this asset.', {
    details: [{ path: '/asset_issuer', message: 'must be the issuer of a test asset: see getService' }],
  });
}

/** Returns the test assets; an empty list on other networks than the sandbox. Only on the sandbox is its code loaded. */
async function testAssetsOf(config: Config) {
  if (config.network !== 'sandbox') return [];
  return (await import('../sandbox/sandbox-network.ts')).testAssetsOf(config);
}

/**
 * Returns the URLs of web pages about transactions and accounts. Null for another network of the same name, which its passphrase
 * shows: no web pages about it are known. Null also for a sandbox whose URL is not known.
 */
async function explorerOf(config: Config): Promise<z.input<typeof Links> | null> {
  const { network, passphrase } = config;
  if (passphrase !== NETWORKS[network].passphrase) return null;
  if (network !== 'sandbox') {
    const site = `https://stellar.expert/explorer/${network}`;
    return { transaction: `${site}/tx/{hash}`, account: `${site}/account/{account}` };
  }
  const { sandboxRpcUrl } = await import('../sandbox/sandbox-network.ts');
  const rpc_url = sandboxRpcUrl(config);
  if (!rpc_url) return null;
  const page = `${new URL(rpc_url).origin}/#`;
  return { transaction: `${page}/transactions/{hash}`, account: `${page}/accounts/{account}` };
}
