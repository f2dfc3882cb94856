/** A team in the dashboard: who is invited, who may do what, and that nothing is offered that the service would refuse. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { newIssuer } from '../support/issuers.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { EMAIL, heading, setUp, signIn, storedIn } from './setting.ts';
import { assertAccessible, assertFits, settled } from './tab.ts';

const PASSWORD = 'a long enough secret';
const SMALL_PHONE = { width: 320, height: 640 };

let made = 0;
const newEmail = () => `member-${++made}@example.com`;

suite('a team', { skip: whySkipped() }, () => {
  const set = setUp();

  async function asked(method: string, path: string, body: object, token = set.world.token) {
    const answer = await set.world.api(method, path, { token, body });
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  }

  const invite = (email: string, rights: object = { role: 'viewer' }) =>
    asked('POST', '/v1/team/invitations', { email, ...rights });

  async function newMember(role: string, wallet_ids?: string[]) {
    const email = newEmail();
    const rights = { role, ...(wallet_ids ? { wallet_ids } : {}) };
    const body = { email, name: `The ${role}`, password: PASSWORD, ...rights };
    const { user_id } = await asked('POST', '/v1/team/members', body);
    return { email, user_id };
  }

  async function openAs(test: TestContext, email: string, options = {}): Promise<Page> {
    const page = await set.open(test, { signed_in: false, ...options });
    await signIn(page, PASSWORD, email);
    return page;
  }

  async function accept(page: Page, name = 'Grace Hopper'): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.locator('[name=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
  }

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (page: Page) => page.getByRole('dialog');

  test('an owner invites by a link that is shown once; the new user accepts it, and sees the chosen wallet and no “Withdraw” as a viewer', async (context) => {
    const shared = await set.world.newWallet();
    const hidden = await set.world.newWallet();
    const name_of = async ({ id }: { id: string }) =>
      (await set.world.api('GET', `/v1/wallets/${id}`, { token: set.world.token })).body.data.name as string;
    const email = newEmail();
    const owner = await set.open(context);
    await owner.goto('/team');
    await button(owner, 'Invite').click();
    await dialog(owner).getByLabel('E-mail').fill(email);
    await button(owner, 'Create the link').click();
    await dialog(owner).getByText('Choose a role.').waitFor();
    await dialog(owner).getByRole('radio', { name: 'Viewer' }).check();
    await dialog(owner).getByLabel('Only some wallets').check();
    await dialog(owner)
      .getByLabel(await name_of(shared))
      .check();
    await check(owner, 'team, invite');
    await button(owner, 'Create the link').click();
    const link = await dialog(owner).getByLabel('invitation link', { exact: true }).innerText();
    await check(owner, 'team, invitation link');
    await dialog(owner).getByText('It is shown only now. It is valid for 7 days').waitFor();
    await dialog(owner).getByLabel('I have copied the invitation link').check();
    await button(owner, 'Done').click();
    await owner.getByRole('table', { name: 'Open invitations' }).getByText(email).waitFor();
    const token = new URL(link).hash.slice(1);
    assert.ok(token.length >= 40);

    const page = await set.open(context, { signed_in: false });
    await page.goto(link);
    await page.waitForURL((url) => url.pathname === '/invitation' && url.hash === '');
    await page.getByText('You can see the wallets with all their records.').waitFor();
    await page.getByText('You see 1 wallet of the team.').waitFor();
    assert.equal(await page.getByLabel('E-mail').inputValue(), email);
    assert.ok(!(await storedIn(page)).includes(token), 'the token is kept nowhere');
    await accept(page);
    await page.waitForURL('**/wallets');
    await page.getByRole('link', { name: await name_of(shared) }).click();
    await heading(page, 'Latest activity').waitFor();
    await settled(page);
    assert.equal(await page.getByText(await name_of(hidden)).count(), 0);
    for (const role of ['link', 'button'] as const)
      assert.equal(await page.getByRole(role, { name: 'Withdraw' }).count(), 0);
    await button(page, 'Your account').click();
    await page.getByRole('menu').getByText('Viewer of').waitFor();
  });

  test('the link of an invitation works once, and says so in words', async (context) => {
    const { path } = await invite(newEmail());
    const first = await set.open(context, { signed_in: false });
    await first.goto(path);
    await accept(first);
    await first.waitForURL('**/wallets');
    const second = await set.open(context, { signed_in: false, refusals: true });
    await second.goto(path);
    await second.getByText('This invitation was accepted').waitFor();
    await check(second, 'invitation accepted');
    await second.goto(`${path}x`);
    await second.getByText('This invitation cannot be accepted').waitFor();
    await second.goto('/invitation');
    await second.getByText('The invitation is missing').waitFor();
  });

  test('who has a user accepts with its password only', async (context) => {
    const { email, password } = await set.world.newUser();
    const { path } = await invite(email, { role: 'auditor' });
    const page = await set.open(context, { signed_in: false, refusals: true });
    await page.goto(path);
    const enter = async (password: string) => {
      await page.locator('[name=password]').fill(password);
      await button(page, 'Accept the invitation').click();
    };
    await button(page, 'I have a password on this service').click();
    await enter('not the password');
    await page.getByText('No user with the invited e-mail has this password.').waitFor();
    await enter(password);
    await page.waitForURL('**/wallets');
  });

  test('the page of an invitation fits on a phone of 320 px, and axe finds nothing', async (context) => {
    const { path } = await invite(newEmail());
    const page = await set.open(context, { signed_in: false });
    await page.goto(path);
    await button(page, 'Accept the invitation').waitFor();
    await check(page, 'invitation');
    await page.setViewportSize(SMALL_PHONE);
    for (const kind of ['I have a password on this service', 'I am new on this service']) {
      await button(page, kind).click();
      await settled(page);
      await assertFits(page, kind);
      await assertAccessible(page, kind);
    }
  });

  test('a role that an owner changes shows on the next page of the member', async (context) => {
    const wallet = await set.world.newWallet();
    const { email } = await newMember('viewer');
    const page = await openAs(context, email);
    await page.goto(`/wallets/${wallet.id}/withdraw`);
    await page.getByText('Your role cannot withdraw').waitFor();
    await page.getByText('owner, admin and operator').waitFor();
    await check(page, 'withdraw, not permitted');

    const owner = await set.open(context);
    await owner.goto('/team');
    await button(owner, `Manage ${email}`).click();
    await owner.getByRole('menuitem', { name: 'Change role and wallets' }).click();
    await dialog(owner).getByRole('radio', { name: 'Operator' }).check();
    await check(owner, 'team, change member');
    await button(owner, 'Save').click();
    await dialog(owner).waitFor({ state: 'detached' });

    await page.goto(`/wallets/${wallet.id}`);
    await page.getByRole('main').getByRole('link', { name: 'Withdraw' }).click();
    await page.getByLabel('Destination').waitFor();
  });

  test('nothing is offered that a role may not do: a viewer, a developer, an operator', async (context) => {
    const wallet = await set.world.newWallet();
    const address = await newAddress(wallet);
    const offered: Record<string, [string, RegExp][]> = {
      owner: [
        ['/wallets', /^New wallet$/],
        [`/wallets/${wallet.id}/assets`, /^Add asset$/],
        [`/wallets/${wallet.id}/policies`, /^(Freeze|Restrict destinations|Set the limits)/],
      ],
      operator: [
        [`/wallets/${wallet.id}/withdraw`, /^Review$/],
        [`/wallets/${wallet.id}/inbox`, /^(Assign|Refund) /],
      ],
      developer: [
        [`/wallets/${wallet.id}/developers`, /^Add endpoint$/],
        [`/wallets/${wallet.id}/developers?tab=keys`, /^Regenerate$/],
      ],
      both: [
        [`/wallets/${wallet.id}/addresses`, /^New address$/],
        [`/wallets/${wallet.id}/addresses/${address}`, /^Pay this address$/],
      ],
    };
    const groups = {
      viewer: [],
      developer: ['developer', 'both'],
      operator: ['operator', 'both'],
      owner: ['owner', 'operator', 'developer', 'both'],
    };
    for (const [role, may] of Object.entries(groups)) {
      const page = await openAs(context, (await newMember(role)).email);
      for (const [group, pages] of Object.entries(offered))
        for (const [path, name] of pages) {
          await page.goto(path);
          if ((may as string[]).includes(group)) {
            await button(page, name).first().waitFor();
            continue;
          }
          // The name of the role in the menu shows that the page knows the role.
          await button(page, 'Your account').click();
          await page.getByRole('menu').getByText(' of ').waitFor();
          await page.keyboard.press('Escape');
          await settled(page);
          assert.equal(await button(page, name).count(), 0, `${role}: ${name} on ${path}`);
        }
    }
  });

  test('deposit minimums: an owner sets them in units, a viewer reads them, and a change of somebody else is not undone', async (context) => {
    const wallet = await set.world.newWallet();
    const path = `/v1/wallets/${wallet.id}/deposit-minimums`;
    const stored = async () =>
      (await set.world.api('GET', path, { token: wallet.api_key })).body.data.items as object[];
    const usd = await newIssuer(set.world.ledger, 'USDC');
    await asked('POST', `/v1/wallets/${wallet.id}/assets`, usd.fields);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}`);
    await button(page, 'Settings').click();
    await page.getByText('None: every deposit to an address is announced').waitFor();
    await button(page, 'Change the minimums').click();
    const changing = page.getByRole('dialog', { name: 'Deposit minimums' });
    const native = changing.getByLabel('Smallest deposit, in XLM');
    const issued = changing.getByLabel('Smallest deposit, in USDC of');
    const save = () => changing.getByRole('button', { name: 'Save' }).click();
    await native.fill('0.00000001');
    await issued.fill('2.5');
    await save();
    await changing.getByText('The amount has more than 7 decimal places.').waitFor();
    assert.equal(await native.getAttribute('aria-invalid'), 'true');
    assert.equal(await issued.getAttribute('aria-invalid'), null);
    await check(page, 'wallet, change minimums');
    assert.deepEqual(await stored(), []);

    await native.fill('0.001');
    await save();
    await changing.waitFor({ state: 'detached' });
    const minimum_of_usd = { ...usd.fields, amount_stroops: 25_000_000n };
    const minimum_of_xlm = { asset_code: 'native', asset_issuer: null, amount_stroops: 10_000n };
    assert.deepEqual(await stored(), [minimum_of_xlm, minimum_of_usd]);
    const section = page.getByRole('region', { name: 'Deposit minimums' });
    await section.getByText('2.5 USDC').waitFor();

    const { email } = await newMember('viewer');
    const viewer = await openAs(context, email);
    await viewer.goto(`/wallets/${wallet.id}`);
    await button(viewer, 'Settings').click();
    await viewer.getByText('0.001 XLM').waitFor();
    await viewer.getByText('Owners and admins of the team change the settings.').waitFor();
    for (const name of ['Save', 'Change the minimums'])
      assert.equal(await button(viewer, name).count(), 0, name);
    await check(viewer, 'wallet, settings of a viewer');

    await button(page, 'Change the minimums').click();
    await asked('PUT', path, { items: [{ amount_stroops: 7n }] });
    await native.fill('');
    await save();
    await changing.getByText('The minimums have changed in the meantime').waitFor();
    const minimum_of_others = { ...minimum_of_xlm, amount_stroops: 7n };
    assert.deepEqual(await stored(), [minimum_of_others]);
    await page.keyboard.press('Escape');
    await changing.waitFor({ state: 'detached' });
    await section.getByText('0.0000007 XLM').waitFor();
    await button(page, 'Change the minimums').click();
    await native.fill('');
    await save();
    await page.getByText('None: every deposit to an address is announced').waitFor();
    assert.deepEqual(await stored(), []);
  });

  test('a deposit below the minimum says why there is no webhook for it', async (context) => {
    const wallet = await set.world.newWallet();
    const { ledger } = set.world;
    await asked('PUT', `/v1/wallets/${wallet.id}/deposit-minimums`, { items: [{ amount_stroops: 7n }] });
    const { address } = await asked('POST', `/v1/wallets/${wallet.id}/addresses`, {}, wallet.api_key);
    const { hash } = await ledger.pay(ledger.root, address, 6n);
    const [deposit] = await set.world.depositsOf(wallet, hash);
    const page = await set.open(context);
    await page.goto(`/wallets/${wallet.id}/deposits/${deposit.id}`);
    await page
      .getByText('The deposit was below the minimum of the wallet, so no event announces it.')
      .waitFor();
  });

  async function newAddress({ id, api_key: token }: { id: string; api_key: string }): Promise<string> {
    return (await asked('POST', `/v1/wallets/${id}/addresses`, {}, token)).id;
  }

  test('a member who is removed is refused at once; the last owner cannot leave, and reads why', async (context) => {
    const { email } = await newMember('operator');
    const member = await set.open(context, { signed_in: false, refusals: true });
    await signIn(member, PASSWORD, email);
    const owners = await set.world.api('GET', '/v1/team/members?limit=200', { token: set.world.token });
    for (const each of owners.body.data.items)
      if (each.role === 'owner' && each.email !== EMAIL)
        await asked('DELETE', `/v1/team/members/${each.user_id}`, {});

    const owner = await set.open(context, { refusals: true });
    await owner.goto('/team');
    await button(owner, `Manage ${email}`).click();
    await owner.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await dialog(owner).getByText('all sessions end').waitFor();
    await check(owner, 'team, remove member');
    await dialog(owner).getByRole('button', { name: 'Remove from the team' }).click();
    await button(owner, `Manage ${email}`).waitFor({ state: 'detached' });
    await member.goto('/team');
    await heading(member, 'Your session has ended').waitFor();

    await button(owner, 'Leave team').click();
    await dialog(owner).getByRole('button', { name: 'Leave team' }).click();
    await dialog(owner).getByText('Make another member an owner first').waitFor();
  });

  test('a member who is removed leaves a list of the service users that they know a credential of, with a link to each', async (context) => {
    const { email, user_id } = await newMember('admin');
    const token = (await set.world.api('POST', '/v1/auth/login', { body: { email, password: PASSWORD } }))
      .body.data.token;
    const name = 'Payouts of the admin';
    const made = await asked('POST', '/v1/team/service-users', { name, role: 'operator' }, token);
    const owner = await set.open(context);
    await owner.goto('/team');
    await button(owner, `Manage ${email}`).click();
    await owner.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await dialog(owner).getByRole('button', { name: 'Remove from the team' }).click();
    await dialog(owner).getByText('knows a secret or a key of each').waitFor();
    await check(owner, 'team, known programs');
    await dialog(owner).getByRole('link', { name }).click();
    await dialog(owner).waitFor({ state: 'detached' });
    await owner.waitForURL((url) => url.pathname === '/team' && url.hash === `#${made.id}`);
    const row = owner.locator(`#${made.id}`);
    await row.getByText(name).waitFor();
    await eventually('the page shows the service user', async () => {
      const box = await row.boundingBox();
      const height = owner.viewportSize()?.height ?? 0;
      return box !== null && box.y >= 0 && box.y + box.height <= height;
    });
    const { items } = (await set.world.api('GET', '/v1/team/members?limit=200', { token: set.world.token }))
      .body.data;
    assert.ok(!items.some((each: { user_id: string }) => each.user_id === user_id));
  });

  test('a member renames the team, revokes an invitation, or leaves, as the role allows', async (context) => {
    const email = newEmail();
    await invite(email);
    const owner = await set.open(context);
    await owner.goto('/team');
    await button(owner, 'Rename team').click();
    await dialog(owner).getByLabel('Name').fill('Exchange');
    await button(owner, 'Save').click();
    await heading(owner, 'Exchange').waitFor();
    await owner.getByText(email).waitFor();
    await dialog(owner).waitFor({ state: 'detached' });
    await check(owner, 'team');
    await button(owner, `Revoke the invitation of ${email}`).click();
    await dialog(owner).getByRole('button', { name: 'Revoke' }).click();
    await dialog(owner).waitFor({ state: 'detached' });
    await owner.getByText(email).waitFor({ state: 'detached' });

    // A page that asks regularly may ask once more while the service ends its session.
    const page = await openAs(context, (await newMember('viewer')).email, { refusals: true });
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('Your role: viewer').waitFor();
    await settled(page);
    for (const name of ['Rename team', 'Invite', /^Manage/])
      assert.equal(await button(page, name).count(), 0, String(name));
    await check(page, 'team, viewer');
    await button(page, 'Leave team').click();
    await dialog(page).getByRole('button', { name: 'Leave team' }).click();
    await page.waitForURL('**/login');
  });

  test('an owner sets what the team is alerted of, and stores the signing secret; an auditor reads that, a viewer sees none of it', async (context) => {
    const owner = await set.open(context);
    await owner.goto('/team');
    const section = (page: Page) => page.getByRole('region', { name: 'Alerts' });
    await section(owner).getByText('the operator of the service has named no mail server').waitFor();
    await button(owner, 'Change alerts').click();
    await dialog(owner).getByLabel('URL of your webhook').fill('http://127.0.0.1:9/alerts');
    await dialog(owner).getByLabel('Alert of everything').uncheck();
    await dialog(owner).getByLabel('Sign-in at a new device').uncheck();
    await button(owner, 'Add an amount').click();
    await dialog(owner).getByLabel('Amount 1', { exact: true }).fill('1,000');
    await button(owner, 'Save').click();
    await dialog(owner).getByText('is ambiguous: write 1000').waitFor();
    await dialog(owner).getByLabel('Amount 1', { exact: true }).fill('1000.5');
    await button(owner, 'Add an amount').click();
    await dialog(owner).getByLabel('Amount 2', { exact: true }).fill('1');
    await button(owner, 'Save').click();
    await dialog(owner).getByText('must be XLM or CODE:ISSUER').waitFor();
    await check(owner, 'team, change alerts');
    await button(owner, 'Remove amount 2').click();
    await button(owner, 'Save').click();
    const secret = await dialog(owner).getByLabel('signing secret', { exact: true }).innerText();
    assert.match(secret, /^whsec_/);
    await dialog(owner).getByLabel('I have stored the signing secret').check();
    await button(owner, 'Done').click();
    await section(owner).getByText('above 1,000.5 XLM').waitFor();
    await section(owner).getByText('http://127.0.0.1:9/alerts').waitFor();
    await dialog(owner).waitFor({ state: 'detached' });
    await check(owner, 'team, alerts');
    const { url, kinds } = await readAlerts();
    assert.equal(url, 'http://127.0.0.1:9/alerts');
    assert.ok(!kinds.includes('new_device') && kinds.includes('policy_loosened'));

    await button(owner, 'Replace signing secret').click();
    await dialog(owner).getByRole('button', { name: 'Replace secret' }).click();
    const other = await dialog(owner).getByLabel('signing secret', { exact: true }).innerText();
    assert.notEqual(other, secret);
    await dialog(owner).getByLabel('I have stored the signing secret').check();
    await button(owner, 'Done').click();
    await dialog(owner).waitFor({ state: 'detached' });

    const auditor = await openAs(context, (await newMember('auditor')).email);
    await auditor.goto('/team');
    await section(auditor).getByText('above 1,000.5 XLM').waitFor();
    assert.equal(await button(auditor, 'Change alerts').count(), 0);
    const viewer = await openAs(context, (await newMember('viewer')).email);
    await viewer.goto('/team');
    await viewer.getByText('Your role: viewer').waitFor();
    await settled(viewer);
    assert.equal(await section(viewer).count(), 0);
  });

  const readAlerts = async () =>
    (await set.world.api('GET', '/v1/team/alerts', { token: set.world.token })).body.data;
});
