/**
 * A pooler between the service and PostgreSQL, as PgBouncer is with its defaults: it announces session numbers of its own, knows
 * only a few settings at the start of a session, and gives the session that was freed last to whoever asks next. One that has
 * no transaction open stays when its client dies. Each client logs in on a session of its own, which then joins the others.
 */
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Mode = 'session' | 'transaction';
export type Pooler = { url: string; stop(): Promise<void> };

const KNOWN = ['user', 'database', 'client_encoding', 'application_name', 'extra_float_digits'];
const IDLE = 'I'.charCodeAt(0);

/** `url`: of a database that is reached through a unix socket. */
export async function startPooler(url: string, mode: Mode): Promise<Pooler> {
  const from = new URL(url);
  const socket = join(`${from.searchParams.get('host')}`, `.s.PGSQL.${from.searchParams.get('port')}`);
  const dir = mkdtempSync(join(tmpdir(), 'pooler-'));
  const open = new Set<Socket>();
  const pool = new Sessions();
  const server = createServer((client) => {
    open.add(client);
    serve(client, { mode, pool, logIn: () => remember(open, connect(socket)) });
  });
  server.listen(join(dir, '.s.PGSQL.5432'));
  await once(server, 'listening');
  from.searchParams.set('host', dir);
  from.searchParams.set('port', '5432');
  return {
    url: from.href,
    async stop() {
      for (const each of open) each.destroy();
      server.close();
      await once(server, 'close');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function remember(open: Set<Socket>, socket: Socket): Socket {
  open.add(socket);
  socket.on('error', () => {});
  return socket;
}

/** The sessions that nobody uses, the last one first. */
class Sessions {
  readonly #free: Socket[] = [];
  readonly #waiting: ((session: Socket) => void)[] = [];

  give(session: Socket): void {
    const next = this.#waiting.shift();
    if (next) next(session);
    else this.#free.push(session);
  }

  /** One that nobody has used yet comes last. */
  add(session: Socket): void {
    if (this.#waiting.length > 0) this.give(session);
    else this.#free.unshift(session);
  }

  async take(): Promise<Socket> {
    for (let free = this.#free.pop(); free; free = this.#free.pop()) if (!free.destroyed) return free;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

type Options = { mode: Mode; pool: Sessions; logIn(): Socket };

function serve(client: Socket, { mode, pool, logIn }: Options): void {
  let session: Socket | null = null;
  let isIdle = false;
  let isLoggedIn = false;
  let queue = Promise.resolve();

  const hear = messages((type, message) => {
    if (type === 'K') message.writeUInt32BE(randomInt(2 ** 31), 5);
    client.write(message);
    if (type !== 'Z') return;
    isIdle = message[5] === IDLE;
    if (isIdle && mode === 'transaction') leave(isLoggedIn ? 'give' : 'add');
    isLoggedIn = true;
  });
  const leave = (how: 'give' | 'add') => {
    if (!session) return;
    session.removeAllListeners('data');
    pool[how](session);
    session = null;
  };
  const use = (taken: Socket) => {
    session = taken;
    isIdle = false;
    taken.on('data', hear);
  };
  const send = (message: Buffer) => {
    queue = queue.then(async () => {
      if (!session) use(await pool.take());
      isIdle = false;
      session?.write(message);
    });
  };

  client.on('error', () => {});
  client.on('close', () => {
    if (session && isIdle && isLoggedIn) leave('give');
    else session?.destroy(); // in the midst of a transaction
  });
  client.once('data', (startup) => {
    const unknown = settingsOf(startup).find((name) => !KNOWN.includes(name));
    if (unknown !== undefined) {
      client.end(refusal(`unsupported startup parameter: ${unknown}`));
      return;
    }
    use(logIn());
    session?.write(startup);
    client.on(
      'data',
      messages((type, message) => {
        if (type !== 'X') send(message);
      }),
    );
  });
}

/** Takes a stream of PostgreSQL's messages apart. */
function messages(take: (type: string, message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      const message = Buffer.from(rest.subarray(0, end));
      rest = rest.subarray(end);
      take(String.fromCharCode(message[0] as number), message);
    }
  };
}

/** The names of the settings in the first message of a client. */
function settingsOf(startup: Buffer): string[] {
  const words = startup.subarray(8).toString().split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
}

function refusal(message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeUInt32BE(4 + fields.length, 1);
  return Buffer.concat([head, fields]);
}
