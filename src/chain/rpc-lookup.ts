import { xdr } from '@stellar/stellar-sdk';
import { z } from 'zod';
import type { Lookup } from './chain.ts';
import { envelopeHashes } from './envelope.ts';
import { outcomeOf } from './result-codes.ts';
import { decoding, type RpcSource } from './rpc-source.ts';

/** A string or a number, by method and version of the server; at most eleven digits, or it is no time. */
const seconds = z
  .union([z.string().regex(/^\d{1,11}$/), z.int().min(0).max(99_999_999_999)])
  .transform(BigInt);
const Found = z.object({
  status: z.enum(['SUCCESS', 'FAILED', 'NOT_FOUND']),
  latestLedger: z.int(),
  latestLedgerCloseTime: seconds,
  oldestLedger: z.int(),
  ledger: z.int().optional(),
  envelopeXdr: z.string().optional(),
  resultXdr: z.string().optional(),
});

/**
 * "Absent" is said only after a second look: the first answer tells how far the source's history reaches, the second
 * look-up searches at least that far. A single look could miss a ledger that closed between search and report.
 */
export async function lookUp(source: RpcSource, passphrase: string, hash: string): Promise<Lookup> {
  const first = await source.call('getTransaction', { hash }, Found);
  if (first.status !== 'NOT_FOUND') return applied(passphrase, hash, first);
  const second = await source.call('getTransaction', { hash }, Found);
  if (second.status !== 'NOT_FOUND') return applied(passphrase, hash, second);
  if (second.latestLedger < first.latestLedger)
    return { found: 'unknown', reason: 'the source went backwards' };
  return {
    found: 'absent',
    oldest_ledger: Math.max(first.oldestLedger, second.oldestLedger),
    latest_ledger: first.latestLedger,
    latest_close_time: first.latestLedgerCloseTime,
  };
}

/** Believes an answer only when its own XDR says the same: this hash, this outcome. */
function applied(passphrase: string, hash: string, answer: z.output<typeof Found>): Lookup {
  const { envelopeXdr, resultXdr, ledger, status } = answer;
  if (!envelopeXdr || !resultXdr || !ledger) return { found: 'unknown', reason: 'an answer without its XDR' };
  return decoding('getTransaction', () => {
    const hashes = envelopeHashes(passphrase, xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64'));
    if (hash !== hashes.hash && hash !== hashes.inner_hash) {
      return { found: 'unknown', reason: `asked for ${hash}, got ${hashes.hash}` };
    }
    const outcome = outcomeOf(xdr.TransactionResult.fromXdr(resultXdr, 'base64'));
    if (outcome.successful !== (status === 'SUCCESS'))
      return { found: 'unknown', reason: 'status and result differ' };
    return { found: 'applied', ledger, hash: hashes.hash, ...outcome };
  });
}
