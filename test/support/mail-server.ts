/** A real SMTP server (RFC 5321) on loopback: keeps every mail as it came and answers as the test says. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export type ReceivedMail = {
  from: string;
  to: string[];
  /** The header section, unfolded, and the body as it was encoded. */
  headers: string[];
  body: string;
};

export type MailServer = {
  /** The value of SMTP_URL. */
  url: string;
  mails: ReceivedMail[];
  /** User name and password of the last AUTH PLAIN. */
  login: { user: string; password: string } | null;
  /**
   * What happens to a mail whose text has come: it is taken; it is refused; or it is taken, and the answer is lost with the
   * connection, or never comes.
   */
  answer: 'take' | 'refuse' | 'break' | 'hang';
  /** Resolves when `count` mails have come. */
  received(count: number): Promise<void>;
  /** The mails to this address. */
  to(address: string): ReceivedMail[];
  close(): Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // a client that goes away
    converse(socket, at, () => {
      for (const wake of waiting) wake();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const at: MailServer = {
    url: `smtp://teller:s%20ecret@127.0.0.1:${port}`,
    mails: [],
    login: null,
    answer: 'take',
    async received(count) {
      while (at.mails.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    to: (address) => at.mails.filter(({ to }) => to.includes(address)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return at;
}

/** The value of a header; undefined when the mail has none. */
export function headerOf({ headers }: ReceivedMail, name: string): string | undefined {
  const found = headers.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return found?.slice(name.length + 1).trim();
}

/** The text of a mail, without its transfer encoding. */
export function textOf(mail: ReceivedMail): string {
  const encoding = headerOf(mail, 'Content-Transfer-Encoding')?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(mail.body, 'base64').toString();
  if (encoding !== 'quoted-printable') return mail.body;
  const bytes = mail.body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

function converse(socket: Socket, at: MailServer, arrived: () => void): void {
  let from = '';
  let to: string[] = [];
  let lines: string[] | null = null;
  const say = (text: string) => socket.write(`${text}\r\n`);
  const take = (text: string[]) => {
    if (at.answer === 'refuse') return say('451 try again later');
    at.mails.push({ from, to, ...partsOf(text) });
    to = [];
    if (at.answer === 'break') socket.destroy();
    else if (at.answer === 'take') say('250 taken');
    arrived();
  };
  const command = (line: string) => {
    const path = /<(.*)>/.exec(line)?.[1] ?? '';
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO') say('250-localhost\r\n250-8BITMIME\r\n250 AUTH PLAIN');
    else if (verb === 'AUTH') {
      const [, user = '', password = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
        .toString()
        .split('\0');
      at.login = { user, password };
      say('235 welcome');
    } else if (verb === 'MAIL') {
      from = path;
      to = [];
      say('250 ok');
    } else if (verb === 'RCPT') {
      to.push(path);
      say('250 ok');
    } else if (verb === 'DATA') {
      lines = [];
      say('354 go on');
    } else if (verb === 'QUIT') {
      say('221 bye');
      socket.end();
    } else say('250 ok');
  };
  createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
    if (lines === null) command(line);
    else if (line === '.') {
      const text = lines;
      lines = null;
      take(text);
    } else lines.push(line.replace(/^\./, ''));
  });
  say('220 localhost');
}

function partsOf(lines: string[]): Pick<ReceivedMail, 'headers' | 'body'> {
  const end = lines.indexOf('');
  const headers = lines
    .slice(0, end)
    .join('\r\n')
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  return { headers, body: lines.slice(end + 1).join('\n') };
}
