import type { FastifyInstance, FastifyReply } from 'fastify';
import { Friendbot } from '../friendbot.ts';
import { sendProblem } from '../horizon/answer.ts';
import { Problem } from '../horizon/problem.ts';

/** The result of a create_account for an existing account, as Friendbot quotes it. */
const ALREADY_EXISTS = 'createAccountAlreadyExist (AAAAAAAAAGT/////AAAAAQAAAAAAAAAA/////AAAAAA=)';

/** Takes `addr` from the query or from a form. The answer comes when a ledger has the account. */
export function registerFriendbot(server: FastifyInstance, friendbot: Friendbot): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/friendbot',
    handler: async (request, reply) => {
      const address = addressOf(request.query) ?? addressOf(request.body) ?? '';
      if (!Friendbot.isValidAddress(address)) {
        return badRequest(reply, 'addr is not a valid account address (G...)');
      }
      const outcome = await friendbot.fund(address);
      if (outcome === 'already_exists') return badRequest(reply, ALREADY_EXISTS);
      if (outcome === 'failed')
        return unavailable(reply, 'The root account cannot create accounts any more.');
      if (outcome === 'stopped') return unavailable(reply, 'The network is stopping.');
      return reply.send({ successful: true, ...outcome });
    },
  });
}

function addressOf(fields: unknown): string | undefined {
  if (typeof fields !== 'object' || fields === null || !('addr' in fields)) return undefined;
  return typeof fields.addr === 'string' ? fields.addr : undefined;
}

function badRequest(reply: FastifyReply, detail: string) {
  return sendProblem(reply, new Problem({ type: 'bad_request', title: 'Bad Request', status: 400, detail }));
}

function unavailable(reply: FastifyReply, detail: string) {
  const kind = { type: 'service_unavailable', title: 'Service Unavailable', status: 503 };
  return sendProblem(reply, new Problem({ ...kind, detail }));
}
