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
  readonly epoch: number;
  readonly #turn: (connection: Connection) => void;

  constructor(epoch: number, turn: (connection: Connection) => void) {
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

  release(): void {}
}
