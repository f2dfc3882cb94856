import type { FastifyError, FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { HorizonContext } from './answer.ts';
import { collectionHandler, objectHandler, requestOf, sendHal, sendProblem } from './answer.ts';
import type { Collection } from './collection.ts';
import { effects, ledgers, operations, payments, transactions } from './collections.ts';
import { LedgerWaiters } from './ledger-waiters.ts';
import type { ObjectOf } from './objects.ts';
import { account, fees, ledger, operation, root, transaction } from './objects.ts';
import { notFound, Problem, serverError, transactionMalformed } from './problem.ts';
import { everything, ofAccount, ofLedger, ofOperation, ofTransaction } from './scope.ts';
import { registerSubmission } from './submission-routes.ts';

const OBJECTS: Record<string, { objectOf: ObjectOf; streamable: boolean }> = {
  '/fee_stats': { objectOf: fees, streamable: false },
  '/accounts/:account_id': { objectOf: account, streamable: true },
  '/ledgers/:ledger_id': { objectOf: ledger, streamable: false },
  '/transactions/:tx_id': { objectOf: transaction, streamable: false },
  '/operations/:op_id': { objectOf: operation, streamable: false },
};

const COLLECTIONS: Record<string, Collection> = {
  '/ledgers': ledgers,
  '/transactions': transactions(everything),
  '/operations': operations(everything),
  '/payments': payments(everything),
  '/effects': effects(everything),
  '/accounts/:account_id/transactions': transactions(ofAccount),
  '/accounts/:account_id/operations': operations(ofAccount),
  '/accounts/:account_id/payments': payments(ofAccount),
  '/accounts/:account_id/effects': effects(ofAccount),
  '/ledgers/:ledger_id/transactions': transactions(ofLedger),
  '/ledgers/:ledger_id/operations': operations(ofLedger),
  '/ledgers/:ledger_id/payments': payments(ofLedger),
  '/ledgers/:ledger_id/effects': effects(ofLedger),
  '/transactions/:tx_id/operations': operations(ofTransaction),
  '/transactions/:tx_id/payments': payments(ofTransaction),
  '/transactions/:tx_id/effects': effects(ofTransaction),
  '/operations/:op_id/effects': effects(ofOperation),
};

/**
 * Horizon's HTTP interface at the root of the server. Unknown paths get Horizon's 404.
 * @param options.network only reports that a ledger has closed; all data is read through `nodeOf`
 */
export function registerHorizon(
  server: FastifyInstance,
  { nodeOf, network, log }: { nodeOf: HorizonContext['nodeOf']; network: Network; log: Log },
): void {
  const waiters = new LedgerWaiters();
  network.onClose({ after: () => waiters.wakeAll() });
  // The server waits for open answers when it stops. Streams and waiting submissions would never end by themselves.
  server.addHook('preClose', async () => waiters.stop());
  server.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound()));
  server.register(async (horizon) => routes(horizon, { nodeOf, waiters, log }));
}

function routes(server: FastifyInstance, context: HorizonContext): void {
  const { nodeOf, log } = context;
  server.addHook('onRequest', async (request, reply) => {
    reply.header('date', nodeOf(request).options.clock.now().toUTCString());
  });
  // Runs last, when the condition of the node for this request is known: a fault may let it lag.
  server.addHook('preHandler', async (request, reply) => {
    reply.header('latest-ledger', `${nodeOf(request).latest.header.ledgerSeq}`);
  });
  server.setErrorHandler((error: FastifyError, request, reply) => {
    if (error instanceof Problem) return sendProblem(reply, error);
    // Horizon stops reading a body that is too large, and then finds no envelope in it.
    if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return sendProblem(reply, transactionMalformed(''));
    log.error({ err: error, url: request.url }, 'a Horizon request failed');
    return sendProblem(reply, serverError());
  });
  // Also for clients that prefer HTML: a server with a page for people shows it before this route.
  server.get('/', async (request, reply) => sendHal(reply, 200, root(requestOf(request, context))));
  for (const [path, { objectOf, streamable }] of Object.entries(OBJECTS)) {
    server.get(path, objectHandler(objectOf, streamable, context));
  }
  for (const [path, collection] of Object.entries(COLLECTIONS)) {
    server.get(path, collectionHandler(collection, context));
  }
  registerSubmission(server, context);
}
