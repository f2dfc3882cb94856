import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fastify from 'fastify';
import { readConfig } from '../config.ts';
import type { AppError } from '../lib/errors.ts';
import { createWaitingRequests } from './waiting-requests.ts';

/** A route whose requests end when the test says so. */
async function waitingRoute(quota: number) {
  const limitWaiting = createWaitingRequests({ config: readConfig({ TEAM_WAITING_MAX: `${quota}` }) });
  const ends: ((fails: boolean) => void)[] = [];
  const app = fastify();
  app.decorateRequest('team_id', '');
  app.addHook('onRoute', limitWaiting);
  app.addHook('onRequest', async (request) => {
    request.team_id = `${request.headers.team}`;
  });
  app.setErrorHandler((error: AppError, _request, reply) =>
    reply.code(error.status ?? 500).send({ code: error.code, retry_after: error.retry_after_seconds }),
  );
  app.get('/wait', async (_request, reply) => {
    if (await new Promise<boolean>((end) => ends.push(end))) throw new Error('failed');
    return reply.send({});
  });
  await app.ready();
  return { ends, ask: async (team: string) => app.inject({ url: '/wait', headers: { team } }) };
}

test('a team has its share of waiting requests; what is above it gets 429, and other teams wait on', async () => {
  const { ends, ask } = await waitingRoute(2);
  const waiting = [ask('loud'), ask('loud')];
  while (ends.length < 2) await new Promise(setImmediate);
  const refused = await ask('loud');
  assert.equal(refused.statusCode, 429);
  assert.deepEqual(refused.json(), { code: 'too_many_waiting', retry_after: 1 });
  const quiet = ask('quiet');
  while (ends.length < 3) await new Promise(setImmediate);
  for (const end of ends) end(false);
  for (const answer of await Promise.all([...waiting, quiet])) assert.equal(answer.statusCode, 200);
});

test('a request that fails gives its place back', async () => {
  const { ends, ask } = await waitingRoute(1);
  for (let n = 1; n <= 3; n++) {
    const waiting = ask('loud');
    while (ends.length < n) await new Promise(setImmediate);
    ends.at(-1)?.(true);
    assert.equal((await waiting).statusCode, 500);
  }
});
