/** A service that breaks a rule, as others are known to have done: the checks must find it out. */
import { sql } from 'kysely';
import type pg from 'pg';
import type { EngineDeps } from '../../src/withdrawals/engine/hooks.ts';
import { databaseOf } from './database.ts';

/** Returns the statement as the broken service says it: another one, or the same. */
export type Rewrite = (text: string) => string;

/** Takes an envelope for dead when a node does not say PENDING, gives its channel up, and builds another one on another account. */
export function rebuilding(deps: EngineDeps): EngineDeps {
  return {
    ...deps,
    stellar: {
      ...deps.stellar,
      async submit(envelope_xdr) {
        const hint = await deps.stellar.submit(envelope_xdr);
        if (hint.answer !== 'pending') await forget(deps, envelope_xdr).catch(() => undefined);
        return hint;
      },
    },
  };
}

/** On a gap it goes on with what there is, as if nothing had been before. */
export function jumping(deps: EngineDeps): EngineDeps {
  const { readLedgersAfter } = deps.stellar;
  const jump: typeof readLedgersAfter = async (after_ledger, anchor) => {
    const range = await readLedgersAfter(after_ledger, anchor);
    return range.read === 'gap' ? readLedgersAfter(range.oldest_ledger - 1, null) : range;
  };
  return { ...deps, stellar: { ...deps.stellar, readLedgersAfter: jump } };
}

/** A ledger that closes at a time shows it that the time is over, as before protocol 30: its ledgers close a second late. */
export function expiringEarly(deps: EngineDeps): EngineDeps {
  const { find, readLedgersAfter } = deps.stellar;
  const late = (close_time: bigint) => close_time + 1n;
  return {
    ...deps,
    stellar: {
      ...deps.stellar,
      async find(hash) {
        const found = await find(hash);
        return found.found === 'absent'
          ? { ...found, latest_close_time: late(found.latest_close_time) }
          : found;
      },
      async readLedgersAfter(...asked) {
        const range = await readLedgersAfter(...asked);
        if (range.read !== 'ledgers') return range;
        return {
          ...range,
          close_times: range.close_times.map(late),
          through_close_time: late(range.through_close_time),
          newest_close_time: late(range.newest_close_time),
        };
      },
    },
  };
}

/** The service records a delivery as delivered when it claims the delivery, before it sends the request. */
export const recordingFirst: Rewrite = (text) =>
  text.replace(
    'set attempts = claimed.attempts + 1,',
    "set status = 'delivered', attempts = claimed.attempts + 1,",
  );

/** The service records each transfer to a contract that is in a ledger as confirmed, even without its event. */
export const believingTransfers: Rewrite = (text) => {
  const isBelieved = "(applied.successful or withdrawals.operation = 'contract_transfer')";
  return text
    .replace('case when applied.successful then', `case when ${isBelieved} then`)
    .replace('= applied.failure_code', `= case when not ${isBelieved} then applied.failure_code end`)
    .replace('= applied.failure_message', `= case when not ${isBelieved} then applied.failure_message end`);
};

/** It books every fee to the wallet, also that which the treasury has paid. */
export const bookingToWallets: Rewrite = (text) =>
  text.replace(
    'case when applied.fee_account = wallet.account then applied.fee_stroops else 0 end',
    'applied.fee_stroops',
  );

/** Its wallets pay while the treasury should. */
export function chargingWallets(deps: EngineDeps): EngineDeps {
  return { ...deps, config: { ...deps.config, treasury_pays: { fees: false, reserves: false } } };
}

/** The service counts 0 for what the treasury has paid for a team. */
export const forgettingSpending: Rewrite = (text) =>
  text.replace('sum(stroops)::bigint as stroops from', '0::bigint as stroops from');

/** The service claims as if each rule of approvals were for changes of the policy only. */
export const askingNobody: Rewrite = (text) => {
  const rule = `case when "approvals" is not null then '{"required": 1, "above": [], "for": ["policies"]}'::jsonb end as "approvals"`;
  return /from "wallet_policies" .* for update$/.test(text) ? text.replace('"approvals"', rule) : text;
};

/** The service does not add up what was paid without approvals: each payment counts alone. */
export const addingNoPayments: Rewrite = (text) =>
  text.includes('"approvals_required" = $') ? text.replace('sum(amount_stroops)', 'sum(0)') : text;

/** The service counts approvals of members who got the right after the request. */
export const countingLatecomers: Rewrite = (text) =>
  text.replaceAll('coalesce(rights_since, joined_at)', "'epoch'::timestamptz");

