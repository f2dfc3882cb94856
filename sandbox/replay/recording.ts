import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { xdr } from '@stellar/stellar-sdk/base';
import { framesOf } from './frames.ts';
import { type RecordedLedger, recordedLedger } from './recorded-ledger.ts';

/** One transaction that was sent to stellar-core, and the answer. */
export type Submission = {
  /** The last closed ledger when it was sent. */
  after_ledger: number;
  /** Base64 of a TransactionEnvelope. */
  envelope: string;
  /**
   * Why it was sent: `again` is an envelope sent before, `second of the account` has another one queued before it.
   */
  note: string;
  status: string;
  /** Base64 of a TransactionResult. */
  error?: string;
};

/**
 * Ledgers of a real stellar-core from genesis on: `meta.xdr.gz` and `submissions.jsonl`, which may be gzipped too.
 */
export class Recording {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** @throws when the stream is cut off */
  *ledgers(): Generator<RecordedLedger> {
    for (const frame of framesOf(gunzipSync(readFileSync(join(this.#dir, 'meta.xdr.gz'))))) {
      yield recordedLedger(xdr.LedgerCloseMeta.schema.decode(frame));
    }
  }

  /** By the ledger that was the last closed one. */
  submissions(): Map<number, Submission[]> {
    const lines = this.#submissionText().split('\n');
    const submissions = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Submission);
    return Map.groupBy(submissions, ({ after_ledger }) => after_ledger);
  }

  #submissionText(): string {
    const plain = join(this.#dir, 'submissions.jsonl');
    if (existsSync(plain)) return readFileSync(plain, 'utf8');
    return gunzipSync(readFileSync(`${plain}.gz`)).toString();
  }
}
