/** Pure: reads a typed memo id. */
import type { StellarAddress } from './strkey.ts';

const UINT64_MAX = 18_446_744_073_709_551_615n;

/** The id, null for none; or its problem, as a sentence. `address`: the one beside it; null while it is not valid. */
export function readMemoId(
  text: string,
  address: StellarAddress | null,
): { id: bigint | null } | { problem: string } {
  const typed = text.trim();
  if (typed === '') return { id: null };
  if (!/^(0|[1-9][0-9]*)$/.test(typed))
    return { problem: 'A memo id is a whole number such as 42. Memo texts are not supported.' };
  const id = BigInt(typed);
  if (id > UINT64_MAX) return { problem: `A memo id is at most ${UINT64_MAX}.` };
  const muxed_id = address?.muxed_id ?? null;
  if (muxed_id !== null && muxed_id !== id)
    return {
      problem: `It contradicts the address: the ${address?.kind === 'contract' ? 'W…' : 'M…'} address contains id ${muxed_id}. Leave this field empty, or check which of the two is right.`,
    };
  return { id };
}
