/** `teller wallet`: the operator lists wallets, freezes and unfreezes them, beside the running service and without a login. */
import { strict as assert } from 'node:assert';
import { type Command, InvalidArgumentError } from 'commander';
import { type OnWallet, operator } from '../audit/audit.ts';
import { listTeams } from '../auth/teams/team-store.ts';
import type { Db } from '../db/database.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { OperatorError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { listAllWallets, ownerOf } from '../wallets/store.ts';
import { clearApprovals } from '../withdrawals/policies/clear-approvals.ts';
import { freezeByOperator, unfreezeByOperator } from '../withdrawals/policies/operator-freeze.ts';
import { asOf } from '../withdrawals/policies/policies.ts';
import { findPolicies, NO_POLICY } from '../withdrawals/policies/policy-store.ts';
import { withServiceDatabase } from './command-line.ts';
import { textTable, timeText } from './text-table.ts';

/** It is a part of the message of every refusal. */
const MAX_REASON_CHARS = 200;

export function walletCommands(program: Command): void {
  const wallet = program
    .command('wallet')
    .description('the wallets of all teams; freezing stops withdrawals, and no login can undo it');

  wallet
    .command('list', { isDefault: true })
    .description('list all wallets with their teams and the owners of these, and who has frozen them')
    .option('--json', 'as JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withServiceDatabase(async ({ database }) => {
        const wallets = await readWallets(database.db);
        process.stdout.write(json ? `${JSON.stringify(wallets, null, 2)}\n` : describeWallets(wallets));
      }),
    );

  wallet
    .command('freeze')
    .description('refuse new withdrawals of a wallet at once, until the operator unfreezes it')
    .argument('<wallet_id>', 'id of the wallet, wal_…')
    .option('--reason <text>', 'why; the owner of the wallet sees it', reasonText)
    .action((wallet_id: string, { reason }: { reason?: string }) =>
      withWallet(wallet_id, (deps, by) => freezeByOperator(deps, by, reason ?? null)),
    );

  wallet
    .command('unfreeze')
    .description('end the freeze by the operator at once; one by the owner stays')
    .argument('<wallet_id>', 'id of the wallet, wal_…')
    .action((wallet_id: string) => withWallet(wallet_id, unfreezeByOperator));

  wallet
    .command('clear-approvals')
    .description(
      'end the approvals that a policy asks for, when its team has lost the members who could give them',
    )
    .argument('<wallet_id>', 'id of the wallet, wal_…')
    .option('--reason <text>', 'why; the audit log has it', reasonText)
    .action((wallet_id: string, { reason }: { reason?: string }) =>
      withWallet(wallet_id, (deps, by) => clearApprovals(deps, by, reason ?? null)),
    );
}

function reasonText(text: string): string {
  const reason = text.trim();
  if (reason !== '' && reason.length <= MAX_REASON_CHARS) return reason;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_REASON_CHARS} characters.`);
}

/** @throws OperatorError when there is no such wallet */
function withWallet(
  wallet_id: string,
  work: (deps: { db: Db; clock: Clock; log: Log; metrics: Metrics }, by: OnWallet) => Promise<string>,
): Promise<void> {
  return withServiceDatabase(async ({ database: { db }, log }) => {
    const owner_id = await ownerOf(db, wallet_id);
    if (owner_id === undefined)
      throw new OperatorError(`There is no wallet ${wallet_id}. "teller wallet list" shows all.`);
    const by = { actor: operator(), wallet: { id: wallet_id, owner_id } };
    process.stdout.write(await work({ db, clock: systemClock, log, metrics: createMetrics() }, by));
  });
}

/** Reads all wallets as `--json` shows them. `frozen`: by the owner. */
async function readWallets(db: Db) {
  const wallets = await listAllWallets(db);
  const now = systemClock.now();
  const teams = await listTeams(db);
  const policies = await findPolicies(
    db,
    wallets.map(({ id }) => id),
  );
  return wallets.map(({ owner_id, ...wallet }) => {
    const state = policies.get(wallet.id) ?? NO_POLICY;
    const { operator_freeze } = state;
    const { frozen } = asOf(state, now).policy;
    const team = teams.get(owner_id);
    assert(team, 'a wallet belongs to a team');
    const { name: team_name, owner_emails } = team;
    return { ...wallet, team_id: owner_id, team_name, owner_emails, frozen, operator_freeze };
  });
}

function describeWallets(wallets: Awaited<ReturnType<typeof readWallets>>): string {
  if (wallets.length === 0) return 'There is no wallet.\n';
  return textTable(
    ['ID', 'NAME', 'TEAM', 'OWNERS', 'ACCOUNT', 'STATUS', 'FROZEN'],
    wallets.map(({ id, name, team_name, owner_emails, account, status, frozen, operator_freeze }) => {
      const since = operator_freeze && `by the operator since ${timeText(operator_freeze.frozen_at)}`;
      const why = operator_freeze?.reason ? `: ${operator_freeze.reason}` : '';
      const who = [...(since ? [`${since}${why}`] : []), ...(frozen ? ['by the owner'] : [])];
      return [id, name, team_name, owner_emails.join(' '), account, status, who.join(', and ')];
    }),
  );
}
