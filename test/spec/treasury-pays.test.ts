/** TREASURY_PAYS=fees,reserves: the treasury pays for all wallets, and the books know who paid. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { Keypair, Operation } from '@stellar/stellar-sdk/base';
import { eventually } from '../support/eventually.ts';
import { type Issuer, newIssuer } from '../support/issuers.ts';
import { assertError, startRunningService, type Wallet } from '../support/running-service.ts';
import { teller } from '../support/service.ts';

const RESERVE = 5_000_000n;
const MINIMUM = 2n * RESERVE;
const BUMPED = 200n;
const SPONSORED = 400n;

const world = await startRunningService({ TREASURY_PAYS: 'fees,reserves', CHANNELS_MAX: '0' });
after(() => world.stop());
const { ledger } = world;
const usdc = await newIssuer(ledger);
const [{ account: treasury }] = await world.query('select account from treasury');
await eventually('a treasury with money', () => ledger.account(treasury));

const nativeOf = async (account: string) => (await ledger.account(account))?.balance ?? 0n;
const add = (wallet: Wallet, { fields }: Issuer) =>
  world.api('POST', `/v1/wallets/${wallet.id}/assets`, { token: world.token, body: fields });
const rowsOf = async (wallet: Wallet) =>
  Number((await world.query('select count(*) from withdrawals where wallet_id = $1', [wallet.id]))[0].count);

async function withdrawn(wallet: Wallet, body: object): Promise<any> {
  const { status, body: answer, text } = await world.withdraw(wallet, body);
  assert.equal(status, 201, text);
  assert.equal(answer.data.status, 'confirmed', text);
  return answer.data;
}

/** With exactly the balance that the network requires: not one stroop for a fee. */
async function walletAtMinimum(): Promise<Wallet> {
  const wallet = await world.newWallet();
  const amount_stroops = (await nativeOf(wallet.account)) - MINIMUM;
  await withdrawn(wallet, { destination: ledger.root.publicKey(), amount_stroops });
  assert.equal(await nativeOf(wallet.account), MINIMUM);
  return wallet;
}

async function assertBooksAgree(wallet: Wallet): Promise<void> {
  const path = `/v1/wallets/${wallet.id}/reconciliation`;
  await eventually('books that are compared with the ledger', async () => {
    const { body } = await world.api('GET', path, { token: world.token });
    const all: any[] = body.data.items ?? [];
    return all.length > 0 && all.every((each) => each.difference_stroops === 0n) ? all : null;
  });
}

describe('a wallet without a stroop above its reserve', () => {
  it('adds USDC, is paid USDC and pays USDC; the treasury pays exactly the fees and the reserve', async () => {
    const wallet = await walletAtMinimum();
    const payee = (await usdc.holder(0n)).publicKey();
    const before = await nativeOf(treasury);

    const added = await add(wallet, usdc);
    assert.equal(added.status, 201, added.text);
    assert.equal(added.body.data.status, 'active');
    assert.equal(await nativeOf(treasury), before - SPONSORED);
    const line = await ledger.server.getTrustline(wallet.account, usdc.asset);
    assert.equal(`${line.balance}`, '0');

    await usdc.pay(wallet.account, 70_000_000n);
    const data = await withdrawn(wallet, { ...usdc.fields, destination: payee, amount_stroops: 50_000_000n });
    assert.deepEqual([data.fee_stroops, data.fee_paid_by, data.fee_bumps], [0n, 'treasury', 1n]);
    assert.equal(await usdc.balanceOf(payee), 50_000_000n);
    assert.equal(await nativeOf(wallet.account), MINIMUM);
    assert.equal(await nativeOf(treasury), before - SPONSORED - BUMPED);
    await assertBooksAgree(wallet);
  });
});
