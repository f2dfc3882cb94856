/** Collects what the database has of deposits, beside the ledger. */

import type { Ask } from './ask.ts';
import { audited, movesOfCursor } from './audit.ts';
import type { DepositEvidence, DepositRow, ReturnedAddress } from './deposit-evidence.ts';

export async function readDeposits(
  ask: Ask,
  returned_addresses: ReturnedAddress[],
): Promise<DepositEvidence> {
  const [installation] = await ask('select start_ledger from installation');
  const [cursor] = await ask('select ledger, stop_reason from deposit_cursor');
  const [events, made, gone] = [
    await audited(ask, 'event'),
    await audited(ask, 'endpoint'),
    await audited(ask, 'endpoint_gone'),
  ];
  const placed = <T extends { id: string }>(rows: T[], places: Map<string, number>) =>
    rows.map((row) => ({ ...row, at: places.get(row.id) ?? -1 }));
  return {
    start_ledger: installation.start_ledger,
    cursor: cursor ?? { ledger: installation.start_ledger, stop_reason: null },
    moves: await movesOfCursor(ask),
    rows: (await ask(
      'select * from deposits order by ledger, stellar_tx_hash, operation_index',
    )) as DepositRow[],
    addresses: await ask('select id, wallet_id, memo_id, metadata from deposit_addresses order by id'),
    returned_addresses,
    wallets: await ask('select id, account, numeric_memo_text from wallets order by id'),
    events: placed(
      await ask(
        `select id, wallet_id, convert_from(body, 'UTF8') as body from webhook_events
          where type = 'deposit.created' order by id`,
      ),
      events,
    ),
    deliveries: await ask(
      `select event_id, endpoint_id from webhook_deliveries d join webhook_events e on e.id = d.event_id
        where e.type = 'deposit.created' order by d.id`,
    ),
    endpoints: placed(await ask('select id, wallet_id, events from webhook_endpoints order by id'), made).map(
      (endpoint) => ({
        ...endpoint,
        gone_at: gone.get(endpoint.id) ?? null,
      }),
    ),
    quarantined: (
      await ask('select hash from quarantined_transactions where resolved_at is null order by hash')
    ).map(({ hash }) => hash),
  };
}
