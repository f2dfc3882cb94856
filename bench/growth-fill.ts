/** Fills the database of a running service by SQL with what years of use leave in it. */
import { randomBytes } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import pg from 'pg';

/** The wallet `large_id` gets half of the deposits, withdrawals and addresses; the others share the rest evenly. */
export type Growth = { large_id: string; wallets: number; deposits: number };

/** Deposits for each withdrawal, and for each address. */
const FOR_A_WITHDRAWAL = 4;
const FOR_AN_ADDRESS = 10;

/**
 * Inserts wallets without accounts on the ledger, and rows whose sums are 0 in each wallet, so that all books still agree
 * with the ledger. The rows are of ledgers before the first one.
 */
export async function fill(url: string, { large_id, wallets, deposits }: Growth): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const accounts = Array.from({ length: wallets - 1 }, () =>
      StrKey.encodeEd25519PublicKey(randomBytes(32)),
    );
    await client.query('set session_replication_role = replica'); // no checks of references: they take most of the time
    await client.query(FUNCTIONS);
    await client.query(WALLETS, [accounts, large_id]);
    await client.query(NUMBERED_WALLETS, [large_id]);
    await client.query(ENDPOINTS);
    await client.query(ADDRESSES, [Math.ceil(deposits / FOR_AN_ADDRESS)]);
    await client.query(NUMBERED_ADDRESSES);
    await client.query(DEPOSITS, [deposits]);
    await client.query(ADDRESS_ACTIVITY);
    await client.query(WITHDRAWALS, [Math.ceil(deposits / FOR_A_WITHDRAWAL)]);
    await client.query(LAST_WITHDRAWALS);
    await client.query(DAYS);
    await client.query(EVENTS);
    await client.query(DELIVERIES);
    await client.query(SEQUENCES);
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** The ids of the service begin with their time; rows are two seconds apart, the newest a minute ago. */
const FUNCTIONS = `
  create function pg_temp.base32(value bigint) returns text language sql immutable as $$
    select ${Array.from({ length: 10 }, (_, at) => `substr('0123456789abcdefghjkmnpqrstvwxyz', ((value >> ${45 - 5 * at}) & 31)::int + 1, 1)`).join(' || ')}
  $$;
  create function pg_temp.id_of(prefix text, n bigint, at timestamptz) returns text language sql immutable as $$
    select prefix || '_' || pg_temp.base32((extract(epoch from at) * 1000)::bigint) || lpad(n::text, 16, '0')
  $$;
  create function pg_temp.time_of(n bigint, count bigint) returns timestamptz language sql stable as $$
    select date_trunc('second', now()) - interval '1 minute' - (count - n) * interval '2 seconds'
  $$;
  create function pg_temp.account_of(n bigint) returns text language sql immutable as $$
    select 'G' || rpad(translate(upper(md5('account ' || n)), '0189', 'WXYZ'), 55, 'A')
  $$;
  create function pg_temp.hash_of(kind text, n bigint) returns text language sql immutable as $$
    select encode(sha256((kind || n)::bytea), 'hex')
  $$`;

const WALLETS = `
  insert into wallets (id, owner_id, name, network, account, sealed_seed, funded_at)
  select 'wal_' || lpad(n::text, 26, '0'), large.owner_id, 'Wallet ' || n, large.network, new.account, '', now()
    from unnest($1::text[]) with ordinality as new (account, n)
    join wallets large on large.id = $2`;

/** Odd rows belong to the large wallet, which is number 0; even ones to the others in turn. */
const NUMBERED_WALLETS = `
  create temp table numbered as
  select row_number() over (order by id <> $1, id) - 1 as n, id, owner_id, account from wallets where id = $1 or sealed_seed = ''`;

const WALLET_OF_ROW = `
  join numbered on numbered.n = case when row % 2 = 1 then 0 else 1 + row / 2 % ((select count(*) from numbered) - 1) end`;

const ENDPOINTS = `
  insert into webhook_endpoints (id, wallet_id, url, sealed_secret, enabled, created_by_kind, created_by_id)
  select 'whe_' || lpad(n::text, 26, '0'), id, 'https://example.com/hook', '', false, 'user', owner_id from numbered`;

const ADDRESSES = `
  insert into deposit_addresses (id, wallet_id, memo_id, label, metadata, created_at)
  select pg_temp.id_of('adr', row, at), numbered.id, 4000000000000 + row * 7919, 'Customer ' || row,
         '{"customer":"' || md5('customer ' || row) || '","tier":"' || (array['gold', 'silver', 'basic'])[row % 3 + 1] || '"}', at
    from generate_series(1, $1::bigint) as row
   cross join lateral (select pg_temp.time_of(row - $1, 0) - interval '30 days' as at) as made ${WALLET_OF_ROW}`;

const NUMBERED_ADDRESSES = `
  create temp table numbered_addresses as
  select id, wallet_id, memo_id, row_number() over (partition by wallet_id order by id) - 1 as n from deposit_addresses;
  create temp table address_counts as select wallet_id, count(*) as count from deposit_addresses group by wallet_id;
  analyze numbered; analyze numbered_addresses; analyze address_counts`;

