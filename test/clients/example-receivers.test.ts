/** The receivers in examples/ credit a deposit once, whatever comes, fails or ends. */
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, type TestContext } from 'node:test';
import { sampleDeposit } from '../../src/deposits/recorded/deposit-schema.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createPoster } from '../../src/outgoing/post.ts';
import { parseExemptions } from '../../src/outgoing/public-url.ts';
import {
  newSigningSecret,
  type SigningKeys,
  signatureHeaders,
  signingKeys,
} from '../../src/outgoing/sign.ts';
import { examine } from '../../src/webhooks/exam/examine.ts';
import { freePort } from '../support/free-port.ts';
import { launch, printed } from '../support/launch.ts';
import { seededRandom } from '../support/random.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = folderWithExamples();
after(() => rmSync(folder, { recursive: true, force: true }));

const AMOUNT = 9_007_199_254_740_993n; // no JavaScript number is this
const deposit = (id: string) =>
  `{"event":"deposit.created","data":{"id":"${id}","asset_code":"native","asset_issuer":null,` +
  `"amount_stroops":${AMOUNT},"metadata":{"customer":42,"amount_stroops":1.5}}}`;

for (const example of ['receiver.mjs', 'receiver-with-client.mjs'])
  describe(`examples/${example}`, () => {
    it('credits a delivery that is sent again once, exactly, also with another webhook-sequence', async (context) => {
      const { credits, post } = await start(context, example);
      assert.equal(await post({ sequence: 1n }), 'taken');
      for (const sequence of [1n, 2n, 1000n]) assert.equal(await post({ sequence }), 'taken');
      assert.deepEqual(credits(), [
        {
          deposit_id: 'dep_1',
          event_id: 'evt_1',
          metadata: '{"customer":42,"amount_stroops":1.5}',
          asset_code: 'native',
          asset_issuer: null,
          amount_stroops: AMOUNT,
        },
      ]);
    });

    it('skips no delivery because of a webhook-sequence that somebody has changed', async (context) => {
      const { ids, post } = await start(context, example);
      await post({ sequence: 1000n });
      assert.equal(await post({ id: 'evt_2', body: deposit('dep_2'), sequence: 2n }), 'taken');
      assert.deepEqual(ids(), ['dep_1', 'dep_2']);
    });

    it('neither acknowledges nor forgets a deposit whose credit has failed', async (context) => {
      const { sql, ids, post } = await start(context, example);
      sql(
        "create trigger refuse before insert on credits begin select raise(abort, 'no such customer'); end",
      );
      assert.equal(await post(), 500);
      assert.equal(await post(), 500);
      sql('drop trigger refuse');
      assert.equal(await post(), 'taken');
      assert.deepEqual(ids(), ['dep_1']);
    });

    it('accepts deliveries while its secret is replaced, with the old one and with the new one', async (context) => {
      const [old, next] = [newSigningSecret(), newSigningSecret()];
      const keys = { current: signingKeys(next), old: [signingKeys(old)] };
      for (const secret of [old, next]) {
        const { ids, post } = await start(context, example, secret);
        assert.equal(await post({ keys }), 'taken');
        assert.deepEqual(ids(), ['dep_1']);
        const foreign = { current: signingKeys(newSigningSecret()), old: [] };
        assert.equal(await post({ id: 'evt_2', body: deposit('dep_2'), keys: foreign }), 401);
      }
    });

    it('knows after a restart what it has credited', async (context) => {
      const { ids, post, restart } = await start(context, example);
      await post();
      await restart();
      assert.equal(await post(), 'taken');
      assert.deepEqual(ids(), ['dep_1']);
    });

    it('credits nobody for a test event', async (context) => {
      const { ids, post } = await start(context, example);
      const body = deposit('dep_1').replace('deposit.created', 'deposit.test');
      assert.equal(await post({ body }), 'taken');
      assert.deepEqual(ids(), []);
    });

    it('passes the exam, which leaves no typical fault unseen', async (context) => {
      const secret = newSigningSecret();
      const { url } = await start(context, example, secret);
      const poster = createPoster({
        exemptions: parseExemptions([new URL(url).host]),
        show_exempt_answers: true,
        resolve: async () => [],
        clock: systemClock,
      });
      context.after(() => poster.close());
      const report = await examine({ clock: systemClock, poster }, url, {
        wallet_id: 'wal_sample',
        keys: { current: signingKeys(secret), old: [] },
        deposit: (at) => sampleDeposit(true, { wallet_id: 'wal_sample', at }),
        place: 0n,
      });
      assert.deepEqual([report?.passed, report?.unseen], [true, []]);
    });

    it('tells of test events alone what it has done with them', async (context) => {
      const { lookUp, post } = await start(context, example);
      assert.deepEqual(await lookUp('evt_1'), { handled: 0, amount_stroops: null, credited: 0 });
      await post();
      assert.deepEqual(await lookUp('evt_1'), { handled: 0, amount_stroops: null, credited: 0 });
      const body = deposit('dep_2').replace('deposit.created', 'deposit.test');
      for (const _ of [1, 2]) await post({ id: 'evt_2', body });
      assert.deepEqual(await lookUp('evt_2'), { handled: 1, amount_stroops: `${AMOUNT}`, credited: 0 });
    });

    it('says what to do where Node has no SQLite', async () => {
      const { ended, output } = launch(
        ['--no-experimental-sqlite', example, newSigningSecret()],
        {},
        { root: folder },
      );
      assert.equal(await ended, 1);
      assert.match(output(), /Node from 22\.13 on.*npx node/s);
    });
  });

