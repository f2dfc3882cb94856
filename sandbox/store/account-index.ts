import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { hex } from '../ledger/bytes.ts';
import type { ClosedTransaction } from '../ledger/close.ts';
import { operationParticipants, ownerOfChange } from './participants.ts';

/**
 * Finds the transactions that concern an account. Rows are stored in the order of the ledgers, so a new ledger is
 * appended at the end and old ones are deleted at the beginning.
 *
 * `participant` is 1 for transactions that Horizon lists under the account: it is source, fee source, or takes part
 * in an operation. It is 0 when the transaction only changed an entry that the account owns, for example by taking
 * its offer. Such an account has effects and no transaction.
 */
export const ACCOUNT_INDEX_SCHEMA = `
CREATE TABLE account_transactions (
  ledger INTEGER NOT NULL,
  application_order INTEGER NOT NULL,
  account BLOB NOT NULL,
  participant INTEGER NOT NULL,
  PRIMARY KEY (ledger, application_order, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_transactions_account
  ON account_transactions (account, ledger, application_order, participant);
`;

/** Writes the index. Call within the SQLite transaction that writes the ledger. */
export class AccountIndex {
  readonly #insert: StatementSync;
  readonly #delete: StatementSync;

  constructor(db: DatabaseSync) {
    this.#insert = db.prepare('INSERT INTO account_transactions VALUES (?, ?, ?, ?)');
    this.#delete = db.prepare('DELETE FROM account_transactions WHERE ledger < ?');
  }

  add(ledger: number, closed: ClosedTransaction): void {
    const participants = participantsOf(closed);
    const others = ownersTouched(closed);
    for (const [key, account] of participants) {
      this.#insert.run(ledger, closed.applicationOrder, account, 1);
      others.delete(key);
    }
    for (const account of others.values()) this.#insert.run(ledger, closed.applicationOrder, account, 0);
  }

  forgetBefore(ledger: number): void {
    this.#delete.run(ledger);
  }
}

type Accounts = Map<string, Uint8Array>;

function participantsOf({ tx, meta, successful }: ClosedTransaction): Accounts {
  const metas = successful && meta.v === 4 ? meta.v4.operations : [];
  const operations = tx.tx.operations.flatMap((operation, index) =>
    operationParticipants(tx.tx, operation, metas[index] ?? null),
  );
  return unique([tx.source, tx.feeSource, ...operations]);
}

function ownersTouched({ meta }: ClosedTransaction): Accounts {
  const changes = meta.v === 4 ? meta.v4.operations.flatMap((operation) => operation.changes) : [];
  return unique(changes.flatMap((change) => ownerOfChange(change) ?? []));
}

function unique(accounts: Uint8Array[]): Accounts {
  return new Map(accounts.map((account) => [hex(account), account]));
}
