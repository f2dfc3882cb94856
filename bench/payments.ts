/** Accounts that pay each other in a circle. All envelopes are built and signed before the measurement. */
import { Account, Asset, type Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { rootKeypair } from '../sandbox/ledger/genesis.ts';
import type { Network } from '../sandbox/network.ts';
import { seededKeypair } from '../sandbox/virtual-clock.ts';

const BATCH = 100;
const FEE = '100';

/** Each network needs its own seed, because the process caches verified signatures. */
export function seededAccounts(seed: string, count: number): Keypair[] {
  return Array.from({ length: count }, (_, index) => seededKeypair(seed, index));
}

/** Creates the accounts from the root account, 100 per ledger. */
export function createAccounts(network: Network, keys: Keypair[]): void {
  const root = rootKeypair(network.options.passphrase);
  for (let at = 0; at < keys.length; at += BATCH) {
    const operations = keys
      .slice(at, at + BATCH)
      .map((key) => Operation.createAccount({ destination: key.publicKey(), startingBalance: '10000' }));
    submit(network, sign(network, root, operations));
    network.close();
  }
}

/** One payment from each account to the next, with the present sequence numbers. */
export function payments(network: Network, keys: Keypair[]): Uint8Array[] {
  return keys.map((key, index) => {
    const destination = (keys[index + 1] ?? keys[0] ?? key).publicKey();
    return sign(network, key, [Operation.payment({ destination, asset: Asset.native(), amount: '1' })]);
  });
}

/** @throws Error when the network refuses the envelope: refusals would look fast */
export function submit(network: Network, envelope: Uint8Array): void {
  const { status } = network.submit(envelope);
  if (status !== 'PENDING') throw new Error(`the network answered ${status}`);
}

function sign(
  network: Network,
  source: Keypair,
  operations: ReturnType<typeof Operation.payment>[],
): Uint8Array {
  const sequence = network.sequenceOf(source.rawPublicKey()) ?? 0n;
  const account = new Account(source.publicKey(), sequence.toString());
  const builder = new TransactionBuilder(account, {
    fee: FEE,
    networkPassphrase: network.options.passphrase,
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.setTimeout(0).build();
  transaction.sign(source);
  return transaction.toEnvelope().toXdr();
}
