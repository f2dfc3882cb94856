import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Account, Asset, type Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk/base';
import { SANDBOX_PASSPHRASE } from '../passphrase.ts';
import { fund, sandboxFor, signed } from '../testing/rpc-client.ts';
import type { TinyElement } from '../testing/tiny-dom.ts';
import { becomeBrowser } from '../testing/tiny-dom.ts';

const HOSTILE = '<b onclick=x>&amp;';

type View = { title: string; element: TinyElement; onLedger?: (ledger: object) => void };

type Views = {
  home(network: unknown, query: URLSearchParams): View;
  ledgerView(sequence: string): View;
  transactionView(hash: string): View;
  accountView(address: string): View;
};

/** The page is plain JavaScript without types. */
async function views(): Promise<Views> {
  const names = ['home.js', 'details.js', 'account.js'];
  const modules = names.map((name) => import(new URL(name, import.meta.url).href));
  return Object.assign({}, ...(await Promise.all(modules)));
}

async function browserFor(t: TestContext) {
  const { sandbox, server } = await sandboxFor(t);
  becomeBrowser(sandbox.url);
  return { sandbox, server };
}

/** Waits for answers until the element shows the expected text. */
async function shows(element: TinyElement, expected: RegExp): Promise<void> {
  const deadline = AbortSignal.timeout(180_000);
  while (!expected.test(element.textContent)) {
    if (deadline.aborted) assert.match(element.textContent, expected);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** A transaction whose memo and data contain markup, by a new account. */
async function hostileTransaction({ sandbox, server }: Awaited<ReturnType<typeof browserFor>>) {
  const [payer] = (await fund(sandbox, 1)) as [Keypair];
  const { seqNum } = await server.getAccountEntry(payer.publicKey());
  const source = new Account(payer.publicKey(), seqNum.toString());
  const transaction = new TransactionBuilder(source, { fee: '100', networkPassphrase: SANDBOX_PASSPHRASE })
    .addOperation(Operation.manageData({ name: HOSTILE, value: HOSTILE }))
    .addOperation(
      Operation.payment({ destination: sandbox.root_account, asset: Asset.native(), amount: '12345.5' }),
    )
    .addMemo(Memo.text(HOSTILE))
    .setTimeout(0)
    .build();
  transaction.sign(payer);
  await server.sendTransaction(transaction);
  sandbox.closeLedger();
  return { payer, hash: Buffer.from(transaction.hash()).toString('hex') };
}

test('a transaction is explained in words, and texts that others wrote in it stay text', async (t) => {
  const at = await browserFor(t);
  const { hash, payer } = await hostileTransaction(at);
  const { transactionView } = await views();
  const { element } = transactionView(hash);
  await shows(element, /Envelope/);
  const said = element.textContent;
  assert.ok(said.includes(`sets its data ${HOSTILE} to ${HOSTILE}`), said);
  assert.match(said, /pays 12,345\.5 XLM to/);
  assert.match(said, /Failed/);
  assert.match(said, /PAYMENT_UNDERFUNDED|the account has less/);
  assert.deepEqual(element.all('b'), []);
  const links = element.all('a').map((link) => link.attributes.get('href'));
  assert.ok(links.includes(`#/accounts/${payer.publicKey()}`));
  assert.ok(links.every((link) => link?.startsWith('#/')));
});

test('an account shows its balance, what it can spend, and its transactions', async (t) => {
  const at = await browserFor(t);
  const [payer] = (await fund(at.sandbox, 1)) as [Keypair];
  const { accountView } = await views();
  const { element } = accountView(payer.publicKey());
  await shows(element, /creates the account/);
  assert.match(element.textContent, /10,000 XLM/);
  assert.match(element.textContent, /9,999 XLM can be spent/);
});

test('a ledger shows its transactions, and the page of an absent ledger says so', async (t) => {
  const at = await browserFor(t);
  await fund(at.sandbox, 1);
  const { ledgerView } = await views();
  const { records } = (await (await fetch('/explorer/transactions')).json()) as any;
  const { element } = ledgerView(String(records[0].ledger));
  await shows(element, /creates the account/);
  const missing = ledgerView('999999');
  await shows(missing.element, /not in this network’s history/);
});

test('the front page funds an account, pays from it, and says in which ledger', async (t) => {
  const { sandbox } = await browserFor(t);
  const { home } = await views();
  const network = await (await fetch('/explorer/network')).json();
  const view = home(network, new URLSearchParams({ pay: sandbox.root_account }));
  const [fundForm, payForm] = view.element.all('form') as [TinyElement, TinyElement];

  fundForm.listeners.get('submit')?.({ preventDefault: () => {} });
  while (!/since ledger/.test(fundForm.textContent)) {
    sandbox.closeLedger();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await shows(payForm, /\(made here\)/);
  const [to, units] = payForm.all('input').slice(1) as [TinyElement, TinyElement];
  assert.equal(to.value, sandbox.root_account);
  units.value = '25';
  payForm.listeners.get('submit')?.({ preventDefault: () => {} });
  await shows(payForm, /Sent\. Waiting for the next ledger/);
  const ledger = sandbox.closeLedger();
  view.onLedger?.(ledger);
  await shows(payForm, /Paid, in ledger/);
  await shows(view.element, /pays 25 XLM to/);

  units.value = '1e9';
  payForm.listeners.get('submit')?.({ preventDefault: () => {} });
  await shows(payForm, /The amount must be a number/);
});

test('a payment that fails in a ledger says why, and that only its fee was paid', async (t) => {
  const { sandbox } = await browserFor(t);
  const [payer] = (await fund(sandbox, 1)) as [Keypair];
  const { home } = await views();
  const view = home(await (await fetch('/explorer/network')).json(), new URLSearchParams());
  const payForm = view.element.all('form')[1] as TinyElement;
  const [secret, to, units] = payForm.all('input') as [TinyElement, TinyElement, TinyElement];
  secret.value = payer.secret();
  to.value = sandbox.root_account;
  units.value = '20000';
  payForm.listeners.get('submit')?.({ preventDefault: () => {} });
  await shows(payForm, /Sent\. Waiting for the next ledger/);
  view.onLedger?.(sandbox.closeLedger());
  await shows(payForm, /Not paid: .* \(PAYMENT_UNDERFUNDED\)\. The fee was charged in ledger/);
});

test('the front page pays a test asset and does what its issuer can do; the account shows what it holds', async (t) => {
  const { sandbox, server } = await browserFor(t);
  const [holder] = (await fund(sandbox, 1)) as [Keypair];
  const { home, accountView } = await views();
  const network = (await (await fetch('/explorer/network')).json()) as any;
  const { element } = home(network, new URLSearchParams({ pay: holder.publicKey() }));
  const form = element.all('form')[2] as TinyElement;
  const [asset, action] = form.all('select') as [TinyElement, TinyElement];
  const [address, units, memo] = form.all('input') as [TinyElement, TinyElement, TinyElement];
  assert.equal(address.value, holder.publicKey());
  const choose = (select: TinyElement, value: string) => {
    select.value = value;
    select.listeners.get('change')?.({});
  };
  const order = async (expected: RegExp) => {
    form.listeners.get('submit')?.({ preventDefault: () => {} });
    while (!expected.test(form.textContent)) {
      sandbox.closeLedger();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  assert.match(form.textContent, /USDC: anybody with a trust line may hold it\. Issuer G/);
  choose(asset, 'CLAWUSD');
  assert.match(form.textContent, /CLAWUSD: its issuer can claw it back/);
  units.value = '25';
  memo.value = '7';
  await order(/Refused: the receiver has no trust line for the asset\. \(PAYMENT_NO_TRUST\)/);

  const { asset_code, asset_issuer } = network.test_assets[2];
  const line = Operation.changeTrust({ asset: new Asset(asset_code, asset_issuer) });
  await server.sendTransaction(await signed(server, holder, [line]));
  sandbox.closeLedger();
  await order(/Paid, in ledger/);
  choose(action, 'claw-back');
  units.value = '5.5';
  await order(/Clawed back, in ledger/);
  choose(action, 'revoke');
  await order(/Revoked, in ledger/);
  choose(action, 'authorize');
  await order(/Authorized, in ledger/);
  const account = accountView(holder.publicKey());
  await shows(account.element, /19\.5 CLAWUSD/);
});

test('with nothing on the network yet, each list says what would appear', async (t) => {
  await browserFor(t);
  const { home } = await views();
  const network = await (await fetch('/explorer/network')).json();
  const { element } = home(network, new URLSearchParams());
  await shows(element, /No transaction yet/);
  await shows(element, /No account except the root account has been used yet/);
});
