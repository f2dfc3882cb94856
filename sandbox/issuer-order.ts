/** Orders to a sandbox over HTTP: to the issuers of its test assets, and to upgrade its protocol. */
import { findSandbox, textOf, unitsOf } from './pay.ts';
import type { TestContractState } from './test-contracts.ts';

const TIMEOUT_MS = 60_000;

/** `asset`: `CODE` or `CODE:ISSUER` of a test asset. `destination` and `account`: G… or M… address. */
export type IssuerOrder =
  | { action: 'pay'; asset: string; destination: string; amount_stroops: bigint; memo_id?: bigint }
  | { action: 'authorize' | 'revoke'; asset: string; account: string }
  | { action: 'claw-back'; asset: string; account: string; amount_stroops: bigint };

export type Done = { hash: string; ledger: number };

/**
 * Lets the asset's issuer pay, authorize or revoke a trust line, or claw back. Answers when a ledger has it. Any number
 * of calls may run at once.
 * @throws Error with a message for people. Only when the message says that the outcome is unknown may it still happen.
 */
export async function orderFromIssuer(rpc_url: string, order: IssuerOrder): Promise<Done> {
  return await post<Done>(rpc_url, `/test-assets/${order.action}`, bodyOf(order));
}

/** A contract that can be paid: a wallet that only the key `secret` (S…) may spend from. */
export type Deployed = Done & { contract: string; secret: string };

/** Makes a new test contract. @throws Error with a message for people */
export async function deployTestContract(
  rpc_url: string,
  state: TestContractState = 'live',
): Promise<Deployed> {
  return await post<Deployed>(rpc_url, '/test-assets/deploy', { state });
}

export type Upgrade = { from_protocol: number; protocol: number; ledger: number };

/** Lets the next ledger upgrade the network to this protocol. @throws Error with a message for people */
export async function upgradeNetwork(rpc_url: string, protocol: number): Promise<Upgrade> {
  return await post<Upgrade>(rpc_url, '/protocol/upgrade', { protocol });
}

async function post<T>(rpc_url: string, path: string, body: object): Promise<T> {
  const { friendbot_url } = await findSandbox(rpc_url);
  const response = await fetch(new URL(path, friendbot_url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new Error(`The outcome is unknown (${textOf(error)}): look it up before you try again.`);
  });
  const answer = (await response.json().catch(() => null)) as (T & { error?: { message: string } }) | null;
  if (response.ok && answer !== null) return answer;
  if (answer?.error !== undefined) throw new Error(`Nothing was done. ${answer.error.message}`);
  throw new Error(`The sandbox at ${rpc_url} has no ${path} (HTTP ${response.status}). Nothing was done.`);
}

function bodyOf(order: IssuerOrder): Record<string, string | undefined> {
  const { asset } = order;
  if (order.action === 'pay') {
    const { destination, amount_stroops, memo_id } = order;
    return { asset, destination, amount: unitsOf(amount_stroops), memo_id: memo_id?.toString() };
  }
  const { account } = order;
  return order.action === 'claw-back'
    ? { asset, account, amount: unitsOf(order.amount_stroops) }
    : { asset, account };
}
