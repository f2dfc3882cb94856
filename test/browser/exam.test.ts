import { suite, test } from 'node:test';
import { freePort } from '../support/free-port.ts';
import { launch, printed } from '../support/launch.ts';
import { seededRandom } from '../support/random.ts';
import { startReceiver } from '../support/receiver.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { setUp, signIn } from './setting.ts';

const PASSWORD = 'a long enough secret';

suite('the exam of a receiver', { skip: whySkipped() }, () => {
  const set = setUp();

  async function newEndpoint(url: string) {
    const { id, api_key } = await set.world.newWallet();
    const path = `/v1/wallets/${id}/webhooks`;
    const { body } = await set.world.api('POST', path, { token: api_key, body: { url } });
    return { ...body.data, page: `/wallets/${id}/developers/webhooks/${body.data.id}` };
  }

  test('shows what to mend in a receiver that accepts everything', async (context) => {
    const receiver = await startReceiver();
    const endpoint = await newEndpoint(receiver.url);
    const page = await set.open(context);
    await page.goto(endpoint.page);
    await page.getByRole('button', { name: 'Examine' }).click();
    const dialog = page.getByRole('dialog', { name: 'Examine the receiver' });
    await check(page, 'endpoint, exam');
    await dialog.getByRole('button', { name: 'Examine' }).click();
    await dialog.getByText('Not passed: 10 of 17 cases passed').waitFor();
    await dialog.getByText('answer 401 when they differ').first().waitFor();
    await check(page, 'endpoint, exam not passed');
    await receiver.close();
    await dialog.getByRole('button', { name: 'Examine again' }).click();
    await dialog.getByText('There was no answer: the connection was refused').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('is passed by the receiver of the tour', async (context) => {
    const port = await freePort(seededRandom(`exam ${process.pid}`));
    const endpoint = await newEndpoint(`http://127.0.0.1:${port}/hook`);
    const args = ['examples/receiver.mjs', endpoint.signing_secret, `${port}`];
    const launched = launch(args, { DATABASE: ':memory:' });
    context.after(() => launched.end('SIGTERM'));
    await printed(launched, /(listening)/);
    const page = await set.open(context);
    await page.goto(endpoint.page);
    await page.getByRole('button', { name: 'Examine' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Examine' }).click();
    await page.getByText('Passed: all 17 cases').waitFor();
    await check(page, 'endpoint, exam passed');
  });

  test('is offered neither to a viewer, nor while the endpoint is disabled', async (context) => {
    const endpoint = await newEndpoint('http://127.0.0.1:1/');
    const path = `/v1/wallets/${endpoint.wallet_id}/webhooks/${endpoint.id}`;
    await set.world.api('PATCH', path, { token: set.world.token, body: { enabled: false } });
    const page = await set.open(context);
    await page.goto(endpoint.page);
    await page.getByRole('button', { name: 'Examine', disabled: true }).waitFor();

    const email = 'viewer@example.com';
    const body = { email, name: 'Viewer', password: PASSWORD, role: 'viewer' };
    await set.world.api('POST', '/v1/team/members', { token: set.world.token, body });
    const viewers = await set.open(context, { signed_in: false });
    await signIn(viewers, PASSWORD, email);
    await viewers.goto(endpoint.page);
    await viewers.getByText('Endpoint id').waitFor();
    await viewers.getByRole('button', { name: 'Examine' }).waitFor({ state: 'detached' });
  });
});
