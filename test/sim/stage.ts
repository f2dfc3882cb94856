/** What is done to the ledger before a simulation begins: each transaction must succeed. */
import type { Keypair } from '@stellar/stellar-sdk/base';
import type { Contents, SimulatedNetwork } from './simulated-network.ts';

export const RICH_STROOPS = 10_000_000_000_000n;

export function applyOperations(
  network: SimulatedNetwork,
  source: Keypair,
  operations: Contents['operations'],
  signers = [source],
): void {
  applyContents(network, source, { operations }, signers);
}

export function applyContents(
  network: SimulatedNetwork,
  source: Keypair,
  contents: Contents,
  signers = [source],
): void {
  const transaction = network.build(source, contents, { fee: '1000', signers });
  const status = network.submit(transaction);
  network.close();
  const hash = Buffer.from(transaction.hash()).toString('hex');
  const successful = network.transactions.find((applied) => applied.hash === hash)?.successful;
  if (!successful) throw new Error(`${status}: the stage could not be set`);
}
