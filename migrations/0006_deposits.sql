-- Every kind of credit, what its sender wrote, and what a person did with one that found no address.

-- Whether a memo text of digits counts as a memo id: some senders know no other memo.
alter table wallets add column numeric_memo_text boolean not null default false;
-- Lets a process learn of new wallets without reading all of them: see deposits/ingest/watched-accounts.ts.
alter table wallets add column inserted_xid xid8 not null default pg_current_xact_id();
create index wallets_inserted on wallets (inserted_xid);

alter table deposits
  add column kind text not null default 'payment' check (kind in
    ('payment', 'create_account', 'path_payment_strict_send', 'path_payment_strict_receive', 'account_merge',
     'contract_transfer', 'contract_mint')),
  add column memo_type text not null default 'none' check (memo_type in ('none', 'id', 'text', 'hash', 'return')),
  add column memo text,                        -- as text, or base64 of what is no text
  add column ledger_closed_at timestamptz;
create index deposits_inbox on deposits (wallet_id, attributed, id);
create index deposits_booked on deposits (wallet_id, ledger) include (asset_code, asset_issuer, amount_stroops);

-- The hash of the cursor's ledger: the next one must name it, or it is another network.
alter table deposit_cursor
  add column ledger_hash text,
  add column close_time bigint;                -- of that ledger, Unix seconds

-- Transactions that mention a wallet and could not be read. The reading goes on; a person looks at these.
create table quarantined_transactions (
  hash          text primary key,
  ledger        integer not null,
  reason        text not null,
  envelope_xdr  text not null,
  result_xdr    text not null,
  meta_xdr      text,
  created_at    timestamptz not null default now(),
  resolved_at   timestamptz                    -- when it could be read after all
);
create index quarantined_open on quarantined_transactions (ledger) where resolved_at is null;

-- A refund is a withdrawal like any other, of a whole deposit to its sender, with MEMO_RETURN of its transaction's hash.
alter table withdrawals
  add column refund_of entity_id references deposits,
  add column memo_return text;
create unique index withdrawals_refund on withdrawals (refund_of) where refund_of is not null and status <> 'failed';
create index withdrawals_refunds on withdrawals (refund_of, id) where refund_of is not null;  -- failed ones too
create index withdrawals_booked on withdrawals (wallet_id, ledger) include (amount_stroops, fee_stroops, status)
  where ledger is not null;

-- The last comparison of each wallet's books with the ledger.
create table reconciliations (
  wallet_id            entity_id not null references wallets,
  asset_code           text not null,
  asset_issuer         text not null default '',
  ledger               integer not null,       -- at which the books and the account were compared
  opening_stroops      numeric(30, 0) not null default 0, -- differences that a person has found the cause of
  opening_reason       text,
  deposits_stroops     numeric(30, 0) not null,
  withdrawals_stroops  numeric(30, 0) not null,
  fees_stroops         numeric(30, 0) not null,
  balance_stroops      bigint not null,        -- the account's, on the ledger
  difference_stroops   numeric(30, 0) not null,-- the account's balance less the books'
  agreed_ledger        integer,                -- the last one at which there was no difference
  may_explain          jsonb,                  -- of a difference: see reconcile-explain.ts; null before it was looked for
  checked_at           timestamptz not null,
  primary key (wallet_id, asset_code, asset_issuer)
);
create index reconciliations_different on reconciliations (wallet_id) where difference_stroops <> 0;
