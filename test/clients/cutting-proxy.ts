/** A TCP proxy before the service that cuts connections as a script of clients/cases/retries.json says. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

type Canned = { status: number; headers: Record<string, string>; body: string };
export type Step =
  | 'pass'
  | 'close'
  | 'cut_request'
  | 'cut_after_forward'
  | 'cut_answer'
  | { cut_answer_after_bytes: number }
  | { answer: Canned }
  | { raw: string }
  | { forward_then_answer: Canned };

export type CuttingProxy = {
  url: string;
  /** How many connections came in. */
  connections(): number;
  /** What clients have sent, all connections together. */
  sent(): string;
  close(): Promise<void>;
};

/** One step for each connection, in order; after the last one every connection is passed through. */
export async function startCuttingProxy(service_url: string, script: Step[]): Promise<CuttingProxy> {
  const port = Number(new URL(service_url).port);
  const open = new Set<Socket>();
  const sent: Buffer[] = [];
  let connections = 0;
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => undefined); // a cut connection is what this is for
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const toService = () => keep(connect(port, '127.0.0.1'));
  const server = createServer((client) => {
    const step = script[connections++] ?? 'pass';
    keep(client).on('data', (bytes) => sent.push(bytes));
    void play(step, client, toService).catch(() => client.destroy()); // the client has gone
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    sent: () => Buffer.concat(sent).toString(),
    async close() {
      server.close();
      for (const socket of open) socket.destroy();
      if (server.listening) await once(server, 'close');
    },
  };
}

async function play(step: Step, client: Socket, toService: () => Socket): Promise<void> {
  if (step === 'close') return void client.destroy();
  if (step === 'pass') {
    const service = toService();
    client.pipe(service).pipe(client);
    client.once('close', () => service.destroy());
    service.once('close', () => client.destroy());
    return;
  }
  const request = await wholeMessage(client);
  if (step === 'cut_request') return void client.destroy();
  if (typeof step === 'object' && 'answer' in step) return void client.end(written(step.answer));
  if (typeof step === 'object' && 'raw' in step) return void client.end(step.raw);
  const service = toService();
  service.write(request);
  const answered = wholeMessage(service).finally(() => service.destroy());
  if (step === 'cut_after_forward') client.destroy();
  else if (step === 'cut_answer') await answered.then(() => client.destroy());
  else if ('forward_then_answer' in step) client.end(written(step.forward_then_answer));
  else client.end((await answered).subarray(0, step.cut_answer_after_bytes));
  await answered;
}

function written({ status, headers, body }: Canned): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Canned\r\n${lines.join('')}\r\n${body}`;
}

/** Head and body, which has a content-length or is chunked. */
async function wholeMessage(socket: Socket): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  while (!isWhole(bytes)) {
    const [more] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(gone)])) as [Buffer];
    bytes = Buffer.concat([bytes, more]);
  }
  return bytes;
}

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const head = bytes.subarray(0, end).toString();
  if (/^transfer-encoding: *chunked/im.test(head)) return bytes.subarray(-5).toString() === '0\r\n\r\n';
  const length = /^content-length: *(\d+)/im.exec(head)?.[1] ?? '0';
  return bytes.length >= end + 4 + Number(length);
}

function gone(): never {
  throw new Error('the connection ended in the middle of a message');
}
