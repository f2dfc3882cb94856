/** The connection over which a process listens: pg's own client on a stand-in for a socket, which speaks just enough of the protocol. */
import { Duplex } from 'node:stream';

const AUTHENTICATION_OK = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));

export class ListeningSocket extends Duplex {
  channel: string | null = null;
  #started = false;
  readonly #connected: (socket: ListeningSocket) => void;
  readonly #listen: (socket: ListeningSocket) => void;

  /** @param on what happens when it wants to be connected, and to listen: later, `accept` and `listening` */
  constructor(on: { connect: (socket: ListeningSocket) => void; listen: (socket: ListeningSocket) => void }) {
    super();
    this.#connected = on.connect;
    this.#listen = on.listen;
  }

  connect(): this {
    this.#connected(this);
    return this;
  }

  accept(): void {
    this.emit('connect');
  }

  listening(): void {
    this.push(Buffer.concat([message('C', text('LISTEN')), READY]));
  }

  notify(payload: string): void {
    if (this.destroyed) return;
    this.push(message('A', Buffer.concat([Buffer.alloc(4), text(this.channel ?? ''), text(payload)])));
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.#started) {
      this.#started = true;
      this.push(Buffer.concat([AUTHENTICATION_OK, READY]));
    } else if (chunk.toString('latin1', 0, 1) === 'Q') {
      this.channel = /listen (\w+)/.exec(chunk.toString())?.[1] ?? null;
      this.#listen(this);
    } else if (chunk.toString('latin1', 0, 1) === 'X') {
      this.destroy();
    }
    done();
  }
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`);
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
