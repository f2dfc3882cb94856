import type { Actor } from '../../src/audit/audit.ts';

/** Who acts where a test calls a function of a slice instead of the API. */
export const ACTOR: Actor = {
  kind: 'user',
  id: 'usr_test',
  name: 'test@example.com',
  session_id: null,
  ip: '127.0.0.1',
};

/** The test acts on this wallet. */
export function on<W>(wallet: W): { actor: Actor; wallet: W } {
  return { actor: ACTOR, wallet };
}

/** The same by the id of the wallet, in a log of a team that is nobody's. */
export function onId(id: string): { actor: Actor; wallet: { id: string; owner_id: string } } {
  return on({ id, owner_id: 'usr_test' });
}
