/** The examples that pay and poll, as they are copied from the page of developers, against the service. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Examples } from '../../dashboard/src/pages/developers/examples/example.ts';
import { PYTHON } from '../../dashboard/src/pages/developers/examples/python.ts';
import { SHELL } from '../../dashboard/src/pages/developers/examples/shell.ts';
import { TYPESCRIPT } from '../../dashboard/src/pages/developers/examples/typescript.ts';
import { joinService, unique, type Wallet } from '../support/running-service.ts';

const world = await joinService('receivers');
let dir: string;
let wallet: Wallet;
let client: Record<string, string>;
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'teller-examples-'));
  wallet = await world.newWallet();
  const made = await world.api('POST', '/v1/team/service-users', {
    token: world.token,
    body: { name: unique('Payer'), role: 'operator' },
  });
  assert.equal(made.status, 201, made.text);
  client = { CLIENT_ID: made.body.data.client_id, CLIENT_SECRET: made.body.data.client_secret };
});
after(async () => {
  await rm(dir, { recursive: true });
  await world.stop();
});

const LANGUAGES: [string, Examples, (file: string) => [string, ...string[]]][] = [
  ['TypeScript', TYPESCRIPT, (file) => [process.execPath, file]],
  ['Python', PYTHON, (file) => ['python3', file]],
  ['sh', SHELL, (file) => ['sh', file]],
];
const NEEDS: Record<string, string> = { Python: 'python3', sh: 'curl' };

/** Starts an example with these variables. */
async function start(
  id: 'withdraw' | 'poll',
  language: (typeof LANGUAGES)[number],
  env: Record<string, string>,
) {
  const [name, examples, command] = language;
  const file = join(dir, `${id}.${name === 'TypeScript' ? 'mts' : name}`);
  await writeFile(file, examples[id]({ origin: world.service.url, walletId: wallet.id, webhookId: null }));
  const [program, ...args] = command(file);
  return spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function printed(child: Awaited<ReturnType<typeof start>>, isEnough: (text: string) => boolean) {
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (isEnough(text)) break;
  }
  return text;
}

for (const language of LANGUAGES) {
  const [name] = language;
  const needed = NEEDS[name];
  const skip = needed !== undefined && spawnSync(needed, ['--version']).error !== undefined && `no ${needed}`;

  test(`“Withdraw” in ${name} pays an order once, however often it is sent`, { skip }, async () => {
    const env = { ...client, ORDER: unique('order'), DESTINATION: world.ledger.root.publicKey() };
    const first = await printed(await start('withdraw', language, env), () => false);
    assert.match(first, /confirmed/);
    const again = await printed(await start('withdraw', language, env), () => false);
    if (name !== 'sh') assert.match(again, /^409 wd_\w+ confirmed/);
    const path = `/v1/wallets/${wallet.id}/withdrawals?idempotency_key=${env.ORDER}`;
    const { items } = (await world.api('GET', path, { token: world.token })).body.data;
    assert.deepEqual(
      items.map(({ amount_stroops, reference }: any) => [amount_stroops, reference]),
      [[10_000_000n, 'Customer 42']],
    );
  });

  test(`“Poll” in ${name} prints the next event`, { skip }, async () => {
    const made = await world.api('POST', `/v1/wallets/${wallet.id}/addresses`, {
      token: wallet.api_key,
      body: {},
    });
    const { hash } = await world.ledger.pay(world.ledger.root, made.body.data.address, 5n);
    const [deposit] = await world.depositsOf(wallet, hash);
    const child = await start('poll', language, { API_KEY: wallet.api_key });
    const text = await printed(child, (so_far) => so_far.includes(deposit.id));
    child.kill();
    assert.ok(text.includes(deposit.id), text);
  });
}
