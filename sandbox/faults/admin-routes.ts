import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FaultControl } from './fault-control.ts';
import type { NodeConditionInput } from './node-conditions.ts';
import type { FaultInput } from './script.ts';
import { BadScript } from './script.ts';

const COMMANDS = [
  ...(['halt', 'resume', 'clock_skew', 'close', 'reset', 'restart', 'prune', 'capacity'] as const),
  ...(['upgrade', 'drop_sets', 'freeze', 'thaw', 'contract_state'] as const),
];

/**
 * The functions of FaultControl over HTTP. Each function checks its own body, so the type of a body here is only a
 * claim.
 */
export function registerFaultAdmin(server: FastifyInstance, control: FaultControl): void {
  server.get('/faults', async () => control.state());

  server.post('/faults', (request, reply) =>
    carryOut(reply, () => ({ faults: control.add(jsonOf<FaultInput>(request)) })),
  );

  server.delete('/faults', async () => {
    control.clear();
    return control.state();
  });

  server.delete<{ Params: { id: string } }>('/faults/:id', async (request, reply) => {
    if (!control.remove(Number(request.params.id))) return notFound(reply, 'no fault has this id');
    return control.state();
  });

  server.post('/faults/release', (request, reply) =>
    carryOut(reply, () => {
      jsonOf(request);
      return { released: control.release() };
    }),
  );

  server.put<{ Params: { name: string } }>('/faults/nodes/:name', (request, reply) =>
    carryOut(reply, () => {
      control.setNode(request.params.name, jsonOf<NodeConditionInput>(request));
      return { nodes: control.nodes.list() };
    }),
  );

  server.post<{ Params: { command: string } }>('/faults/network/:command', async (request, reply) => {
    const command = COMMANDS.find((known) => known === request.params.command);
    if (command === undefined) return notFound(reply, `must be one of ${COMMANDS.join(', ')}`);
    return carryOut(reply, () => {
      (control.network[command] as (input: unknown) => void).call(control.network, jsonOf(request));
      return { network: control.network.state() };
    });
  });
}

async function carryOut(reply: FastifyReply, work: () => object): Promise<object> {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotJson)
      return reply.code(415).send({ errors: [{ field: 'body', message: error.message }] });
    if (error instanceof BadScript) return reply.code(400).send({ errors: error.errors });
    throw error;
  }
}

class NotJson extends Error {}

/** Accepts JSON only. A web page cannot send JSON to another site without asking first (CORS). */
function jsonOf<T>(request: FastifyRequest): T {
  if (typeof request.body !== 'string') throw new NotJson('content-type must be application/json');
  try {
    return JSON.parse(request.body);
  } catch {
    throw new BadScript([{ field: 'body', message: 'is not JSON' }]);
  }
}

function notFound(reply: FastifyReply, message: string) {
  return reply.code(404).send({ errors: [{ field: 'path', message }] });
}
