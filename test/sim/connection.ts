import type { Owner } from './scheduler.ts';

export type Statement = {
  text: string;
  values: unknown[];
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
};

/** What kysely, and who else takes a connection from the pool, does with it. */
export class Connection {
  waiting: Statement[] = [];
  in_transaction = false;
  /** An error has ended the transaction; the process has not noticed yet. */
  aborted = false;
  broken = false;
  /** The server ends it when nothing has been said for so long; 0: never. */
  patience_ms = 0;
  used_at_ms = 0;
  readonly owner: Owner;
  readonly epoch: number;
  readonly #turn: (connection: Connection) => void;

  constructor(owner: Owner, epoch: number, turn: (connection: Connection) => void) {
    this.owner = owner;
    this.epoch = epoch;
    this.#turn = turn;
  }

  query(text: string, values: unknown[] = []): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, values, resolve, reject });
      if (!this.in_transaction) this.#turn(this);
    });
  }

  on(): this {
    return this;
  }

  /** @param destroy it is closed, not given back */
  release(destroy?: boolean | Error): void {
    if (destroy) this.broken = true;
  }
}
