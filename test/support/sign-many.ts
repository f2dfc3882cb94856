/**
 * A process that makes wallets, imports the seed file named first and refuses the one named second, signs withdrawals
 * with all of them, then holds still so that its memory can be searched from outside.
 * Standard input: the master key (base64), then anything to end. With WIPE=off, wiping does nothing.
 */
import { once } from 'node:events';
import sodium from 'sodium-native';
import { buildFeeBump, buildPayment } from '../../src/stellar/transactions/build-payment.ts';
import { createKeyRing } from '../../src/vault/master-keys/key-ring.ts';
import { secureBytes } from '../../src/vault/master-keys/secure-bytes.ts';
import { createVault, type SealedKey } from '../../src/vault/vault.ts';
import { signWith } from './sign.ts';

const WALLETS = 5;
const WITHDRAWALS = 200;
const NETWORK_ID = Buffer.alloc(32, 1);

if (process.env.WIPE === 'off') sodium.sodium_memzero = () => {};

// libsodium clears what it frees: nothing is freed here, so that only our wiping counts.
const kept: Buffer[] = [];
const { sodium_malloc } = sodium;
sodium.sodium_malloc = (length) => {
  const bytes = sodium_malloc(length);
  kept.push(bytes);
  return bytes;
};

const [treasuryFile, mistypedFile] = process.argv.slice(2) as [string, string];
const [input] = (await once(process.stdin, 'data')) as [Buffer];
const key = secureBytes(32);
Buffer.from(input.toString(), 'base64').copy(key);
const vault = createVault(createKeyRing([key]));

type Signer = SealedKey & { id: string };
const ids = Array.from({ length: WALLETS }, (_, index) => `wal_${index}`);
const signers: Signer[] = await Promise.all(ids.map(async (id) => ({ id, ...(await vault.generate(id)) })));
const treasury: Signer = {
  id: 'treasury',
  ...(await vault.importSeedFile(treasuryFile, 'treasury')),
};
signers.push(treasury);

const [first, second] = signers as [Signer, Signer];
const wrongOwner = { id: first.id, public_key: second.public_key };
const refusals = [
  () => signWith(vault, first.sealed_seed, wrongOwner, Buffer.alloc(32)),
  () => vault.importSeedFile(mistypedFile, 'treasury'),
].map(isRefused);

for (let i = 0; i < WITHDRAWALS; i++)
  await signWithdrawal(signers[i % signers.length] as Signer, signers[(i + 1) % signers.length] as Signer);
await signWithdrawal(treasury, first);

const sealed = signers.map(({ id, public_key, sealed_seed }) => ({
  id,
  public_key: public_key.toString('hex'),
  sealed_seed: sealed_seed.toString('hex'),
}));
process.stdout.write(
  `${JSON.stringify({ refusals: (await Promise.all(refusals)).filter(Boolean).length, sealed })}\n`,
);
process.stdin.resume();

async function signWithdrawal(wallet: Signer, channel: Signer): Promise<void> {
  const payment = buildPayment(NETWORK_ID, {
    tx_source_public_key: channel.public_key,
    wallet_public_key: wallet.public_key,
    sequence: 1n,
    fee_stroops: 0n,
    min_time: 0n,
    max_time: 1n,
    operation: 'payment',
    asset: null,
    destination: { account: '', public_key: channel.public_key, muxed_id: null },
    amount_stroops: 1n,
    memo_id: null,
    memo_return: null,
  });
  const signed = async ({ id, public_key, sealed_seed }: Signer) => ({
    public_key,
    signature: await signWith(vault, sealed_seed, { id, public_key }, payment.hash),
  });
  const signatures = [await signed(channel), await signed(wallet)];
  const bump = buildFeeBump(NETWORK_ID, payment.envelopeWith(signatures), {
    source_public_key: wallet.public_key,
    fee_stroops: 200n,
  });
  bump.envelopeWith(await signWith(vault, wallet.sealed_seed, wallet, bump.hash));
}

async function isRefused(use: () => Promise<unknown>): Promise<boolean> {
  try {
    await use();
    return false;
  } catch {
    return true;
  }
}
