/**
 * Falsifications of what is known of the treasury and of transfers to contracts, one at a time: each must be found out. They
 * need a run in which the treasury pays fees and reserves all the time.
 */
import { isToContract } from './contract-checks.ts';
import { type Evidence, serialOf } from './evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

export function treasuryTamperings<E extends Evidence>(
  evidence: E,
  isChosen?: Choice,
): Iterable<Tampering<E>> {
  return tamperingsOf(evidence, TREASURY, isChosen);
}

const TREASURY: { name: string; tamper: (copy: Evidence) => unknown }[] = [
  {
    name: 'a fee of the treasury that is called the wallet’s',
    tamper: (copy) => (byTreasury(copy).fee_paid_by = 'wallet'),
  },
  {
    name: 'a fee of the treasury that is called a stranger’s',
    tamper: (copy) => (byTreasury(copy).fee_paid_by = 'other'),
  },
  {
    name: 'a fee of the treasury that is a stroop off',
    tamper: (copy) => {
      const row = byTreasury(copy);
      row.fee_charged_stroops = (row.fee_charged_stroops ?? 0n) + 1n;
    },
  },
  {
    name: 'a fee of the treasury in the books of the wallet',
    tamper: (copy) => {
      const row = byTreasury(copy);
      row.fee_stroops = row.fee_charged_stroops;
    },
  },
  {
    name: 'a fee of a trust line that is called the wallet’s',
    tamper: (copy) => (sponsored(copy).row.fee_paid_by = 'wallet'),
  },
  {
    name: 'a fee of the treasury for what no row is about',
    tamper: (copy) => {
      const { id } = byTreasury(copy);
      copy.rows = copy.rows.filter((row) => row.id !== id);
    },
  },
  {
    name: 'a fee that the wallet paid for the treasury',
    tamper: (copy) => {
      const row = byTreasury(copy);
      const made = transactionOf(copy, row);
      made.fee_account = need(copy.wallets.find(({ id }) => id === row.wallet_id)).account;
      for (const change of made.balance_changes)
        if (change.account === copy.treasury?.account) change.account = made.fee_account;
      row.fee_paid_by = 'wallet';
    },
  },
  {
    name: 'a fee that the treasury paid where it pays none',
    tamper: (copy) => (need(need(copy.treasury).pays).fees = false),
  },
  {
    name: 'a balance of the treasury that is a stroop off',
    tamper: (copy) => (need(copy.treasury).balance_stroops -= 1n),
  },
  {
    name: 'a trust line whose wallet pays its reserve',
    tamper: (copy) => {
      const { made, line } = sponsored(copy);
      line.sponsor = null;
      for (const change of made.line_sponsors) change.sponsor = null;
      need(copy.treasury).sponsoring -= 1;
    },
  },
  {
    name: 'a trust line whose reserve another pays than its operations say',
    tamper: (copy) => (need(sponsored(copy).made.line_sponsors[0]).sponsor = 'GAAA'),
  },
  {
    name: 'a reserve that the treasury pays for nobody',
    tamper: (copy) => (need(copy.treasury).sponsoring += 1),
  },
  {
    name: 'a trust line of the treasury where it pays no reserve',
    tamper: (copy) => (need(need(copy.treasury).pays).reserves = false),
  },
  {
    name: 'a team for which the treasury paid more than its budget',
    tamper: (copy) => (need(copy.treasury).daily_stroops = (byTreasury(copy).fee_charged_stroops ?? 0n) - 1n),
  },
  {
    name: 'a contract that got another amount',
    tamper: (copy) => (creditOf(copy).amount_stroops += 1n),
  },
  {
    name: 'a contract that got another asset',
    tamper: (copy) => (creditOf(copy).asset = 'EURX:GAAA'),
  },
  {
    name: 'a contract that got what was ordered for another',
    tamper: (copy) => (creditOf(copy).account = 'CAAA'),
  },
  {
    name: 'a contract that got nothing and is called paid',
    tamper: (copy) => {
      const { made } = toContract(copy, 'confirmed');
      made.credits = [];
    },
  },
  {
    name: 'a transfer to a contract that was made twice',
    tamper: (copy) => {
      const { made } = toContract(copy, 'confirmed');
      copy.transactions.push({ ...made, hash: 'f'.repeat(64), balance_changes: [], credits: [] });
    },
  },
  {
    name: 'a transfer that trapped and is called confirmed',
    tamper: (copy) => (toContract(copy, 'failed').row.status = 'confirmed'),
  },
  {
    name: 'a transfer that trapped without a word',
    tamper: (copy) => (toContract(copy, 'failed').row.failure_message = null),
  },
];

function transactionOf({ transactions }: Evidence, { stellar_tx_hash }: { stellar_tx_hash: string | null }) {
  return need(transactions.find(({ hash }) => hash === stellar_tx_hash));
}

/** As a customer ordered it, to an account. */
function byTreasury({ rows, calls }: Evidence) {
  const ordered = new Set(calls.map(({ order }) => order.serial));
  return need(
    rows.find(
      (row) =>
        row.fee_paid_by === 'treasury' &&
        row.status === 'confirmed' &&
        !isToContract(row) &&
        ordered.has(serialOf(row.amount_stroops)),
    ),
  );
}

/** A trust line that was made, and whose reserve the treasury pays. */
function sponsored(copy: Evidence) {
  const found = copy.trust_lines.flatMap((row) => {
    const made = copy.transactions.find(({ hash }) => hash === row.stellar_tx_hash);
    const line = made?.trust_lines[0];
    return made?.line_sponsors.length === 1 && line?.sponsor ? [{ row, made, line }] : [];
  });
  return need(found.find(({ row }) => row.fee_paid_by === 'treasury'));
}

function toContract(copy: Evidence, status: 'confirmed' | 'failed') {
  const row = need(
    copy.rows.find((one) => isToContract(one) && one.status === status && one.ledger !== null),
  );
  return { row, made: transactionOf(copy, row) };
}

function creditOf(copy: Evidence) {
  return need(toContract(copy, 'confirmed').made.credits[0]);
}

/** Of all falsifications here. */
export const NAMES = TREASURY.map(({ name }) => name);