type Keys = { current: SigningKeys; old: SigningKeys[] };

/** The example with a database of its own, and what a sender and its owner do with it. */
async function start(context: TestContext, example: string, secret = newSigningSecret()) {
  const port = await freePort(seededRandom(`${context.fullName} ${secret}`));
  const file = join(mkdtempSync(join(folder, 'database-')), 'receiver.sqlite');
  const run = () => launch([example, secret, `${port}`], { DATABASE: file }, { root: folder });
  let running = run();
  context.after(() => running.end('SIGKILL'));
  await printed(running, /(listening)/);
  const database = new DatabaseSync(file, { readBigInts: true, timeout: 5000 });
  context.after(() => database.close());
  const own: Keys = { current: signingKeys(secret), old: [] };
  const credits = () =>
    database
      .prepare('select * from credits order by deposit_id')
      .all()
      .map((row) => ({ ...row }));
  const url = `http://127.0.0.1:${port}/hook`;
  return {
    url,
    sql: (text: string) => database.exec(text),
    credits,
    ids: () => credits().map(({ deposit_id }) => deposit_id),
    /** Sends a delivery as the service does. */
    async post({ id = 'evt_1', body = deposit('dep_1'), sequence = 1n, keys = own } = {}) {
      const bytes = Buffer.from(body);
      const headers = signatureHeaders(bytes, { id, sequence, sent_at: new Date() }, keys);
      const { ok, status } = await fetch(url, {
        method: 'POST',
        headers,
        body: bytes,
      });
      return ok ? 'taken' : status;
    },
    async lookUp(event_id: string): Promise<unknown> {
      return (await fetch(`${url}?handled=${event_id}`)).json();
    },
    async restart() {
      await running.end('SIGKILL');
      running = run();
      await printed(running, /(listening)/);
    },
  };
}

/** A folder with the examples and the client beside them, as its sources are: no build comes first. */
function folderWithExamples(): string {
  const made = mkdtempSync(join(tmpdir(), 'teller-examples-'));
  cpSync(join(ROOT, 'examples'), made, { recursive: true });
  const client = join(ROOT, 'clients', 'typescript');
  const installed = join(made, 'node_modules', 'stellar-teller-client');
  mkdirSync(installed, { recursive: true });
  symlinkSync(join(client, 'src'), join(installed, 'src'));
  const manifest = readFileSync(join(client, 'package.json'), 'utf8');
  const of_sources = manifest.replaceAll(/\.\/dist\/([a-z/]+)\.js/g, './src/$1.ts');
  writeFileSync(join(installed, 'package.json'), of_sources);
  return made;
}
