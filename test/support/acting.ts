import type { Actor } from '../../src/audit/audit.ts';
import type { Maker } from '../../src/auth/users/actor.ts';

/** Who acts where a test calls a function of a slice instead of the API. */
export const ACTOR: Actor = {
  kind: 'user',
  id: 'usr_test',
  name: 'test@example.com',
  session_id: null,
  ip: '127.0.0.1',
};

const MAKER: Maker = { kind: 'user', id: 'usr_test', name: 'Test' };

type Acting<W> = { actor: Actor; maker: Maker; wallet: W };

/** The test acts on this wallet. */
export function on<W>(wallet: W): Acting<W> {
  return { actor: ACTOR, maker: MAKER, wallet };
}

/** The same by the id of the wallet, in a log of a team that is nobody's. */
export function onId(id: string): Acting<{ id: string; owner_id: string }> {
  return on({ id, owner_id: 'usr_test' });
}
