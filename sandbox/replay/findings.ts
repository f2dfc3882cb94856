/** Where our rules come to something else than stellar-core did. */
export type Difference = {
  ledger: number;
  /** Hash of the transaction in hex; null when a whole ledger or entry is meant. */
  hash: string | null;
  what: string;
  ours: string;
  theirs: string;
  /** Base64 XDR of the transaction. */
  envelope: string | null;
};

/** What a replay met; the counts say what a result of no differences is worth. */
export class Findings {
  readonly differences: Difference[] = [];
  ledgers = 0;
  transactions = 0;
  /** Transactions with an operation that is not done here: stellar-core's word was taken for them. */
  unsupported = 0;
  /** Transactions whose fee changes and meta came out to the byte, the order of changes included. */
  sameMeta = 0;
  entriesAtTheEnd = 0;
  readonly transactionKinds = new Map<string, number>();
  readonly operationKinds = new Map<string, number>();
  readonly admissions = new Map<string, number>();
  /** Answers that the queue, or a ledger that closed meanwhile, had a part in. */
  readonly admissionsLeftOut = new Map<string, number>();
}

export function countOne(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
