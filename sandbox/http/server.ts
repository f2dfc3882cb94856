import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import { pageAtRoot } from '../explorer/page.ts';
import { explorer } from '../explorer/routes.ts';
import { registerFaultAdmin } from '../faults/admin-routes.ts';
import type { FaultControl } from '../faults/fault-control.ts';
import type { FaultHooks } from '../faults/fault-hooks.ts';
import type { Friendbot } from '../friendbot.ts';
import { sendProblem } from '../horizon/answer.ts';
import { invalidField } from '../horizon/problem.ts';
import { registerHorizon } from '../horizon/routes.ts';
import type { Issuers } from '../issuers.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import type { StellarNode } from '../node.ts';
import { registerRpc } from '../rpc/routes.ts';
import { registerFriendbot } from './friendbot-route.ts';
import { trackSilentConnections } from './silent-connections.ts';
import { registerTestAssets } from './test-asset-routes.ts';
import { registerUpgrade } from './upgrade-route.ts';

/** stellar-rpc's own limit for a request body. */
const MAX_BODY_BYTES = 512 * 1024;

export type ServerOptions = {
  node: StellarNode;
  network: Network;
  friendbot_url: () => string;
  friendbot: Friendbot;
  issuers: Issuers;
  log: Log;
  faults: { hooks: FaultHooks; control: FaultControl } | null;
};

/** The HTTP server: Horizon, `/rpc` and `/friendbot` at the same paths as in the Stellar quickstart image. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { node, network, friendbot_url, friendbot, issuers, log, faults } = options;
  const server = fastify({
    bodyLimit: MAX_BODY_BYTES,
    forceCloseConnections: 'idle',
    logger: false,
    // A path that cannot be decoded reaches no route.
    frameworkErrors: (_error, _request, reply) =>
      void sendProblem(reply, invalidField('path', 'invalid URL escape')),
    rewriteUrl: (request: IncomingMessage) =>
      pageAtRoot(request) ?? faults?.hooks.rewriteUrl(request) ?? request.url ?? '/',
  });
  const closeSilentConnections = trackSilentConnections(server.server);
  server.addHook('preClose', async () => closeSilentConnections());
  const nodeOf = (request: FastifyRequest) => faults?.hooks.nodeOf(request) ?? node;
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );

  // A host name that a web page resolves to 127.0.0.1 (DNS rebinding) must not reach the ledger.
  server.addHook('onRequest', async (request, reply) => {
    if (!isLocalHost(request.headers.host)) return reply.code(403).send('forbidden host');
    // Any web page may post a form to Horizon and friendbot without asking. Its browser names the origin.
    const { origin } = request.headers;
    if (origin !== undefined && !isLocalOrigin(origin) && !['GET', 'HEAD'].includes(request.method)) {
      return reply.code(403).send('forbidden origin');
    }
  });

  if (faults !== null) {
    faults.hooks.register(server);
    registerFaultAdmin(server, faults.control);
  }

  registerRpc(server, { nodeOf, friendbot_url, log });
  registerFriendbot(server, friendbot);
  registerUpgrade(server, { network, log });
  registerTestAssets(server, { issuers, passphrase: network.options.passphrase, log });
  registerHorizon(server, { nodeOf, network, log });
  explorer(server, { network, node, friendbot, log });
  return server;
}

function isLocalHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i.test(host ?? '');
}

function isLocalOrigin(origin: string): boolean {
  const [, host] = /^https?:\/\/(.*)$/.exec(origin) ?? [];
  return isLocalHost(host);
}
