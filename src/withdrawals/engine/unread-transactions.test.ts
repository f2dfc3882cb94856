/** Transactions of a later protocol in the ledgers of a network: what they block, and what they leave alone. */
import { strict as assert } from 'node:assert';
import { after, before, test } from 'node:test';
import { Account, Asset, Keypair, Operation, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import {
  closingLedgers,
  type InProcessService,
  sendPayment,
  startInProcess,
} from '../../../test/support/in-process-service.ts';
import { ledgerOf, placeInResult, withArmAt } from '../../../test/support/made-up-arms.ts';
import { LEASE, withdrawalSteps } from '../../../test/support/withdrawal-steps.ts';
import { ingestDeposits } from '../../deposits/ingest/ingest-deposits.ts';
import { describeQuarantine, dismiss, retryQuarantine } from '../../deposits/ingest/quarantine.ts';
import { countUnread } from '../../ledgers/quarantine-store.ts';
import { countUnmatched } from '../../ledgers/unmatched-store.ts';
import { publicKeyOf } from '../../stellar/address.ts';
import { httpTransport } from '../../stellar/answers/transport.ts';
import { whyNot } from '../../stellar/ledgers/unknown-arms.ts';
import { createStellar } from '../../stellar/sources/create-stellar.ts';
import type { LedgerTransaction } from '../../stellar/stellar.ts';
import type { Wallet } from '../../wallets/access.ts';
import type { EngineDeps } from './hooks.ts';
import { ingestOutcomes } from './ingest-outcomes.ts';
import { createSubmissions } from './submissions.ts';
import { assignTxSources } from './tx-source-store.ts';

let world: InProcessService;
const { withStellar, read, claim, processLedgers, closeInSteps, signOnly } = withdrawalSteps(() => world);
const UNKNOWN = 'no OperationResultTr that we know begins with 77; this version knows protocol 30';

before(async () => {
  world = await startInProcess({ WITHDRAW_VALID_SECONDS: '60', CHANNELS_MAX: '0' });
  await ingestOutcomes(world.deps);
});
after(() => world.close());

/** A process for which these transactions are of a later protocol. Its look-ups cannot read them either. */
function older(change: (transaction: LedgerTransaction) => Partial<LedgerTransaction> | null): EngineDeps {
  const { stellar } = world.deps;
  return withStellar({
    async readLedgersAfter(...asked) {
      const range = await stellar.readLedgersAfter(...asked);
      if (range.read !== 'ledgers') return range;
      return { ...range, transactions: range.transactions.map((each) => ({ ...each, ...change(each) })) };
    },
    find: async () => ({ found: 'unknown', reason: UNKNOWN }),
  });
}

/** What a source says that lies about a look-up. */
const FAILED = {
  found: 'applied' as const,
  successful: false,
  fee_stroops: 100n,
  fee_account: '',
  failure_code: 'op_underfunded',
  call_result: null,
};

const ofWallet =
  (wallet: Wallet, changed: Partial<LedgerTransaction> = { unknown: UNKNOWN }) =>
  ({ envelope }: LedgerTransaction) =>
    envelope.includes(publicKeyOf(wallet.account)) ? changed : null;

/** Signs and sends a withdrawal. A ledger has it then, and nobody has processed that ledger. */
async function pay(wallet: Wallet) {
  const signed = await signOnly((await claim(wallet)).id);
  await world.deps.stellar.submit(signed.envelope_xdr ?? '');
  return signed;
}

/** Whether a withdrawal of the wallet that waits is given a transaction source. */
async function canSign(wallet: Wallet): Promise<boolean> {
  await claim(wallet);
  await assignTxSources(world.deps.db, LEASE);
  const ofWallet = world.deps.db.selectFrom('withdrawals').select('id').where('wallet_id', '=', wallet.id);
  const assigned = await ofWallet.where('status', '=', 'queued').where('tx_source', 'is not', null).execute();
  return assigned.length > 0;
}

test('a withdrawal whose result cannot be read is neither confirmed nor failed; its wallet alone is blocked', async () => {
  const [wallet, other] = [await world.wallet(), await world.wallet()];
  const [paid, beside] = [await pay(wallet), await pay(other)];
  world.sandbox.closeLedger();
  const deps = older(ofWallet(wallet, { unknown: UNKNOWN, result: Buffer.alloc(12, 7) }));
  await processLedgers(deps);
  assert.equal((await read(beside.id)).status, 'confirmed', 'the other one of the same ledger');
  assert.equal((await read(paid.id)).status, 'signed');
  assert.equal(await countUnread(deps.db, wallet.id), 1);
  assert.equal(await countUnread(deps.db, other.id), 0);
  assert.equal(await countUnmatched(deps.db, wallet.id), 0, 'a withdrawal has it');
  assert.match(await describeQuarantine(deps), new RegExp(`77; .*; nothing is signed for ${wallet.id}`));
  assert.equal(await canSign(other), true);
  assert.equal(await canSign(wallet), false);

  // Long after its time is over, even if a source has forgotten it.
  await closeInSteps((paid.max_time ?? 0n) + 1n, deps);
  const absent = { oldest_ledger: 2, latest_ledger: 1e6, latest_close_time: (paid.max_time ?? 0n) + 9n };
  const lookedUp = async (find: EngineDeps['stellar']['find']) => {
    const submissions = createSubmissions({ ...deps, stellar: { ...deps.stellar, find } });
    submissions.add(paid, paid.signed_ledger ?? 0);
    await submissions.resendDue(await processLedgers(deps));
    return (await read(paid.id)).status;
  };
  const forgets = async () => ({ found: 'absent' as const, ...absent });
  const hash = paid.stellar_tx_hash ?? '';
  const lies = async () => ({ ...FAILED, ledger: (paid.signed_ledger ?? 0) + 1, hash });
  for (const find of [deps.stellar.find, forgets, lies]) assert.equal(await lookedUp(find), 'signed');

  // Nor when a person dismisses it, who cannot make a payment absent.
  await dismiss(deps, hash, 'pays no wallet');
  for (const find of [forgets, lies]) assert.equal(await lookedUp(find), 'signed');

  // A version that can read it takes its place. Its ledger has proven the transaction, so no look-up is needed or believed.
  while ((await ingestDeposits(world.deps)).behind);
  await retryQuarantine(world.deps, () => {});
  assert.equal(await countUnread(deps.db, wallet.id), 0);
  assert.equal(await lookedUp(forgets), 'confirmed');
});

test('a look-up that names a ledger after the time of the envelope is not believed', async () => {
  const sent = await signOnly((await claim(await world.wallet())).id);
  await closeInSteps((sent.max_time ?? 0n) + 1n);
  const find = async () => ({ ...FAILED, ledger: 1e6, hash: sent.stellar_tx_hash ?? '' });
  const submissions = createSubmissions(withStellar({ find }));
  submissions.add(sent, sent.signed_ledger ?? 0, { kept_back: true });
  await submissions.resendDue(await processLedgers());
  assert.equal((await read(sent.id)).status, 'signed');
});

test('a transaction of others that names a wallet in its meta only blocks that wallet; without a key it is passed by', async () => {
  const wallet = await world.wallet();
  let payer = await world.wallet();
  await pay(payer);
  world.sandbox.closeLedger();
  const key = Buffer.from(publicKeyOf(wallet.account));
  const meta = Buffer.concat([Buffer.alloc(8), key, Buffer.alloc(4)]);
  const others = Buffer.alloc(200, 1);
  const theirs = (changed: Partial<LedgerTransaction>) =>
    older(ofWallet(payer, { unknown: UNKNOWN, envelope: others, hash: 'ab'.repeat(32), ...changed }));
  const passes = theirs({ meta: null });
  const { with_outcome } = await ingestOutcomes(passes);
  assert.deepEqual(with_outcome, []);
  await ingestDeposits(passes);
  assert.equal(await describeQuarantine(passes), 'No transaction waits in quarantine.\n');

  payer = await world.wallet();
  await pay(payer);
  world.sandbox.closeLedger();
  const names = theirs({ meta });
  await processLedgers(names);
  assert.equal(await countUnread(names.db, wallet.id), 1);
  assert.equal(await countUnmatched(names.db, wallet.id), 0);
  assert.equal(await canSign(wallet), false);
  assert.equal(await canSign(await world.wallet()), true);
  while ((await ingestDeposits(names)).behind);
  const credited = world.deps.db
    .selectFrom('deposits')
    .select('id')
    .where('stellar_tx_hash', '=', 'ab'.repeat(32));
  assert.deepEqual(await credited.execute(), []);
  await dismiss(names, 'ab'.repeat(32), 'pays nobody');
  assert.equal(await countUnread(names.db, wallet.id), 0);
  assert.equal(await canSign(wallet), true);
});

test('a payment of a wallet that no withdrawal has, with a result that cannot be read, is unmatched too', async () => {
  const wallet = await world.wallet();
  const lost = await pay(wallet);
  world.sandbox.closeLedger();
  await world.deps.db.deleteFrom('withdrawals').where('id', '=', lost.id).execute();
  const deps = older(ofWallet(wallet));
  await processLedgers(deps);
  assert.equal(await countUnmatched(deps.db, wallet.id), 1);
  await dismiss(
    deps,
    [...(await describeQuarantine(deps)).matchAll(/[0-9a-f]{64}/g)].at(-1)?.[0] ?? '',
    'seen',
  );
  assert.equal(await canSign(wallet), false, 'until a person has resolved the unmatched transaction');
});

test('so is one on a channel that this database does not know, paid by somebody else', async () => {
  const [wallet, payer] = [await world.wallet(), await world.wallet()];
  await pay(payer);
  world.sandbox.closeLedger();
  const { passphrase: networkPassphrase } = world.deps.config;
  const [channel, treasury] = [Keypair.random(), Keypair.random()];
  const terms = { fee: '100', networkPassphrase, timebounds: { minTime: 5, maxTime: 2_000_000_000 } };
  const order = {
    destination: treasury.publicKey(),
    amount: '3',
    asset: Asset.native(),
    source: wallet.account,
  };
  const inner = new TransactionBuilder(new Account(channel.publicKey(), '1'), terms)
    .addOperation(Operation.payment(order))
    .build();
  const bump = TransactionBuilder.buildFeeBumpTransaction(treasury, '400', inner, networkPassphrase);
  const envelope = Buffer.from(bump.toEnvelope().toXdr());
  await processLedgers(older(ofWallet(payer, { unknown: UNKNOWN, envelope, hash: 'ef'.repeat(32) })));
  assert.equal(await countUnmatched(world.deps.db, wallet.id), 1);
  await dismiss(world.deps, 'ef'.repeat(32), 'seen');
  assert.equal(await canSign(wallet), false);
});

test('a doubtful transaction that names a wallet is quarantined, and not read from its stored copy', async () => {
  const wallet = await world.wallet();
  while ((await ingestDeposits(world.deps)).behind); // what funded the wallet
  const paid = await pay(wallet);
  world.sandbox.closeLedger();
  // An unknown arm too: a later version knows it, and must not take the copy for proven then.
  const deps = older(ofWallet(wallet, { isDoubtful: () => true, unknown: UNKNOWN }));
  await processLedgers(deps);
  assert.equal((await read(paid.id)).status, 'signed');
  while ((await ingestDeposits(deps)).behind);
  await assert.rejects(
    retryQuarantine(deps, () => {}),
    /Still in quarantine: 1/,
  );
  assert.match(await describeQuarantine(deps), /the ledger does not prove that/);
  await retryQuarantine(world.deps, () => {}); // another source proves it
  assert.equal(await countUnread(deps.db, wallet.id), 0);
});

/** A fee-bump that names a key like ours (`minTime`), with an error code of a contract that no version knows. */
function strangersFeeBump(): Buffer {
  const stranger = Keypair.random();
  const { passphrase: networkPassphrase } = world.deps.config;
  const code = xdr.ScVal.scvError(xdr.ScError.sceContext(xdr.ScErrorCode.scecMissingValue));
  const contract = StrKey.encodeContract(Buffer.alloc(32, 7));
  const timebounds = { minTime: 5, maxTime: 2_000_000_000 };
  const account = new Account(stranger.publicKey(), '1');
  const inner = new TransactionBuilder(account, { fee: '100', networkPassphrase, timebounds })
    .addOperation(Operation.invokeContractFunction({ contract, function: 'f', args: [code] }))
    .build();
  inner.sign(stranger);
  const bump = TransactionBuilder.buildFeeBumpTransaction(stranger, '1000', inner, networkPassphrase);
  const envelope = Buffer.from(bump.toEnvelope().toXdr());
  const known = Buffer.from(code.toXdr());
  envelope.writeUInt32BE(77, envelope.indexOf(known) + known.length - 4);
  return envelope;
}

test('a stranger’s fee-bump with a value that an enum does not have stops nothing', async () => {
  const [payer, beside] = [await world.wallet(), await world.wallet()];
  await pay(payer);
  const paid = await pay(beside);
  world.sandbox.closeLedger();
  const envelope = strangersFeeBump();
  assert.equal(whyNot('envelope', envelope), null, 'arms and lengths are known');
  await processLedgers(older(ofWallet(payer, { envelope, hash: 'cd'.repeat(32) })));
  assert.equal((await read(paid.id)).status, 'confirmed');
});

/** A service whose network has, in its newest ledger, unknown results of the payments to these accounts. */
async function networkWithArms(accounts: string[]): Promise<EngineDeps> {
  const { rpc_url } = world.sandbox;
  const { sequence } = await world.deps.stellar.latestLedger();
  const ask = async (method: string, params: object): Promise<any> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return (
      await fetch(rpc_url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    ).json();
  };
  const { result } = await ask('getLedgers', { startLedger: sequence, pagination: { limit: 1 } });
  const known = ledgerOf(Buffer.from(result.ledgers[0].metadataXdr, 'base64'));
  const places = accounts.map((account) => {
    const index = known.transactions.findIndex(({ envelope }) => envelope.includes(publicKeyOf(account)));
    return placeInResult(known, index);
  });
  const ledger = places.reduce(withArmAt, known);
  const transport = httpTransport();
  const { passphrase, rpc_urls } = world.deps.config;
  const { clock, log, metrics } = world.deps;
  const stellar = createStellar({
    rpc_urls,
    horizon_urls: [],
    passphrase,
    clock,
    log,
    metrics,
    transport: {
      ...transport,
      async send(request) {
        const answer = await transport.send(request);
        const parsed = JSON.parse(answer.text);
        for (const each of parsed.result?.ledgers ?? [])
          if (each.sequence === sequence) {
            each.headerXdr = ledger.entry.toString('base64');
            each.metadataXdr = ledger.meta.toString('base64');
          }
        let index = 0;
        for (const each of parsed.result?.transactions ?? [])
          if (each.ledger === sequence)
            each.resultXdr = ledger.transactions[index++]?.result.toString('base64');
        return { ...answer, text: JSON.stringify(parsed) };
      },
    },
  });
  return { ...world.deps, stellar };
}

test('beside a stranger’s unknown transaction a deposit is credited, and one with an unknown result blocks its wallet only', async () => {
  const [credited, named] = [await world.wallet(), await world.wallet()];
  const [stranger, ...payers] = Array.from({ length: 4 }, () => Keypair.random()) as [Keypair, ...Keypair[]];
  for (const payer of [stranger, ...payers])
    await closingLedgers(world.sandbox, world.deps.stellar.fund(payer.publicKey()));
  await processLedgers();
  while ((await ingestDeposits(world.deps)).behind);
  const to = [credited.account, named.account, stranger.publicKey()];
  for (const [index, payer] of payers.entries())
    await sendPayment(world, payer, { destination: to[index] as string, amount: '3' });
  world.sandbox.closeLedger();
  const deps = await networkWithArms([named.account, stranger.publicKey()]);
  await processLedgers(deps);
  while ((await ingestDeposits(deps)).behind);
  const depositsOf = ({ id }: Wallet) =>
    deps.db
      .selectFrom('deposits')
      .select('amount_stroops')
      .where('wallet_id', '=', id)
      .orderBy('ledger')
      .execute();
  const payment = { amount_stroops: 30_000_000n };
  assert.deepEqual((await depositsOf(credited)).at(-1), payment);
  assert.equal((await depositsOf(named)).length, 1, 'what funded it');
  assert.deepEqual([await countUnread(deps.db, credited.id), await countUnread(deps.db, named.id)], [0, 1]);
  const met = (await deps.metrics.unknown_arms.get()).values.map(({ labels }) => labels.type);
  assert.deepEqual(met, ['OperationResultTr']);
});
