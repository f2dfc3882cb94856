/** `teller trigger`, and what `teller listen` checks before it begins: one sentence for each mistake. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { TEST_EVENTS } from '../../src/webhooks/store/event-types.ts';
import { tellerStartedOnce } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { type Launched, launchTeller } from '../support/launch.ts';
import { startReceiver } from '../support/receiver.ts';
import { joinService, type Wallet } from '../support/running-service.ts';
import { teller } from '../support/service.ts';

const world = await joinService('receivers');
let wallet: Wallet;
const started: Launched[] = [];
before(async () => {
  wallet = await world.newWallet();
});
after(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await world.stop();
});

const env = (more: Record<string, string> = {}) => ({
  API_URL: world.service.url,
  API_KEY: wallet.api_key,
  ...more,
});
const NOBODY = 'http://127.0.0.1:1';

describe('teller listen', () => {
  const listen = (more: Record<string, string> = {}, wallet_id = wallet.id, to = 'http://127.0.0.1:1/') =>
    teller(['listen', '--forward-to', to, '--wallet', wallet_id], env(more));

  const mistakes: [string, () => ReturnType<typeof listen>, RegExp][] = [
    [
      'a key that is not valid',
      () => listen({ API_KEY: 'svc_sk_test_wrong' }),
      /^The API key is not valid at http\S+\. Set API_KEY to a key of the wallet\.$/,
    ],
    [
      'the key of another wallet',
      async () => listen({}, (await world.newWallet()).id),
      /^The API key is not one of the wallet wal_\w+: it belongs to another wallet, or there is no such wallet\.$/,
    ],
    [
      'a wallet that does not exist',
      () => listen({}, 'wal_0'),
      /^The API key is not one of the wallet wal_0: it belongs to another wallet, or there is no such wallet\.$/,
    ],
    [
      'a service that cannot be reached',
      () => listen({ API_URL: NOBODY }),
      /^http:\/\/127\.0\.0\.1:1 cannot be reached: the connection was refused\. Start the service, or set API_URL to its address\.$/,
    ],
    [
      'a URL where no service is',
      async () => {
        const other = await startReceiver();
        return listen({ API_URL: other.url }).finally(other.close);
      },
      /^http\S+ is not the API of Stellar Teller \(status 200\)\. Set API_URL to the address of the service\.$/,
    ],
    [
      'a URL where something else than HTTP answers',
      async () => {
        const other = createServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1');
        await once(other, 'listening');
        const { port } = other.address() as AddressInfo;
        return listen({ API_URL: `http://127.0.0.1:${port}` }).finally(() => other.close());
      },
      /^http\S+ answers, but not by HTTP\. Set API_URL to the address of the service\.$/,
    ],
  ];
  for (const [name, run, sentence] of mistakes)
    it(`ends with one sentence for ${name}, before it shows a secret`, async () => {
      const { code, output } = await run();
      assert.equal(code, 1);
      assert.match(output.trim(), sentence);
      assert.ok(!output.includes('whsec_'));
    });

  it('goes on without a receiver, says so, and shows the secret after everything else', async () => {
    const launched = launchTeller(['listen', '--forward-to', `${NOBODY}/hook`, '--wallet', wallet.id], env());
    started.push(launched);
    const { child, output, ended } = launched;
    await eventually('its secret', () => /whsec_\S+\n/.test(output()));
    const lines = output().trim().split('\n');
    assert.match(lines.at(-1) ?? '', /^Signing secret of this session: whsec_/);
    assert.ok(lines.some((line) => /receiver cannot be reached now: the connection was refused/.test(line)));
    child.kill('SIGINT');
    await ended;
    assert.match(output(), /--after 0$/m);
  });
});

describe('teller trigger', () => {
  async function register(url: string): Promise<string> {
    const path = `/v1/wallets/${wallet.id}/webhooks`;
    return (await world.api('POST', path, { token: wallet.api_key, body: { url } })).body.data.id;
  }
  const trigger = (event: string, endpoint: string, more: Record<string, string> = {}) =>
    tellerStartedOnce(['trigger', '--wallet', wallet.id, '--endpoint', endpoint, event], env(more));

  it('sends a test event through the service and says how the receiver answered', async () => {
    const receiver = await startReceiver();
    const endpoint = await register(receiver.url);
    const { code, output } = await trigger('deposit.test', endpoint);
    assert.equal(code, 0, output);
    assert.match(output, /^deposit\.test dlv_\w+ → 200 in \d+ ms$/m);
    assert.equal(JSON.parse(`${receiver.requests[0]?.body}`).event, 'deposit.test');
    assert.equal((await trigger('withdrawal.failed.test', endpoint)).code, 0, 'it has not chosen this type');
    receiver.answer(500);
    assert.equal((await trigger('ping', endpoint)).code, 1, 'the receiver did not acknowledge it');
    await receiver.close();
  });

  it('lists the events with --help, one for each type of event, and refuses another one', async () => {
    const { output } = await tellerStartedOnce(['trigger', '--help']);
    for (const event of TEST_EVENTS) assert.ok(output.includes(`"${event}"`), event);
    const real = await trigger('deposit.created', 'whe_0');
    assert.equal(real.code, 1);
    assert.match(real.output, /Allowed choices are ping, deposit\.test/);
  });

  it('says what it means that an endpoint is disabled, and that there is none', async () => {
    const endpoint = await register(NOBODY);
    const path = `/v1/wallets/${wallet.id}/webhooks/${endpoint}`;
    await world.api('PATCH', path, { token: world.token, body: { enabled: false } });
    const disabled = await trigger('ping', endpoint);
    assert.equal(disabled.code, 1);
    assert.match(disabled.output, /is disabled: it gets no events and no test events; its events wait/);
    const none = await trigger('ping', 'whe_0');
    assert.equal(none.code, 1);
    assert.match(none.output, /There is no such webhook endpoint/);
  });

  it('hints at API_URL when the service cannot be reached', async () => {
    const { code, output } = await trigger('ping', 'whe_0', { API_URL: NOBODY });
    assert.equal(code, 1);
    assert.match(output, /set API_URL to its address/);
  });
});
