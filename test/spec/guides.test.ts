/** The guides of the API reference work: their commands are pasted into one shell, as they are, in their order. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fromJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { joinService, type User } from '../support/running-service.ts';

const world = await joinService('receivers');
const folder = mkdtempSync(join(tmpdir(), 'guides-'));
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

const guide = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guides', `${name}.md`), 'utf8');

/** The blocks of this language, without the indent of their lists. */
function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\``, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

const AFTER = '--- the answer ends here ---';

describe('the commands of the guides', () => {
  let answers: any[];
  let user: User;

  before(async () => {
    user = await world.newUser();
    const blocks = ['1-first-deposit', '3-withdrawing-from-a-backend', '5-payouts'].flatMap((name) =>
      blocksOf(guide(name), 'sh'),
    );
    const script = blocks
      .join(`\necho; echo '${AFTER}'\n`)
      .replace('http://localhost:3000', world.service.url)
      .replace('demo@example.com', user.email)
      .replace('"password":"…"', `"password":"${user.password}"`);
    assert.doesNotMatch(script, /…|localhost:3000/, 'nothing is left to fill in');
    answers = (await pasted(script)).split(AFTER).map((text) => text.trim() && fromJson(text.trim()));
    assert.equal(answers.length, blocks.length);
  });

  async function pasted(script: string): Promise<string> {
    const env = { ...process.env, no_proxy: '*' }; // a proxy that curl knows of leads away from this machine
    const shell = spawn('bash', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    for await (const chunk of shell.stdout) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  it('are all answered with success', () => {
    const statuses = answers.filter((answer) => answer !== '').map(({ statusCode }) => Number(statusCode));
    assert.deepEqual(statuses, [201, 201, 201, 200, 201, 200, 201, 200, 200]);
  });

  it('make a deposit, a withdrawal and a payout that reach the ledger', async () => {
    const [, wallet, address] = answers;
    const get = async (path: string) =>
      (await world.api('GET', `/v1/wallets/${wallet.data.id}/${path}`, { token: user.token })).body.data;
    const deposits = await eventually('the deposit', async () => {
      const { items } = await get('deposits?attributed=true');
      return items.length > 0 && items;
    });
    assert.deepEqual(
      deposits.map(({ address_id, amount_stroops }: any) => [address_id, amount_stroops]),
      [[address.data.id, 25_000_000n]],
    );
    const withdrawal = answers.find((answer) => answer.data?.idempotency_key === 'order-4711');
    assert.equal(withdrawal.data.status, 'confirmed');
    const payout = answers.at(-1).data;
    const completed = await eventually('the payout is completed', async () => {
      const shown = await get(`payouts/${payout.id}`);
      return shown.status === 'completed' && shown;
    });
    assert.equal(completed.counts.confirmed, 1n);
  });
});

describe('the code that verifies webhooks', () => {
  it('takes what the service sends, and refuses it once anything of it was changed', async () => {
    const [code = ''] = blocksOf(guide('2-verifying-webhooks'), 'js');
    const file = join(folder, 'verify.mjs');
    writeFileSync(file, code);
    const { isGenuine } = await import(pathToFileURL(file).href);
    const receiver = await startReceiver();
    after(() => receiver.close());
    const wallet = await world.newWallet();
    const body = { url: receiver.url };
    const made = await world.api('POST', `/v1/wallets/${wallet.id}/webhooks`, {
      token: wallet.api_key,
      body,
    });
    const { id, signing_secret } = made.body.data;
    const path = `/v1/wallets/${wallet.id}/webhooks/${id}/test`;
    await world.api('POST', path, { token: wallet.api_key, body: { event: 'deposit.test' } });
    const sent = await eventually('the event', () => receiver.requests[0]);
    const genuine = (headers: object = {}, bytes = sent.body) =>
      isGenuine({ ...sent.headers, ...headers }, bytes, signing_secret);
    assert.equal(genuine(), true);
    assert.equal(genuine({}, Buffer.from(`${sent.body} `)), false);
    const signature = `${sent.headers['webhook-signature']}`;
    for (const headers of [
      { 'webhook-timestamp': `${Number(sent.headers['webhook-timestamp']) - 301}` },
      { 'webhook-timestamp': undefined },
      { 'webhook-id': 'evt_other' },
      { 'webhook-signature': undefined },
      { 'webhook-signature': 'v1,é v1 zzz' },
      { 'webhook-signature': signature.replace('v1,', 'v2,') },
    ])
      assert.equal(genuine(headers), false, JSON.stringify(headers));
    assert.equal(genuine({ 'webhook-signature': `v1,AAAA ${signature}` }), true);
    assert.equal(isGenuine(sent.headers, sent.body, `whsec_${Buffer.alloc(32).toString('base64')}`), false);
  });
});