/** One in twenty belongs to no address, the others to the addresses of their wallet in turn. */
const DEPOSITS = `
  insert into deposits (id, wallet_id, address_id, asset_code, amount_stroops, source_account, stellar_tx_hash, operation_index,
                        memo_id, memo_type, memo, ledger, attributed, created_at)
  select pg_temp.id_of('dep', row, at), numbered.id, address.id, 'native', 1000, pg_temp.account_of(row % 50000),
         pg_temp.hash_of('deposit', row), 0, address.memo_id,
         case when address.id is null then 'text' else 'id' end, case when address.id is null then 'Invoice ' || row end,
         row - $1, address.id is not null, at
    from generate_series(1, $1::bigint) as row
   cross join lateral (select pg_temp.time_of(row, $1) as at) as made ${WALLET_OF_ROW}
    left join address_counts counted on counted.wallet_id = numbered.id and row % 20 <> 0
    left join numbered_addresses address on address.wallet_id = counted.wallet_id and address.n = row / 2 % counted.count
   order by row`;

const ADDRESS_ACTIVITY = `
  insert into address_activity (address_id, wallet_id, latest_id)
  select address.id, address.wallet_id, coalesce(last.id, address.id)
    from deposit_addresses address
    left join (select address_id, max(id) as id from deposits group by address_id) as last on last.address_id = address.id
      on conflict (address_id) do update set latest_id = excluded.latest_id`;

const WITHDRAWAL_COLUMNS = `
  (id, wallet_id, owner_id, idempotency_key, status, operation, destination, amount_stroops, approvals_required, memo_id,
   tx_source, sequence, envelope_xdr, inner_tx_hash, stellar_tx_hash, max_time, signed_ledger, ledger, fee_stroops,
   fee_charged_stroops, fee_paid_by, leased_until, created_at, signed_at, committed_at, settled_at)`;
const WITHDRAWN = (amount: string, ledger: string) => `
  pg_temp.id_of('wd', row, at), numbered.id, numbered.owner_id, 'payout-' || row, 'confirmed', 'payment',
  pg_temp.account_of(row % 30000), ${amount}, 0, row * 31, numbered.account, row, repeat('A', 400),
  pg_temp.hash_of('withdrawal', row), pg_temp.hash_of('withdrawal', row), 0, ${ledger} - 1, ${ledger}, 100, 100, 'wallet',
  at, at, at, at, at`;

const WITHDRAWALS = `
  insert into withdrawals ${WITHDRAWAL_COLUMNS}
  select ${WITHDRAWN('100', '(row - $1)')}
    from generate_series(1, $1::bigint) as row
   cross join lateral (select pg_temp.time_of((row - $1) * ${FOR_A_WITHDRAWAL}, 0) as at) as made ${WALLET_OF_ROW}
   order by row`;

/** What is left in each wallet. */
const LAST_WITHDRAWALS = `
  insert into withdrawals ${WITHDRAWAL_COLUMNS}
  select ${WITHDRAWN('booked.left_over - 100', '0')}
    from (select wallet_id, sum(stroops) as left_over
            from (select wallet_id, amount_stroops as stroops from deposits where ledger <= 0
                  union all select wallet_id, -amount_stroops - fee_stroops from withdrawals where ledger <= 0) as entry
           group by wallet_id having sum(stroops) > 100) as booked
    join numbered on numbered.id = booked.wallet_id
   cross join lateral (select 10000000 + numbered.n as row, date_trunc('second', now()) as at) as made`;

/** The triggers that keep these sums do not run here. */
const DAYS = `
  insert into deposit_days as total (wallet_id, day, asset_code, deposits, stroops, own_funds, own_funds_stroops)
  select wallet_id, (created_at at time zone 'UTC')::date as day, 'native', count(*), sum(amount_stroops), 0, 0
    from deposits where ledger <= 0 group by wallet_id, day
  on conflict on constraint deposit_days_key do update
     set deposits = total.deposits + excluded.deposits, stroops = total.stroops + excluded.stroops;
  insert into withdrawal_days (wallet_id, day, asset_code, withdrawals, stroops, fees_stroops)
  select wallet_id, (created_at at time zone 'UTC')::date as day, 'native', count(*), sum(amount_stroops), sum(fee_stroops)
    from withdrawals where ledger <= 0 group by wallet_id, day`;

const EVENTS = `
  insert into webhook_events (id, wallet_id, sequence, type, deposit_id, body, created_at)
  select replace(id, 'dep_', 'evt_'), wallet_id, 1000000 + row_number() over (partition by wallet_id order by id), 'deposit.created', id,
         convert_to('{"event":"deposit.created","data":"' || repeat('0', 600) || '"}', 'utf8'), created_at
    from deposits where ledger <= 0 and attributed`;

const DELIVERIES = `
  insert into webhook_deliveries (id, event_id, endpoint_id, sequence, status, attempts, next_attempt_at, settled_at, log_pruned, created_at)
  select replace(event.id, 'evt_', 'dlv_'), event.id, endpoint.id, event.sequence, 'delivered', 1, event.created_at,
         event.created_at, true, event.created_at
    from webhook_events event join webhook_endpoints endpoint using (wallet_id)
   where event.deposit_id is not null`;

const SEQUENCES = `
  insert into webhook_sequences (owner_id, last)
  select endpoint_id, max(sequence) from webhook_deliveries group by endpoint_id
  union all select wallet_id, max(sequence) from webhook_events group by wallet_id
  on conflict (owner_id) do update set last = greatest(webhook_sequences.last, excluded.last)`;
