import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Network } from '../network.ts';
import type { StellarNode } from '../node.ts';
import { ledgerLine } from './history.ts';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  connection: 'close', // A connection that is kept alive after the stream would delay the stop of the server.
};

/** How soon a browser connects again after a stream has ended. */
const RETRY_MS = 1000;

/**
 * Sends the newest ledger to every listener when a ledger closes. A listener that reads slowly skips ledgers and
 * gets the newest one next.
 */
export class LiveLedgers {
  readonly #node: StellarNode;
  readonly #listeners = new Set<ServerResponse>();
  #sent = 0;

  constructor(network: Network, node: StellarNode) {
    this.#node = node;
    network.onClose({ after: () => this.#announce() });
  }

  serve(reply: FastifyReply): void {
    reply.hijack();
    const response = reply.raw;
    response.writeHead(200, HEADERS);
    response.write(`retry: ${RETRY_MS}\n\n${this.#event()}`);
    this.#listeners.add(response);
    response.on('drain', () => response.write(this.#event()));
    response.on('close', () => this.#listeners.delete(response));
    response.on('error', () => this.#listeners.delete(response)); // the listener closed its connection
  }

  /** Ends every stream, so that the server can close. */
  end(): void {
    for (const response of this.#listeners) {
      if (response.writableNeedDrain)
        response.destroy(); // The listener does not read, so a normal end would wait for it.
      else response.end();
    }
    this.#listeners.clear();
  }

  /** Does nothing for a node that lags or stands still: it has no new ledger to show. */
  #announce(): void {
    const { latest } = this.#node.range;
    if (latest === this.#sent) return;
    this.#sent = latest;
    if (this.#listeners.size === 0) return;
    const event = this.#event();
    for (const response of this.#listeners) if (!response.writableNeedDrain) response.write(event);
  }

  #event(): string {
    return `event: ledger\ndata: ${JSON.stringify(ledgerLine(this.#node, this.#node.range.latest))}\n\n`;
  }
}
