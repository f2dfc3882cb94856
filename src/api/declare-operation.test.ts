import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fastify, { type FastifyContextConfig } from 'fastify';
import { declareOperation } from './declare-operation.ts';

type Config = FastifyContextConfig;
const READ: Config = { access: 'login', roles: 'everyone', errors: [], client: 'its.do' };
const CHANGE: Config = { ...READ, step_up: 'never' };

function declare(method: 'GET' | 'POST', config: Config, schema: object = { operationId: 'doIt' }): void {
  const app = fastify();
  app.addHook('onRoute', declareOperation);
  app.route({ method, url: '/v1/it', config, schema, handler: async () => ({}) });
}

function without(config: Config, member: keyof Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([name]) => name !== member));
}

test('a route that leaves out who may call it, whom it asks for a second factor, its errors or its name in the clients stops the start', () => {
  const of_key: Config = { ...READ, access: 'key', scopes: ['read'] };
  declare('GET', READ);
  declare('GET', of_key);
  declare('POST', CHANGE);
  declare('POST', { access: 'public', errors: [], client: 'its.do' });
  for (const member of ['access', 'roles', 'scopes', 'errors', 'client'] as const)
    assert.throws(() => declare('GET', without(of_key, member)), new RegExp(`\`${member}\``));
  assert.throws(() => declare('POST', READ), /must have `step_up`/);
  assert.throws(() => declare('GET', READ, {}), /no operation id/);
});

test('a route that says more than its access allows stops the start', () => {
  assert.throws(() => declare('GET', { ...READ, scopes: ['read'] }), /must not have `scopes`/);
  assert.throws(() => declare('GET', CHANGE), /must not have `step_up`/);
  assert.throws(() => declare('GET', { ...READ, access: 'public' }), /must not have `roles`/);
});

test('a route that makes something names the secrets of its answer, exactly where it has some, and is of a team', () => {
  const makes = { shown_once: ['api_key'] };
  declare('POST', { ...CHANGE, no_store: true, makes });
  declare('POST', { ...CHANGE, makes: { shown_once: [] } });
  assert.throws(() => declare('POST', { ...CHANGE, makes }), /`no_store`/);
  assert.throws(
    () => declare('POST', { ...CHANGE, no_store: true, makes: { shown_once: [] } }),
    /`no_store`/,
  );
  const of_nobody = { access: 'public', errors: [], client: 'its.do', makes: { shown_once: [] } } as const;
  assert.throws(() => declare('POST', of_nobody), /of no team/);
});
