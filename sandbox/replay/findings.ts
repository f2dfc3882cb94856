/** A place where our rules give another result than stellar-core. */
export type Difference = {
  ledger: number;
  /** Hash of the transaction in hex; null for a whole ledger or an entry. */
  hash: string | null;
  what: string;
  ours: string;
  theirs: string;
  /** Base64 XDR of the transaction. */
  envelope: string | null;
};

/** Result of a replay. The counts show how much a result without differences covers. */
export class Findings {
  readonly differences: Difference[] = [];
  ledgers = 0;
  transactions = 0;
  /**
   * Transactions with an operation that the sandbox does not support. The result of stellar-core was taken for
   * them.
   */
  unsupported = 0;
  /** Transactions whose fee changes and meta are equal byte for byte, with the order of changes. */
  sameMeta = 0;
  /** Transactions whose events were recorded and are equal byte for byte. */
  sameEvents = 0;
  entriesAtTheEnd = 0;
  readonly transactionKinds = new Map<string, number>();
  readonly operationKinds = new Map<string, number>();
  readonly admissions = new Map<string, number>();
  /** Answers that depend on the queue, or on a ledger that closed before the answer. */
  readonly admissionsLeftOut = new Map<string, number>();
}

export function countOne(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
