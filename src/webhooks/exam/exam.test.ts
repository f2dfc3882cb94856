/** An exam of real receivers: one that does everything right, others that make one mistake each, and hostile ones. */
import { strict as assert } from 'node:assert';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { after, describe, it } from 'node:test';
import { fromJson, toJson } from '../../../test/support/api.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { ENDLESS, startHostileReceiver } from '../../../test/support/hostile-receivers.ts';
import { type Answering, type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { manualClock } from '../../../test/support/webhooks.ts';
import { sampleDeposit } from '../../deposits/recorded/deposit-schema.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { createPoster } from '../../outgoing/post.ts';
import { parseExemptions } from '../../outgoing/public-url.ts';
import { newSigningSecret, signingKeys } from '../../outgoing/sign.ts';
import { CASES } from './cases.ts';
import { examine } from './examine.ts';
import { readHandled } from './look-up.ts';
import type { ExamReport } from './report.ts';

const secret = newSigningSecret();
/** The webhook-sequence of the last delivery before each exam. */
const PLACE = 41n;
const closers: (() => Promise<void>)[] = [];
after(() => Promise.all(closers.map((close) => close())));

async function examineUrl(url: string, clock: Clock = systemClock): Promise<ExamReport> {
  const poster = createPoster({
    exemptions: parseExemptions([new URL(url).host]),
    show_exempt_answers: true,
    resolve: async () => [],
    clock,
  });
  try {
    const keys = { current: signingKeys(secret), old: [] };
    const wallet_id = 'wal_sample';
    const deposit = (at: string) => sampleDeposit(true, { wallet_id, at });
    const report = await examine({ clock, poster }, url, { wallet_id, keys, deposit, place: PLACE });
    assert.ok(report);
    return report;
  } finally {
    await poster.close();
  }
}

async function examineReceiver(answering: Answering) {
  const receiver = await startReceiver(answering);
  closers.push(receiver.close);
  return { report: await examineUrl(`${receiver.url}/hook`), receiver };
}

/** The parts of a receiver. Each test replaces one of them by a mistake. `svc`: what it asks of X-Svc-Signature. */
type Parts = {
  svc(body: Buffer, headers: IncomingHttpHeaders): boolean;
  standard(body: Buffer, headers: IncomingHttpHeaders): boolean;
  recent(headers: IncomingHttpHeaders): boolean;
  handle(body: Buffer, headers: IncomingHttpHeaders, response: ServerResponse): number;
};

const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const computing = createHmac('sha256', key);
  for (const part of parts) computing.update(part);
  return computing;
};
const same = (a: unknown, b: string) =>
  Buffer.byteLength(`${a}`) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(`${a}`), Buffer.from(b));
const text = (header: unknown) => `${header ?? ''}`;

const isSigned = (body: Buffer, headers: IncomingHttpHeaders) =>
  same(headers['x-svc-signature'], hmac(secret, body).digest('hex'));

const RIGHT: Parts = {
  svc: () => true,
  standard(body, { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures }) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = `v1,${hmac(key, `${id}.${time}.`, body).digest('base64')}`;
    return text(signatures)
      .split(' ')
      .some((each) => same(each, expected));
  },
  recent: (headers) => Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300,
  handle: () => 204,
};

function receiverWith(parts: Partial<Parts>): Answering {
  const { svc, standard, recent, handle } = { ...RIGHT, ...parts };
  return (response, { method, body, headers }) => {
    if (method === 'GET') return void response.writeHead(405).end();
    try {
      const genuine = svc(body, headers) && standard(body, headers) && recent(headers);
      const status = genuine ? handle(body, headers, response) : 401;
      if (!response.writableEnded) response.writeHead(status).end();
    } catch {
      response.writeHead(500).end();
    }
  };
}

const namesOf = ({ cases }: ExamReport, outcome: string) =>
  cases.filter((one) => one.outcome === outcome).map(({ name }) => name);
const postsTo = ({ requests }: Receiver) => requests.filter(({ method }) => method === 'POST');
const REWRITTEN: Partial<Parts> = {
  standard: (body, headers) => RIGHT.standard(Buffer.from(JSON.stringify(JSON.parse(`${body}`))), headers),
};
const FORGED = CASES.filter(({ expected }) => expected === 'refused').map(({ name }) => name);
const ALL = CASES.map(({ name }) => name);

