/** Companies that use the service: they make wallets, deposit addresses and webhook endpoints (endpoint-owners.ts looks after these). What they were told is evidence. */

import type { User } from '../../src/auth/users/user-store.ts';
import { createAddress } from '../../src/deposits/addresses/create-address.ts';
import { createWallet } from '../../src/wallets/create-wallet.ts';
import { registerEndpoint } from '../../src/webhooks/endpoints/endpoints.ts';
import { EVENT_TYPES, type EventType } from '../../src/webhooks/store/event-types.ts';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { ACTOR, onId } from '../support/acting.ts';
import type { SimulatedWallet } from './accounts.ts';
import type { Desk } from './desk.ts';

const MOST_WALLETS = 12;
/** Of events by endpoints; undefined is the default. */
const CHOICES: (EventType[] | undefined)[] = [
  undefined,
  ['deposit.created', 'withdrawal.confirmed', 'withdrawal.failed'],
  [...EVENT_TYPES],
  ['withdrawal.failed', 'withdrawal.awaiting_approval', 'withdrawal.confirmed'],
];

/** Has one wish after another, until the desk closes. A company that asks for payments wants to hear of them. */
export async function integrate(desk: Desk, pause_ms: number): Promise<void> {
  for (const wallet of [...desk.accounts.wallets]) await newEndpoint(desk, wallet);
  while (!desk.closing) {
    const { random, accounts } = desk;
    const wish = random.next();
    const wallet = random.pick(accounts.wallets);
    if (wish < 0.7) await newAddress(desk, wallet);
    else if (wish < 0.85) await newEndpoint(desk, wallet);
    else if (accounts.wallets.length < MOST_WALLETS) await newWallet(desk, random.pick(accounts.owners));
    await desk.scheduler.sleep(desk.world, random.integer(0, pause_ms));
  }
}

/** Null when the process died of it, or did not do it: whether it was done is not known. */
export async function asked<T>(
  desk: Desk,
  what: string,
  work: (deps: EngineDeps) => Promise<T>,
): Promise<T | null> {
  const process = desk.process();
  if (!process) return null;
  const { history } = desk.scheduler;
  history.record(process.name, `is asked for ${what}`);
  const done = work(process.deps).catch((error) => {
    history.record(process.name, `${what}: ${error}`);
    return null;
  });
  return Promise.race([done, process.died.then(() => null)]);
}

async function newAddress(desk: Desk, { id: wallet_id, account }: SimulatedWallet): Promise<void> {
  const metadata = metadataOf(desk);
  const made = await asked(desk, 'an address', (deps) =>
    createAddress(deps, onId(wallet_id), { label: null, metadata }),
  );
  if (made) desk.addresses.push({ id: made.id, wallet_id, account, memo_id: made.memo_id, metadata });
}

/** JSON whose text is worth keeping: order of keys, numbers that no float holds, spaces. */
function metadataOf({ random }: Desk): string | null {
  const customer = random.integer(1, 1_000_000);
  return random.pick([
    null,
    `{"customer":${customer}}`,
    `{"b":1,"a":9007199254740993${customer},"10":1.50}`,
    `{ "name" : "Ž\\u00e9 \\"${customer}\\"" , "list":[1e2,null] }`,
  ]);
}

async function newEndpoint(desk: Desk, { id: wallet_id }: SimulatedWallet): Promise<void> {
  // An address, so that nobody asks a name server.
  const url = `https://93.184.216.34/${desk.serial++}`;
  const events = desk.random.pick(CHOICES);
  const made = await asked(desk, 'an endpoint', (deps) =>
    registerEndpoint(deps, onId(wallet_id), { url, description: null, events }),
  );
  if (made) desk.endpoints.push({ wallet_id, id: made.endpoint.id });
}

/** On a test network: friendbot makes the account, if it is reached. */
async function newWallet(desk: Desk, owner: User): Promise<void> {
  const made = await asked(desk, 'a wallet', (deps) =>
    createWallet(deps, { owner_id: owner.id, name: 'New' }, ACTOR),
  );
  if (made) desk.accounts.wallets.push({ id: made.wallet.id, account: made.wallet.account, owner });
}
