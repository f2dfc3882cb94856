/** Second factors of users of a running service. */
import assert from 'node:assert/strict';
import { Secret, TOTP } from 'otpauth';
import type { Answer } from './api.ts';
import type { RunningService, User } from './running-service.ts';

const STEP_MS = 30_000;

/** The code of an authenticator app whose clock is so many steps ahead. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** One that is right at no step from two before to two after now. */
export function wrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
  );
}

export type AppFactor = { id: string; secret: string; recovery_codes: string[] | null };

/** Adds an authenticator app to the user. All its steps count as unused, also the one that has confirmed it. */
export async function addApp(
  world: Pick<RunningService, 'api' | 'query'>,
  { token, password }: Pick<User, 'token' | 'password'>,
  name = 'Phone',
): Promise<AppFactor> {
  const body = { name, current_password: password };
  const begun = await world.api('POST', '/v1/auth/factors/totp', { token, body });
  assert.equal(begun.status, 201, begun.text);
  const { id, secret } = begun.body.data;
  const confirmed = await world.api('POST', `/v1/auth/factors/totp/${id}/confirm`, {
    token,
    body: { code: codeOf(secret) },
  });
  assert.equal(confirmed.status, 200, confirmed.text);
  await forgetSteps(world, id);
  return { id, secret, recovery_codes: confirmed.body.data.recovery_codes };
}

/** As if no code of the app had been used: a test cannot wait for the next step. */
export const forgetSteps = (world: Pick<RunningService, 'query'>, id: string) =>
  world.query('update second_factors set last_step = 0 where id = $1', [id]);

/** As if the session had proven its factor longer ago than ten minutes. */
export const makeStale = (world: Pick<RunningService, 'query'>, user_id: string) =>
  world.query(`update sessions set factor_at = factor_at - interval '601 seconds' where user_id = $1`, [
    user_id,
  ]);

/** The first step of a login of a user who has a second factor. */
export async function challengeOf(
  world: Pick<RunningService, 'api'>,
  { email, password }: Pick<User, 'email' | 'password'>,
): Promise<{ challenge: string; methods: string[]; passkey_options: any }> {
  const answer = await world.api('POST', '/v1/auth/login', { body: { email, password } });
  assert.equal(answer.status, 401, answer.text);
  assert.equal(answer.body.error.code, 'second_factor_required', answer.text);
  return answer.body.data;
}

export const prove = (world: Pick<RunningService, 'api'>, body: object): Promise<Answer> =>
  world.api('POST', '/v1/auth/second-factor', { body });
