import { StrKey } from '@stellar/stellar-sdk/base';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Friendbot } from '../friendbot.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { StellarNode } from '../node.ts';
import { accountView } from './account-view.ts';
import { fundAndPayRoutes } from './fund-and-pay-routes.ts';
import {
  accountsPage,
  accountTransactionsPage,
  ledgerLine,
  ledgersPage,
  transactionsPage,
} from './history.ts';
import { LiveLedgers } from './live.ts';
import { networkView } from './network-view.ts';
import { servePage } from './page.ts';
import { Refusal, refusalHandler } from './refusal.ts';
import { transactionView } from './transaction-view.ts';

const NEWEST = { ledger: 0xffffffff, order: 0 };

const limit = z.coerce.number().int().min(1).max(100).default(20);
const ledgerNumber = z
  .string()
  .regex(/^\d{1,10}$/, 'must be the number of a ledger')
  .transform(Number);
const place = z
  .string()
  .regex(/^\d{1,10}-\d{1,10}$/, 'must be the cursor of an earlier page')
  .transform((text) => {
    const [ledger = 0, order = 0] = text.split('-').map(Number);
    return { ledger, order };
  });

const ledgersQuery = z.object({ cursor: ledgerNumber.optional(), limit });
const historyQuery = z.object({ cursor: place.default(NEWEST), limit });
const transactionsQuery = historyQuery.extend({
  ledger: ledgerNumber.optional(),
  account: z.string().optional(),
});
const hash = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits');

export type ExplorerOptions = { network: Network; node: StellarNode; friendbot: Friendbot; log: Log };

/**
 * The page at the root of the network, its JSON under `/explorer/`, and new ledgers at `/live`.
 * Lists are newest first: `{records, next}`. `next` is the cursor of the next page, or null.
 */
export function explorer(server: FastifyInstance, { network, node, friendbot, log }: ExplorerOptions): void {
  servePage(server);
  const live = new LiveLedgers(network, node);
  server.get('/live', (_request, reply) => live.serve(reply));
  server.addHook('preClose', async () => live.end());

  server.register(
    async (routes) => {
      routes.setErrorHandler(refusalHandler(log));
      readRoutes(routes, node);
      fundAndPayRoutes(routes, { node, friendbot });
    },
    { prefix: '/explorer' },
  );
}

function readRoutes(routes: FastifyInstance, node: StellarNode): void {
  routes.get('/network', async () => networkView(node));

  routes.get('/ledgers', async ({ query }) => {
    const { cursor, limit } = valid(ledgersQuery, query);
    return ledgersPage(node, cursor ?? node.range.latest + 1, limit);
  });
  routes.get('/ledgers/:sequence', async ({ params }) => {
    const { sequence } = valid(z.object({ sequence: ledgerNumber }), params);
    return found(ledgerView(node, sequence), `Ledger ${sequence} is not in this network’s history.`);
  });

  routes.get('/transactions', async ({ query }) => {
    const { cursor: before, limit, ledger, account } = valid(transactionsQuery, query);
    if (account === undefined) return transactionsPage(node, { before, limit, ledger });
    return accountTransactionsPage(node, ed25519Of(account), { before, limit });
  });
  routes.get('/transactions/:hash', async ({ params }) => {
    const wanted = valid(z.object({ hash }), params).hash;
    const row = node.transaction(Buffer.from(wanted, 'hex'));
    return found(row && transactionView(node, row), 'No ledger has a transaction with this hash.');
  });

  routes.get('/accounts', async ({ query }) => {
    const { cursor: before, limit } = valid(historyQuery, query);
    return accountsPage(node, { before, limit });
  });
  routes.get('/accounts/:address', async ({ params }) => {
    const { address } = valid(z.object({ address: z.string() }), params);
    return found(accountView(node, ed25519Of(address)), 'There is no account with this address.');
  });
}

function ledgerView(node: StellarNode, sequence: number) {
  const line = ledgerLine(node, sequence);
  const { oldest, latest } = node.range;
  return line && { ...line, oldest, latest };
}

/** The account of a G… address, or the one behind an M… address. */
function ed25519Of(address: string): Uint8Array {
  if (StrKey.isValidEd25519PublicKey(address)) return StrKey.decodeEd25519PublicKey(address);
  if (StrKey.isValidMed25519PublicKey(address))
    return StrKey.decodeMed25519PublicKey(address).subarray(0, 32);
  throw new Refusal(
    400,
    'bad_address',
    'This is not the address of an account: such addresses begin with G or M.',
  );
}

function found<T>(thing: T | undefined, otherwise: string): T {
  if (thing === undefined) throw new Refusal(404, 'not_found', otherwise);
  return thing;
}

function valid<T>(schema: z.ZodType<T>, given: unknown): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Refusal(400, 'bad_request', `${issue?.path.join('.') || 'request'}: ${issue?.message}`);
}