/** It never ends what was not approved in time. */
export const waitingForEver: Rewrite = (text) =>
  text.replace('"approval_expires_at" <= ', '"approval_expires_at" < timestamptz \'epoch\' and now() <> ');

/** A process claims rows that another process has leased. */
export const leaseless: Rewrite = (text) =>
  text.replaceAll('(leased_until is null or', '(true or leased_until is null or');

/** The service opens the secret of an endpoint once, and signs with it after the secret was replaced too. */
export function signingAsBefore(deps: EngineDeps): EngineDeps {
  const { secrets } = deps;
  const opened = new Map<string, string>();
  const open = (id: string, sealed: Buffer) => {
    const secret = opened.get(id) ?? secrets.open(id, sealed);
    opened.set(id, secret);
    return secret;
  };
  return { ...deps, secrets: { ...secrets, open } };
}

/** One approval is enough, whatever the rule asks for. */
export const sendingEarly: Rewrite = (text) =>
  text.includes('approved_at = case')
    ? text
        .replaceAll(/case when (\$\d+) then/g, 'case when ($1 or true) then')
        .replace(/approvals_required = (\$\d+)::int/, 'approvals_required = least($1::int, 1)')
    : text;

/** It answers that the withdrawal is rejected, and goes on to wait for approvals. */
export const ignoringRejections: Rewrite = (text) => {
  const isRejection = (code: string) => `${code}::text = 'rejected'`;
  return text.replace(
    /set status = 'failed', failure_code = (\$\d+), failure_message = (\$\d+), settled_at = (\$\d+),\s+approvals = approvals \|\| (\$\d+)::jsonb/,
    (_, code, message, at, rejection) =>
      `set status = case when ${isRejection(code)} then withdrawals.status else 'failed' end,
             failure_code = case when ${isRejection(code)} then null else ${code}::text end,
             failure_message = case when ${isRejection(code)} then null else ${message}::text end,
             settled_at = case when ${isRejection(code)} then null else ${at}::timestamptz end,
             approvals = case when ${isRejection(code)} then approvals else approvals || ${rejection}::jsonb end`,
  );
};

/** Who knows a credential of a program may approve what it asks for. */
export const trustingKnowers: Rewrite = (text) =>
  text.includes('unnest(given.known_to)') ? text.replace('where ', 'where false and ') : text;

/** Its rows of payouts go on to begin while the payout is paused. */
export const neverPausing: Rewrite = (text) => {
  const isPausedToo = (text: string) =>
    text.replace(/"status" = (\$\d+)/, "($1::text is null or \"status\" in ('running', 'paused'))");
  return /from "payouts" .*("status" = \$\d+ and not .*order by|skip locked$)/s.test(text)
    ? isPausedToo(text)
    : text;
};

/** It takes the largest row of a file for the sum of all: a payment that is split needs no approvals. */
export const addingNothing: Rewrite = (text) =>
  text.includes('from payout_rows where payout_id = any')
    ? text.replace('sum(amount_stroops) as', 'max(amount_stroops) as')
    : text;

/** It calls a payout cancelled, and its rows go on to wait. */
export const cancellingNothing: Rewrite = (text) =>
  text.startsWith('update "payout_rows" set "status" = ')
    ? text.replace('where', "where 'cancelled' = 'never' and")
    : text;

/** A service that says each statement as `rewrite` returns it. */
export function saying(deps: EngineDeps, rewrite: Rewrite): EngineDeps {
  const connect = async () => {
    const connection = await deps.pool.connect();
    return {
      query: (text: string, values: unknown[]) => connection.query(rewrite(text), values),
      release: (destroy?: boolean) => connection.release(destroy),
    };
  };
  return { ...deps, db: databaseOf({ connect, end: async () => undefined } as unknown as pg.Pool) };
}

async function forget({ db }: EngineDeps, envelope_xdr: string): Promise<void> {
  await sql`
    with forgotten as (
      update withdrawals
         set status = 'queued', tx_source = null, envelope_xdr = null, inner_tx_hash = null, stellar_tx_hash = null,
             fee_bump_hashes = '{}', max_time = null
       where envelope_xdr = ${envelope_xdr} and status = 'signed' returning id
    )
    update tx_sources set withdrawal_id = null, blocked_reason = case when kind = 'channel' then 'refused' end
     where withdrawal_id in (select id from forgotten)
  `.execute(db);
}
