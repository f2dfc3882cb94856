/** A service that breaks a rule, as others are known to have done: the checks must find it out. */
import { sql } from 'kysely';
import type { Deps } from '../../src/deps.ts';

/** What a node does not say PENDING to is taken for dead, and built anew on whatever lane is free. */
export function rebuilding(deps: Deps): Deps {
  return {
    ...deps,
    chain: {
      ...deps.chain,
      async submit(envelope_xdr) {
        const hint = await deps.chain.submit(envelope_xdr);
        if (hint.answer !== 'pending') await forget(deps, envelope_xdr).catch(() => undefined);
        return hint;
      },
    },
  };
}

/** On a gap it goes on with what there is, as if nothing had been before. */
export function jumping(deps: Deps): Deps {
  const { readLedgersAfter } = deps.chain;
  const jump: typeof readLedgersAfter = async (after_ledger, anchor) => {
    const range = await readLedgersAfter(after_ledger, anchor);
    return range.read === 'gap' ? readLedgersAfter(range.oldest_ledger - 1, null) : range;
  };
  return { ...deps, chain: { ...deps.chain, readLedgersAfter: jump } };
}

async function forget({ db }: Deps, envelope_xdr: string): Promise<void> {
  await sql`
    with forgotten as (
      update withdrawals
         set status = 'queued', lane = null, envelope_xdr = null, inner_tx_hash = null, stellar_tx_hash = null,
             fee_bump_hashes = '{}', max_time = null
       where envelope_xdr = ${envelope_xdr} and status = 'signed' returning id
    )
    update lanes set holder = null where holder in (select id from forgotten)
  `.execute(db);
}
