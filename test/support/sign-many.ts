/**
 * A process that makes wallets and signs with them, then holds still so that its memory can be searched from outside.
 * Standard input: the master key (base64), then anything to end. With WIPE=off, wiping does nothing.
 */
import { once } from 'node:events';
import sodium from 'sodium-native';
import { secureBytes } from '../../src/vault/secure-bytes.ts';
import { createVault } from '../../src/vault/vault.ts';

const WALLETS = 5;
const SIGNATURES = 200;

if (process.env.WIPE === 'off') sodium.sodium_memzero = () => {};

const [input] = (await once(process.stdin, 'data')) as [Buffer];
const key = secureBytes(32);
Buffer.from(input.toString(), 'base64').copy(key);
const vault = createVault(key);

const wallets = Array.from({ length: WALLETS }, (_, index) => ({
  id: `wal_${index}`,
  ...vault.generate(`wal_${index}`),
}));
for (let i = 0; i < SIGNATURES; i++) {
  const wallet = wallets[i % WALLETS] as (typeof wallets)[number];
  vault.signWith(wallet.sealed_seed, wallet, Buffer.alloc(32, i));
}
// The error path opens the seed too: a wrong public key is noticed only after that.
const [first, second] = wallets as [(typeof wallets)[number], (typeof wallets)[number]];
let refused = false;
try {
  vault.signWith(first.sealed_seed, { id: first.id, public_key: second.public_key }, Buffer.alloc(32));
} catch {
  refused = true;
}
const sealed = wallets.map(({ id, public_key, sealed_seed }) => ({
  id,
  public_key: public_key.toString('hex'),
  sealed_seed: sealed_seed.toString('hex'),
}));
process.stdout.write(`${JSON.stringify({ refused, sealed })}\n`);
process.stdin.resume();
