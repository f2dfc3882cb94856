/** Second factors in the dashboard, with passkeys of Chromium's virtual authenticator. */
import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { addApp, challengeOf, codeOf, makeStale, prove } from '../support/factors.ts';
import { freePort } from '../support/free-port.ts';
import { seededRandom } from '../support/random.ts';
import { assertError, startSecond, type User } from '../support/running-service.ts';
import { whySkipped } from './chromium.ts';
import { check } from './looks.ts';
import { fillWithdrawal, heading, setUp, signIn, signOut } from './setting.ts';
import { openTab } from './tab.ts';

const PASSKEY = 'Use a passkey';

suite('second factors', { skip: whySkipped() }, async () => {
  const set = setUp({ PORT: `${await freePort(seededRandom('second factors'))}` });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const api = (method: string, path: string, { token }: { token: string }, body: object = {}) =>
    set.world.api(method, path, { token, body });

  /** A tab of a new user, with an authenticator that always agrees. */
  async function openAsNewUser(context: TestContext) {
    const user = await set.world.newUser();
    const page = await set.open(context, { signed_in: false, refusals: true });
    const authenticator = await addAuthenticator(page);
    await signIn(page, user.password, user.email);
    return { user, page, authenticator };
  }

  async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('WebAuthn.enable', { enableUI: false });
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  }

  async function addPasskey(page: Page, user: User, name = 'My laptop'): Promise<string[]> {
    await page.goto('/security');
    await button(page, 'Add a passkey').click();
    await dialog(page).getByLabel('Name').fill(name);
    await dialog(page).getByLabel('Your password').fill(user.password);
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    return storeCodes(page);
  }

  async function storeCodes(page: Page): Promise<string[]> {
    const codes = await dialog(page).getByLabel('recovery codes', { exact: true }).innerText();
    await dialog(page).getByLabel('I have stored the recovery codes').check();
    await button(page, 'Done').click();
    return codes.split('\n');
  }

  /** Up to the question for the second factor. */
  async function givePassword(page: Page, { email, password }: User): Promise<void> {
    await page.goto('/login');
    await page.getByLabel('E-mail').fill(email);
    await page.locator('[name=password]').fill(password);
    await button(page, 'Sign in').click();
    await page.getByText('Now prove your second factor').waitFor();
  }

  test('a passkey is added, signs in, and is removed after it was used again', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await page.goto('/security');
    await button(page, 'Add a passkey').waitFor();
    await check(page, 'security, without a factor');
    const codes = await addPasskey(page, user);
    assert.equal(codes.length, 10);
    await page.getByRole('table', { name: 'Second factors' }).getByText('My laptop').waitFor();
    await page.getByText('Recovery codes left: 10').waitFor();
    await check(page, 'security, with a passkey');
    const [row] = await set.world.query(
      'select octet_length(public_key) as bytes, rp_id, counter from second_factors where user_id = $1',
      [user.id],
    );
    assert.deepEqual(
      [row.bytes, row.rp_id],
      [42, 'localhost'],
      'Ed25519, which the virtual authenticator prefers',
    );

    await signOut(page);
    await givePassword(page, user);
    await check(page, 'sign in, second factor');
    await button(page, PASSKEY).click();
    await page.waitForURL('**/wallets');

    await makeStale(set.world, user.id);
    await page.goto('/security');
    await button(page, 'Remove My laptop').click();
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Confirm that it is you').waitFor();
    await check(page, 'step-up');
    await button(page, PASSKEY).click();
    await page.getByText('You have none.').waitFor();
  });

  test('the same passkey is not added twice', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    await button(page, 'Add a passkey').click();
    await dialog(page).getByLabel('Name').fill('Again');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page).getByText('This device has a passkey for you already.').waitFor();
  });

  test('an answer of a passkey is accepted once, and not for another challenge', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    const answers: string[] = [];
    await page.route('**/v1/auth/second-factor', async (route) => {
      answers.push(route.request().postData() ?? '');
      await route.continue();
    });
    await signOut(page);
    await givePassword(page, user);
    await button(page, PASSKEY).click();
    await page.waitForURL('**/wallets');
    const body = JSON.parse(answers[0] ?? '');
    // A passkey that is copied between devices has no counter: without it only the challenge protects.
    await set.world.query('update second_factors set counter = 0 where user_id = $1', [user.id]);
    const again = await set.world.api('POST', '/v1/auth/second-factor', { body });
    assertError(again, 401, 'challenge_ended');
    const login = { body: { email: user.email, password: user.password } };
    const { challenge } = (await set.world.api('POST', '/v1/auth/login', login)).body.data;
    const other = await set.world.api('POST', '/v1/auth/second-factor', { body: { ...body, challenge } });
    assertError(other, 401, 'second_factor_wrong');
    const retried = await set.world.api('POST', '/v1/auth/second-factor', { body: { ...body, challenge } });
    assertError(retried, 401, 'challenge_ended');
  });

  test('a step-up takes the answer of a passkey once, in the session that asked, and within five minutes', async (context) => {
    const { user, page } = await openAsNewUser(context);
    const codes = await addPasskey(page, user);
    const logIn = async (recovery_code: string | undefined) => {
      const { challenge } = await challengeOf(set.world, user);
      return (await prove(set.world, { challenge, recovery_code })).body.data as { token: string };
    };
    const [first, second] = [await logIn(codes[0]), await logIn(codes[1])];
    const begin = async (login: { token: string }) =>
      signWith(page, (await api('POST', '/v1/auth/step-up/passkey', login)).body.data);
    const stepUp = (login: { token: string }, passkey: object) =>
      api('POST', '/v1/auth/step-up', login, { passkey });
    const answer = await begin(first);
    assertError(await stepUp(second, answer), 401, 'second_factor_wrong');
    assert.equal((await stepUp(first, answer)).status, 200);
    await set.world.query('update second_factors set counter = 0 where user_id = $1', [user.id]);
    assertError(await stepUp(first, answer), 401, 'second_factor_wrong');
    const late = await begin(first);
    await set.world.query('update factor_challenges set expires_at = now() where user_id = $1', [user.id]);
    assertError(await stepUp(first, late), 401, 'second_factor_wrong');
  });

  test('a passkey whose counter goes back was copied, and is refused', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    await set.world.query('update second_factors set counter = 999 where user_id = $1', [user.id]);
    await signOut(page);
    await givePassword(page, user);
    await button(page, PASSKEY).click();
    await page.getByText('The passkey was not accepted.').waitFor();
    await button(page, PASSKEY).click();
    await page.getByText('This login has ended. Log in again with your password.').waitFor();
  });

  test('a passkey for this name from a page of another origin is refused, at a login and at a registration', async (context) => {
    // The same host name on another port: the browser signs for it, and only the origin tells.
    const second = await startSecond(set.world, { PUBLIC_URL: 'http://localhost:1' });
    context.after(() => second.stop());
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    const login = { body: { email: user.email, password: user.password } };
    const asked = (await second.api('POST', '/v1/auth/login', login)).body.data;
    assert.deepEqual(asked.methods, ['passkey', 'recovery_code']);
    const answer = await signWith(page, asked.passkey_options);
    const { challenge } = asked;
    const refused = await second.api('POST', '/v1/auth/second-factor', {
      body: { challenge, passkey: answer },
    });
    assertError(refused, 401, 'second_factor_wrong');

    const other = await set.world.newUser();
    const { token, password: current_password } = other;
    const begun = await second.api('POST', '/v1/auth/factors/passkeys/options', {
      token,
      body: { current_password },
    });
    const made = await makeWith(page, begun.body.data);
    const body = { name: 'X', passkey: made };
    assertError(
      await second.api('POST', '/v1/auth/factors/passkeys', { token, body }),
      400,
      'invalid_request',
    );
    const again = await second.api('POST', '/v1/auth/factors/passkeys', { token, body });
    assertError(again, 401, 'challenge_ended');
  });

  test('a passkey of another user is not a passkey of this one', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    const other = await set.world.newUser();
    await addApp(set.world, other);
    const ask = async ({ email, password }: User) =>
      (await set.world.api('POST', '/v1/auth/login', { body: { email, password } })).body.data;
    const own = await ask(user);
    const theirs = await ask(other);
    const answer = await signWith(page, own.passkey_options);
    const body = { challenge: theirs.challenge, passkey: answer };
    assertError(await set.world.api('POST', '/v1/auth/second-factor', { body }), 401, 'second_factor_wrong');
  });

  test('where PUBLIC_URL says another address, no passkey is offered, with words', async (context) => {
    const second = await startSecond(set.world, { PUBLIC_URL: 'https://teller.example.com' });
    context.after(() => second.stop());
    const { page: other, problems } = await openTab(set.browser, second.url);
    context.after(() => other.context().close());
    await signIn(other, set.password);
    await other.goto('/security');
    await other.getByText('Passkeys of this service work at https://teller.example.com only.').waitFor();
    assert.equal(await button(other, 'Add a passkey').count(), 0);
    await button(other, 'Add an authenticator app').waitFor();
    assert.deepEqual(problems, []);
  });

  test('a browser without passkeys offers none, with words, and signs in by a recovery code', async (context) => {
    const { user, page } = await openAsNewUser(context);
    const [code = ''] = await addPasskey(page, user);
    const other = await set.open(context, { signed_in: false, refusals: true });
    await other.addInitScript('delete window.PublicKeyCredential');
    await givePassword(other, user);
    assert.equal(await button(other, PASSKEY).count(), 0);
    await other.getByLabel('Recovery code').fill(code);
    await button(other, 'Continue').click();
    await other.waitForURL('**/wallets');
    await other.goto('/security');
    await other.getByText('This browser has no passkeys.').waitFor();
    assert.equal(await button(other, 'Add a passkey').count(), 0);
  });

  test('an authenticator app is added by its secret, signs in by a code, and a wrong code says so', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await page.goto('/security');
    await button(page, 'Add an authenticator app').click();
    await dialog(page).getByLabel('Name').fill('My phone');
    await dialog(page).getByLabel('Your password').fill('wrong password');
    await button(page, 'Continue').click();
    await dialog(page).getByText('The password is wrong.').waitFor();
    await dialog(page).getByLabel('Your password').fill(user.password);
    await button(page, 'Continue').click();
    await dialog(page).getByText('Scan the QR code').waitFor();
    await check(page, 'security, QR code');
    const secret = (await dialog(page).locator('.mono').first().getAttribute('title')) ?? '';
    await dialog(page).locator('[name=code]').fill('12');
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await dialog(page).getByText('This is not the code that the app shows now.').waitFor();
    await dialog(page).locator('[name=code]').fill(codeOf(secret));
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click();
    await check(page, 'security, recovery codes');
    const [code = ''] = await storeCodes(page);

    await set.world.query('update second_factors set last_step = 0 where user_id = $1', [user.id]);
    await signOut(page);
    await givePassword(page, user);
    await page.getByLabel('Code of your authenticator app').fill('000 00');
    await button(page, 'Continue').click();
    await page.getByText('The code is wrong, or was used already.').waitFor();
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await button(page, 'Continue').click();
    await page.waitForURL('**/wallets');

    await signOut(page);
    await givePassword(page, user);
    await button(page, 'Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(code.toLowerCase());
    await button(page, 'Continue').click();
    await page.waitForURL('**/wallets');
    await page.goto('/security');
    await page.getByText('Recovery codes left: 9').waitFor();
  });

  test('a withdrawal with a stale proof asks once, and pays once with its Idempotency-Key; Cancel pays nothing', async (context) => {
    const user = await set.world.newUser();
    const { secret } = await addApp(set.world, user);
    const wallet = await set.world.newWallet(user.token);
    const page = await set.open(context, { signed_in: false, refusals: true });
    await givePassword(page, user);
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await button(page, 'Continue').click();
    await page.waitForURL('**/wallets');
    await makeStale(set.world, user.id);
    await set.world.query('update second_factors set last_step = 0 where user_id = $1', [user.id]);
    const keys: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/withdraw'))
        keys.push(request.headers()['idempotency-key'] ?? null);
    });
    const destination = (await set.world.ledger.fund()).publicKey();
    const pay = await fillWithdrawal(page, wallet, { destination, amount: '3' });
    await pay.click();
    await page.getByText('Confirm that it is you').waitFor();
    await button(page, 'Cancel').last().click();
    await page.getByText('Nothing was paid.').waitFor();
    assert.equal(await set.world.countOf('withdrawals'), 0);
    await button(page, 'Review').click();
    await pay.click();
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await button(page, 'Continue').click();
    await page.getByText('confirmed', { exact: false }).first().waitFor();
    assert.equal(await set.world.countOf('withdrawals'), 1);
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
  });

  test('a new wallet with a stale proof asks once, and is made once; Cancel makes none', async (context) => {
    const user = await set.world.newUser();
    const { secret } = await addApp(set.world, user);
    const page = await set.open(context, { signed_in: false, refusals: true });
    await givePassword(page, user);
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await button(page, 'Continue').click();
    await page.waitForURL('**/wallets');
    await makeStale(set.world, user.id);
    await set.world.query('update second_factors set last_step = 0 where user_id = $1', [user.id]);
    const wallets = await set.world.countOf('wallets');
    await button(page, 'New wallet').first().click();
    await page.getByLabel('Name').fill('Customers');
    await button(page, 'Create wallet').click();
    await page.getByText('Confirm that it is you').waitFor();
    await button(page, 'Cancel').last().click();
    await page.getByText('This needs a second factor').waitFor();
    assert.equal(await set.world.countOf('wallets'), wallets);
    await button(page, 'Create wallet').click();
    await page.getByLabel('Code of your authenticator app').fill(codeOf(secret));
    await button(page, 'Continue').click();
    await page.getByText('Wallet created').waitFor();
    assert.equal(await set.world.countOf('wallets'), wallets + 1);
  });

  test('an owner makes the team require factors; a member without one reads what to do', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await page.goto('/team');
    const toggle = page.getByLabel('Every member needs a second factor');
    await toggle.click();
    await page.getByText('Add a second factor of your own first.').waitFor();
    await page.getByRole('link', { name: 'Your second factors' }).click();
    await heading(page, 'Security').waitFor();
    const [code] = await addPasskey(page, user);
    await page.goto('/team');
    await toggle.click();
    await page.getByRole('switch', { checked: true }).waitFor();
    await check(page, 'team, factors required');
    const body = { email: 'no-factor@example.com', password: user.password, name: 'N', role: 'admin' };
    // The session of the test has ended with the addition of the factor.
    const { challenge } = await challengeOf(set.world, user);
    const login = await prove(set.world, { challenge, recovery_code: code });
    const made = await api('POST', '/v1/team/members', login.body.data, body);
    assert.equal(made.status, 201, made.text);
    const member = await set.open(context, { signed_in: false, refusals: true });
    await signIn(member, body.password, body.email);
    await member.goto('/security');
    await member.getByText('Your team requires a second factor').waitFor();
    await check(member, 'security, required');
  });

  test('an invitation of a user with a second factor is accepted with one', async (context) => {
    const { user, page } = await openAsNewUser(context);
    await addPasskey(page, user);
    const body = { email: user.email, role: 'viewer' };
    const invitation = await api('POST', '/v1/team/invitations', set.world, body);
    await page.goto(invitation.body.data.path);
    // The user has signed in at this browser, so the page asks for the password at once.
    await page.locator('[autocomplete=current-password]').fill(user.password);
    await button(page, 'Accept the invitation').click();
    await page.getByText('Now prove your second factor').waitFor();
    await button(page, PASSKEY).click();
    await page.waitForURL('**/wallets');
  });

  /** What the browser answers to options of the service, as its page would send it. */
  const signWith = (page: Page, options: object) =>
    page.evaluate(
      `navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(${JSON.stringify(plain(options))}) }).then((made) => made.toJSON())`,
    ) as Promise<object>;
  const makeWith = (page: Page, options: object) =>
    page.evaluate(
      `navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(${JSON.stringify(plain(options))}) }).then((made) => made.toJSON())`,
    ) as Promise<object>;
  /** The API's client reads integers as bigint. */
  const plain = (options: object): object =>
    JSON.parse(
      JSON.stringify(options, (_name, value) => (typeof value === 'bigint' ? Number(value) : value)),
    );
});
