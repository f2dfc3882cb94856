import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { Refusal, refusalHandler } from '../explorer/refusal.ts';
import { NEWEST_PROTOCOL, PROTOCOLS } from '../ledger/protocols.ts';
import type { Log } from '../log.ts';
import type { Network } from '../network.ts';
import { bodyOf, refuseForeignOrigin } from './json-body.ts';

const upgradeBody = z.strictObject({
  protocol: z
    .literal(PROTOCOLS, `The protocol must be one of ${PROTOCOLS.join(', ')}.`)
    .default(NEWEST_PROTOCOL),
});

/** `POST /protocol/upgrade`: the next ledger upgrades the network. Answers `{from_protocol, protocol, ledger}` at once. */
export function registerUpgrade(
  server: FastifyInstance,
  { network, log }: { network: Network; log: Log },
): void {
  server.register(
    async (routes) => {
      routes.setErrorHandler(refusalHandler(log));
      routes.addHook('onRequest', async (request) => refuseForeignOrigin(request));
      routes.post('/upgrade', async (request) => {
        const { protocol } = bodyOf(request, upgradeBody);
        const { ledgerVersion: from_protocol, ledgerSeq } = network.latest.header;
        const refusal = network.upgrade(protocol);
        if (refusal !== null) throw new Refusal(409, 'no_way_back', refusal);
        return { from_protocol, protocol, ledger: ledgerSeq + 1 };
      });
    },
    { prefix: '/protocol' },
  );
}