describe('an exam', () => {
  it('passes a receiver that does everything right', async () => {
    const { report, receiver } = await examineReceiver(receiverWith({}));
    assert.deepEqual(namesOf(report, 'passed'), ALL);
    assert.equal(report.passed, true);
    assert.equal(postsTo(receiver).length, ALL.length + 4, 'four cases send two requests');
    assert.equal(receiver.requests.length, postsTo(receiver).length + 1, 'it offers no look-up');
    assert.ok(report.cases.every(({ advice }) => advice === null));
  });

  it('sends nothing that a receiver can book: test types, an account of zeros', async () => {
    const { receiver } = await examineReceiver(receiverWith({}));
    for (const { body } of postsTo(receiver)) {
      const { event, data } = JSON.parse(`${body}`);
      assert.match(event, /\.test$/);
      assert.equal(data.source_account, 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF');
      assert.equal(data.id, 'dep_sample');
      assert.match(data.stellar_tx_hash, /^0{64}$/);
    }
    const large = receiver.requests.find(({ body }) => body.includes('9223372036854775807'));
    assert.ok(large?.body.includes('"memo_id":18446744073709551615'));
  });

  it('goes on after the number of the last delivery, so that no receiver takes it for old events', async () => {
    const { receiver } = await examineReceiver(receiverWith({}));
    const sequences = postsTo(receiver).map(({ headers }) => BigInt(`${headers['webhook-sequence']}`));
    assert.ok(sequences.every((sequence) => sequence > PLACE));
    assert.equal(
      new Set(sequences).size,
      sequences.length - 1,
      'the repeated event alone has the same number',
    );
  });

  it('fails a receiver that accepts everything, and names each forgery', async () => {
    const { report } = await examineReceiver((response) => response.writeHead(200).end('<p>Hello</p>'));
    assert.equal(report.passed, false);
    assert.deepEqual(namesOf(report, 'failed'), FORGED);
  });

  it('claims nothing for the refusals of a receiver that accepts nothing', async () => {
    const { report } = await examineReceiver((response) => response.writeHead(401).end());
    assert.deepEqual(namesOf(report, 'unknown'), FORGED);
    assert.deepEqual(namesOf(report, 'passed'), []);
  });

  it('names a path that takes no POST, and a limit of requests', async () => {
    const nowhere = (await examineReceiver((response) => response.writeHead(404).end())).report;
    assert.match(nowhere.cases[0]?.advice ?? '', /404.*path/);
    const busy = (await examineReceiver((response) => response.writeHead(429).end())).report;
    assert.deepEqual(namesOf(busy, 'unknown'), ALL);
  });

  it('names the typical faults that it could not see, with the event to look for', async () => {
    const { report, receiver } = await examineReceiver(receiverWith({}));
    const [twice = ''] = report.unseen;
    const id = /evt_\w+/.exec(twice)?.[0];
    assert.equal(receiver.requests.filter(({ headers }) => headers['webhook-id'] === id).length, 2);
    assert.match(`${report.unseen}`, /9223372036854775807/);
    assert.equal(report.unseen.length, 5);
  });
});

describe('an exam finds one mistake by the case that is about it', () => {
  const key = (headers: IncomingHttpHeaders) => text(headers['webhook-id']);
  const seen = new Set<string>();
  const types = ['deposit.created', 'deposit.test'];
  const fields = (body: Buffer) => Object.keys(JSON.parse(`${body}`).data);
  const mistakes: [string, Partial<Parts>, string[]][] = [
    ['no look at the time', { recent: () => true }, ['old_timestamp']],
    [
      'only X-Svc-Signature is checked',
      { svc: isSigned, standard: () => true, recent: () => true },
      ['rotation', 'without_timestamp', 'old_timestamp', 'renewed_timestamp'],
    ],
    ['X-Svc-Signature is demanded', { svc: isSigned }, ['rotation']],
    [
      'only the first entry of webhook-signature is compared',
      {
        standard: (body, headers) =>
          RIGHT.standard(body, {
            ...headers,
            'webhook-signature': text(headers['webhook-signature']).split(' ')[0],
          }),
      },
      ['rotation'],
    ],
    [
      'the time is checked and not what covers it',
      { svc: isSigned, standard: () => true },
      ['rotation', 'renewed_timestamp'],
    ],
    [
      'a missing time counts as recent',
      {
        svc: isSigned,
        standard: () => true,
        recent: (headers) => !(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) > 300),
      },
      ['rotation', 'without_timestamp', 'renewed_timestamp'],
    ],
    [
      'a signature of another length is an error',
      {
        svc: (_, headers) =>
          timingSafeEqual(
            Buffer.from(text(headers['x-svc-signature'])),
            Buffer.from(text(headers['x-svc-signature']).padEnd(64, '0')),
          ),
      },
      ['without_signatures', 'malformed_signatures'],
    ],
    [
      'the body is parsed and written again before it is checked',
      REWRITTEN,
      ['large_integers', 'exact_bytes'],
    ],
    [
      'the body is written again by a program that keeps integers exact',
      { standard: (body, headers) => RIGHT.standard(Buffer.from(toJson(fromJson(`${body}`))), headers) },
      ['exact_bytes'],
    ],
    [
      'an event that came before is refused',
      { handle: (_, headers) => (seen.has(key(headers)) ? 409 : seen.add(key(headers)) && 200) },
      ['repeated', 'another_sequence'],
    ],
    [
      'a type that is not known is an error',
      { handle: (body) => (types.includes(JSON.parse(`${body}`).event) ? 200 : 422) },
      ['unknown_event'],
    ],
    [
      'a field that is not known is an error',
      { handle: (body) => (fields(body).includes('unknown_sample') ? 400 : 200) },
      ['unknown_field'],
    ],
    [
      'large integers are an error',
      { handle: (body) => (body.includes('18446744073709551615') ? 500 : 200) },
      ['large_integers'],
    ],
  ];
  for (const [name, parts, failed] of mistakes)
    it(name, async () => {
      const { report } = await examineReceiver(receiverWith(parts));
      assert.deepEqual(namesOf(report, 'failed'), failed);
      for (const { outcome, advice } of report.cases) if (outcome === 'failed') assert.ok(advice);
    });

  it('the first part of a body is taken for all of it', async () => {
    const server = await startHostileReceiver((socket) => {
      socket.on('data', (chunk) => {
        const [head = '', body = ''] = chunk.toString('latin1').split('\r\n\r\n');
        if (!/^(POST|GET)/.test(head)) return;
        const signature = /^x-svc-signature: (\S*)$/im.exec(head)?.[1];
        const good = same(signature, hmac(secret, Buffer.from(body, 'latin1')).digest('hex'));
        socket.write(`HTTP/1.1 ${good ? 200 : 401} -\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      });
    });
    closers.push(server.close);
    const report = await examineUrl(server.url);
    assert.ok(namesOf(report, 'failed').includes('in_pieces'));
    assert.ok(namesOf(report, 'passed').includes('signed'));
  });

  it('rounded integers, only where the answer repeats them', async () => {
    const echo = (show: (body: Buffer) => string) =>
      receiverWith({
        handle(body, _, response) {
          response.writeHead(200).end(show(body));
          return 200;
        },
      });
    const rounded = (await examineReceiver(echo((body) => JSON.stringify(JSON.parse(`${body}`).data))))
      .report;
    assert.deepEqual(namesOf(rounded, 'failed'), ['large_integers']);
    assert.match(rounded.cases.find(({ name }) => name === 'large_integers')?.advice ?? '', /rounded/);
    const exact = (await examineReceiver(echo((body) => `${body}`))).report;
    assert.equal(exact.passed, true);
    assert.doesNotMatch(`${exact.unseen}`, /large integers/);
  });
});

/** What a receiver has done: an entry each time it handles an event. */
type Book = { id: string; sequence: bigint; amount: string; credited: boolean }[];

/** A receiver that tells what is in its book. `handle`: notes the entry, or does not. `eager`: it does so before it checks. */
function bookkeeper(
  parts: Partial<Omit<Parts, 'handle'>>,
  handle: (book: Book, entry: Book[number], event: string) => void,
  eager = false,
): Answering {
  const book: Book = [];
  const note = (body: Buffer, headers: IncomingHttpHeaders) => {
    const [id, sequence] = [text(headers['webhook-id']), BigInt(text(headers['webhook-sequence']))];
    const amount = /"amount_stroops":(\d+)/.exec(`${body}`)?.[1] ?? '';
    handle(book, { id, sequence, amount, credited: false }, JSON.parse(`${body}`).event);
    return 204;
  };
  const answer = receiverWith({ ...parts, handle: eager ? () => 204 : note });
  return (response, request) => {
    if (request.method !== 'GET') {
      if (eager) note(request.body, request.headers);
      return answer(response, request);
    }
    const id = new URLSearchParams(request.path.split('?')[1]).get('handled');
    const entries = book.filter((entry) => entry.id === id);
    const credited = entries.filter((entry) => entry.credited).length;
    const amount_stroops = entries[0]?.amount;
    response.writeHead(200).end(JSON.stringify({ handled: entries.length, credited, amount_stroops }));
  };
}

describe('an exam of a receiver that offers the look-up', () => {
  const once = (book: Book, entry: Book[number]) => {
    if (!book.some(({ id }) => id === entry.id)) book.push(entry);
  };

  it('leaves no typical fault unseen, and passes a right one', async () => {
    const { report, receiver } = await examineReceiver(bookkeeper({}, once));
    assert.deepEqual(namesOf(report, 'passed'), ALL);
    assert.deepEqual(report.unseen, []);
    assert.equal(report.passed, true);
    const first = receiver.requests.find(({ method }) => method === 'GET');
    assert.match(first?.path ?? '', /^\/hook\?handled=evt_\w+$/);
  });

  it('waits for one that answers first and handles afterwards', async () => {
    const answering = bookkeeper({}, once);
    let is_busy = true;
    const { report } = await examineReceiver((response, request) => {
      if (request.method === 'GET' && is_busy) {
        is_busy = false;
        return response.writeHead(200).end('{"handled":0}');
      }
      answering(response, request);
    });
    assert.equal(report.passed, true);
    assert.deepEqual(report.unseen, []);
  });

  const credit = (wanted: (event: string) => boolean) => (book: Book, entry: Book[number], event: string) =>
    once(book, { ...entry, credited: wanted(event) });
  const rounded = (text: string) => `${BigInt(Number(text))}`;
  const naive: [string, Answering, { failed: string[]; without: string[] }][] = [
    [
      'handles every request',
      bookkeeper({}, (book, entry) => void book.push(entry)),
      { failed: ['repeated', 'another_sequence'], without: [] },
    ],
    [
      'recognizes an event by webhook-sequence',
      bookkeeper({}, (book, entry) => {
        if (!book.some(({ sequence }) => sequence === entry.sequence)) book.push(entry);
      }),
      { failed: ['another_sequence'], without: [] },
    ],
    [
      'keeps its place, and skips what is before it',
      bookkeeper({}, (book, entry) => {
        if (book.every(({ sequence }) => sequence < entry.sequence)) once(book, entry);
      }),
      { failed: ['another_order'], without: [] },
    ],
    [
      'credits a type that it does not know',
      bookkeeper(
        {},
        credit((event) => event === 'unknown.test'),
      ),
      { failed: ['unknown_event'], without: [] },
    ],
    [
      'credits whatever has an amount',
      bookkeeper(
        {},
        credit(() => true),
      ),
      { failed: ALL.filter((name) => !FORGED.includes(name)), without: [] },
    ],
    [
      'handles what it has not verified',
      bookkeeper({}, once, true),
      { failed: FORGED.filter((name) => name !== 'without_signatures'), without: [] },
    ],
    [
      'rounds amounts',
      bookkeeper({}, (book, entry) => once(book, { ...entry, amount: rounded(entry.amount) })),
      { failed: ['large_integers'], without: [] },
    ],
    [
      'writes the body again before it checks it',
      bookkeeper(REWRITTEN, once),
      { failed: ['large_integers', 'exact_bytes'], without: ['large_integers', 'exact_bytes'] },
    ],
    [
      'takes old times',
      bookkeeper({ recent: () => true }, once),
      { failed: ['old_timestamp'], without: ['old_timestamp'] },
    ],
  ];
  for (const [name, answering, { failed, without }] of naive)
    it(`finds that it ${name}`, async () => {
      const { report } = await examineReceiver(answering);
      assert.deepEqual(namesOf(report, 'failed'), failed);
      for (const { outcome, advice } of report.cases) if (outcome === 'failed') assert.ok(advice);
      const silent = await examineReceiver((response, request) =>
        request.method === 'GET' ? response.writeHead(405).end() : answering(response, request),
      );
      assert.deepEqual(namesOf(silent.report, 'failed'), without);
      assert.ok(silent.report.unseen.length > 0);
    });

  it('claims nothing when the look-up counts no test event', async () => {
    const { report } = await examineReceiver(bookkeeper({}, () => undefined));
    assert.deepEqual(namesOf(report, 'passed'), ALL);
    assert.equal(report.unseen.length, 5);
  });

  it('reads an amount exactly, as a number too', () => {
    const said = readHandled('{"handled":1,"credited":0,"amount_stroops":9223372036854775807}');
    assert.deepEqual(said, { handled: 1, credited: 0, amount_stroops: '9223372036854775807' });
    assert.equal(readHandled('{"handled":1}')?.credited, null);
    for (const other of [
      null,
      '',
      'null',
      '[]',
      '"x"',
      '{"handled":-1}',
      '{"handled":true}',
      '<p>',
      '{"handled":null}',
    ])
      assert.equal(readHandled(other), null, `${other}`);
  });
});

describe('an exam of a hostile receiver', () => {
  it('ends with the first request when that gets no answer', async () => {
    const clock = manualClock();
    const receiver = await startReceiver(() => undefined);
    closers.push(receiver.close);
    const examining = examineUrl(receiver.url, clock);
    await receiver.received(1);
    clock.advance(15_000);
    const report = await examining;
    assert.equal(receiver.requests.length, 1);
    assert.match(report.cases[0]?.advice ?? '', /no answer within 15 s/);
    assert.deepEqual(namesOf(report, 'unknown'), ALL.slice(1));
  });

  it('begins no request after half a minute', async () => {
    const clock = manualClock();
    const receiver = await startReceiver((response) => {
      if (receiver.requests.length === 1) response.writeHead(200).end();
    });
    closers.push(receiver.close);
    const examining = examineUrl(receiver.url, clock);
    for (const count of [2, 3]) {
      await receiver.received(count);
      await eventually('its deadline runs', () => clock.asleep(15_000) > 0);
      clock.advance(15_000);
    }
    const report = await examining;
    assert.equal(receiver.requests.length, 3, 'the two of the repeated event, after the first one');
    assert.deepEqual(namesOf(report, 'failed'), ['repeated']);
    assert.deepEqual(namesOf(report, 'unknown'), ALL.slice(2));
  });

  it('follows no redirect, and says so', async () => {
    const inside = await startReceiver();
    closers.push(inside.close);
    const { report } = await examineReceiver((response) =>
      response.writeHead(307, { location: inside.url }).end(),
    );
    assert.equal(inside.connections.total, 0);
    assert.match(report.cases[0]?.advice ?? '', /redirects \(307\)/);
    assert.deepEqual(namesOf(report, 'passed'), []);
  });

  it('reads little of an answer without end', async () => {
    const { misbehave } = ENDLESS['1 GiB in chunks'] as (typeof ENDLESS)[string];
    const server = await startHostileReceiver(misbehave);
    closers.push(server.close);
    const report = await examineUrl(server.url);
    assert.deepEqual(namesOf(report, 'failed'), FORGED);
    await eventually('all connections are closed', () => server.connections.open.size === 0);
  });

  it('names a connection that nobody takes', async () => {
    const report = await examineUrl('http://127.0.0.1:1/');
    assert.match(report.cases[0]?.advice ?? '', /connection was refused/);
  });
});
