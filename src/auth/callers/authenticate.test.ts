import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { ACTOR } from '../../../test/support/acting.ts';
import { type InProcessService, startInProcess } from '../../../test/support/in-process-service.ts';
import { createWalletAccess } from '../../wallets/access.ts';
import { mintApiKey } from '../keys/api-keys.ts';
import { createUser } from '../login/login.ts';
import { deleteSession } from '../sessions/session-store.ts';
import { openSession } from '../sessions/sessions.ts';
import { findUser, type User } from '../users/user-store.ts';
import { createAuthenticator } from './authenticate.ts';

const USERS = 3;
const AT_ONCE = 500;

let world: InProcessService;
let users: (User & { password_hash: string })[];
before(async () => {
  world = await startInProcess();
  users = [];
  for (let index = 0; index < USERS; index++) {
    const made = await createUser(
      world.deps,
      {
        email: `${index}@example.com`,
        password: 'correct horse',
        name: `${index}`,
      },
      ACTOR,
    );
    users.push((await findUser(world.deps.db, made?.id ?? '')) ?? assert.fail());
  }
});
after(() => world.close());

const PROGRAM = { kind: 'program', device: null, ip: '127.0.0.1' } as const;
const bearer = async (user: User & { password_hash: string }) =>
  `Bearer ${(await openSession(world.deps, user, PROGRAM)) ?? assert.fail()}`;

test('of hundreds of requests at once each is its own user’s, and those of ended sessions are refused', async () => {
  const authenticate = createAuthenticator(world.deps);
  const live = await Promise.all(users.map(bearer));
  const ended = await bearer(users[0] ?? assert.fail());
  const before = await authenticate(ended, 'login');
  assert(before.kind === 'login');
  await deleteSession(world.deps.db, before.session_id);
  const answers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, index) =>
      authenticate([...live, ended][index % (USERS + 1)], 'login'),
    ),
  );
  for (const [index, answer] of answers.entries()) {
    const user = users[index % (USERS + 1)];
    const found =
      answer.status === 'fulfilled' && answer.value.kind === 'login' ? answer.value.user.id : undefined;
    assert.equal(found, user?.id);
    if (answer.status === 'rejected') assert.equal(answer.reason.code, 'unauthenticated');
  }
});

test('a session that ends while look-ups are under way is refused to whoever comes after', async () => {
  const authenticate = createAuthenticator(world.deps);
  const authorization = await bearer(users[0] ?? assert.fail());
  const caller = await authenticate(authorization, 'login');
  assert(caller.kind === 'login');
  const earlier = Array.from({ length: AT_ONCE }, () =>
    authenticate(authorization, 'login').catch(() => null),
  );
  await deleteSession(world.deps.db, caller.session_id);
  await assert.rejects(authenticate(authorization, 'login'), { code: 'unauthenticated' });
  await Promise.all(earlier);
});

test('of hundreds of requests at once each is its own API key’s, and those of replaced keys are refused', async () => {
  const authenticate = createAuthenticator(world.deps);
  const wallets = [await world.wallet(), await world.wallet(), await world.wallet()];
  const minted = await Promise.all(wallets.map(({ id }) => mintApiKey(world.deps, id)));
  const live = minted.map(({ api_key }) => `Bearer ${api_key}`);
  const [replaced] = live.splice(
    0,
    1,
    `Bearer ${(await mintApiKey(world.deps, wallets[0]?.id ?? '')).api_key}`,
  );
  const answers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, index) => authenticate([...live, replaced][index % 4], 'key')),
  );
  for (const [index, answer] of answers.entries()) {
    const found =
      answer.status === 'fulfilled' && answer.value.kind === 'api_key' ? answer.value.wallet_id : undefined;
    assert.equal(found, wallets[index % 4]?.id);
    if (answer.status === 'rejected') assert.equal(answer.reason.code, 'unauthenticated');
  }
});

test('an API key that is replaced while look-ups are under way is refused to whoever comes after', async () => {
  const authenticate = createAuthenticator(world.deps);
  const { id } = await world.wallet();
  const { api_key } = await mintApiKey(world.deps, id);
  const earlier = Array.from({ length: AT_ONCE }, () =>
    authenticate(`Bearer ${api_key}`, 'key').catch(() => null),
  );
  await mintApiKey(world.deps, id);
  await assert.rejects(authenticate(`Bearer ${api_key}`, 'key'), { code: 'unauthenticated' });
  await Promise.all(earlier);
});

test('of hundreds of requests at once each gets the wallet it named, and not_found for another user’s', async () => {
  const requireWallet = createWalletAccess(world.deps.db);
  const wallets = [await world.wallet(), await world.wallet()];
  const owner = { team_id: wallets[0]?.owner_id ?? '', wallet_ids: null };
  const stranger = { team_id: users[0]?.id ?? '', wallet_ids: null };
  const answers = await Promise.allSettled(
    Array.from({ length: AT_ONCE }, (_, index) => {
      const member = index % 5 === 0 ? stranger : owner;
      return requireWallet({ kind: 'login', member }, wallets[index % 2]?.id ?? '');
    }),
  );
  for (const [index, answer] of answers.entries()) {
    if (index % 5 === 0) assert.equal(answer.status === 'rejected' && answer.reason.code, 'not_found');
    else assert.equal(answer.status === 'fulfilled' && answer.value.id, wallets[index % 2]?.id);
  }
});
