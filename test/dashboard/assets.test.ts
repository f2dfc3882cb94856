import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-sdk';
import type { WalletAsset } from '../../dashboard/src/api/contract.ts';
import { issuerPowers } from '../../dashboard/src/pages/assets/issuer-powers.ts';
import { readOverviewSearch } from '../../dashboard/src/pages/overview/search.ts';
import { mostPayable } from '../../dashboard/src/pages/withdraw/most-payable.ts';
import { problemWords } from '../../dashboard/src/pages/withdraw/problem-words.ts';
import {
  EMPTY_INPUT,
  isSamePayment,
  parseInput,
} from '../../dashboard/src/pages/withdraw/withdrawal-input.ts';
import { readableMessage } from '../../dashboard/src/text/api-message.ts';
import {
  type AssetFields,
  assetName,
  lookAlikeOf,
  lookAlikeWords,
  NATIVE,
  readAsset,
  sharesCode,
  unitOf,
} from '../../dashboard/src/text/asset.ts';
import { inOrder } from '../../dashboard/src/text/balance-order.ts';
import { paymentLink } from '../../dashboard/src/text/payment-link.ts';
import { muxedAddress } from '../../src/stellar/address.ts';

const ISSUER = Keypair.random().publicKey();
const OTHER = Keypair.random().publicKey();
const short = (issuer: string) => `${issuer.slice(0, 4)}…${issuer.slice(-4)}`;
const USDC = { asset_code: 'USDC', asset_issuer: ISSUER };
const FAKE = { asset_code: 'USDC', asset_issuer: OTHER };

test('no issued asset is ever shown as XLM alone, whatever its issuer calls it', () => {
  assert.equal(unitOf(NATIVE), 'XLM');
  assert.equal(unitOf(USDC), 'USDC');
  for (const asset_code of ['XLM', 'xlm', 'native', 'Lumens'])
    assert.equal(unitOf({ asset_code, asset_issuer: OTHER }), `${asset_code} of ${short(OTHER)}`);
  assert.equal(assetName(USDC), `USDC of ${short(ISSUER)}`);
});

test('a look-alike has the code of a known asset, or a name of XLM, and another issuer', () => {
  const known = [USDC];
  assert.deepEqual(lookAlikeOf(FAKE, known), USDC);
  assert.deepEqual(lookAlikeOf({ ...FAKE, asset_code: 'usdc' }, known), USDC);
  assert.deepEqual(lookAlikeOf({ ...USDC, asset_code: 'usdc' }, known), USDC, 'its own issuer too');
  assert.deepEqual(lookAlikeOf({ ...FAKE, asset_code: 'XLM' }, []), NATIVE);
  for (const asset of [NATIVE, USDC, { ...FAKE, asset_code: 'EURC' }])
    assert.equal(lookAlikeOf(asset, known), null);
  assert.ok(lookAlikeWords(USDC).includes(ISSUER));
  assert.match(lookAlikeWords(NATIVE), /not XLM/);
});

test('two assets of a wallet with one code are distinguished, also when neither is known', () => {
  assert.ok(sharesCode(USDC, [NATIVE, USDC, FAKE]));
  assert.ok(sharesCode(USDC, [{ ...FAKE, asset_code: 'usdc' }]));
  assert.ok(!sharesCode(USDC, [NATIVE, USDC, { ...FAKE, asset_code: 'EURC' }]));
});

test('where there is room for a few balances, those that matter come first', () => {
  const of = (asset: AssetFields, amount_stroops: bigint) => ({ ...asset, amount_stroops });
  const eurc = { ...FAKE, asset_code: 'EURC' };
  const [empty, fake, native, known, emptyKnown] = [
    of(eurc, 0n),
    of(FAKE, 5n),
    of(NATIVE, 0n),
    of(USDC, 1n),
    of({ ...USDC, asset_code: 'EURC' }, 0n),
  ];
  const ordered = inOrder([empty, fake, known, emptyKnown, native], [known, emptyKnown]);
  assert.deepEqual(ordered, [native, known, fake, emptyKnown, empty]);
});

test('a typed asset needs a code of 1 to 12 letters or digits and the G… address of its issuer', () => {
  assert.deepEqual(readAsset(' USDC ', ` ${ISSUER} `), {
    asset: USDC,
    problems: { code: null, issuer: null },
  });
  for (const code of ['', 'ABCDEFGHIJKLM', 'US-C', 'ÜSDC'])
    assert.match(readAsset(code, ISSUER).problems.code ?? '', /1 to 12/);
  for (const issuer of ['', ISSUER.toLowerCase(), ISSUER.slice(1), muxedAddress(ISSUER, 7n)])
    assert.notEqual(readAsset('USDC', issuer).problems.issuer, null, issuer);
});

test('the overview keeps the asset in its address, and ignores what is no asset', () => {
  const asset = `USDC:${ISSUER}`;
  assert.deepEqual(readOverviewSearch({ asset, more: '1' }), { asset });
  for (const other of ['native', 'USDC', `USDC:${ISSUER}x`, `:${ISSUER}`, `USDC:${ISSUER}:x`, 7, undefined])
    assert.deepEqual(readOverviewSearch({ asset: other }), {});
});

test('a payment link names an issued asset by SEP-7, and no asset for the native one', () => {
  const uri = `web+stellar:pay?destination=${OTHER}&memo=42&memo_type=MEMO_ID`;
  assert.equal(paymentLink(uri, NATIVE), uri);
  const link = new URL(paymentLink(uri, USDC));
  assert.deepEqual(Object.fromEntries(link.searchParams), {
    destination: OTHER,
    memo: '42',
    memo_type: 'MEMO_ID',
    asset_code: 'USDC',
    asset_issuer: ISSUER,
  });
});

test('the most that can be paid is what is available; of XLM less the dearest fee', () => {
  assert.equal(mostPayable({ ...USDC, available_stroops: 5n }, 1_000n), 5n);
  assert.equal(mostPayable({ ...NATIVE, available_stroops: 5_000n }, 1_000n), 4_000n);
  assert.equal(mostPayable({ ...NATIVE, available_stroops: 500_000n }), 400_000n);
  assert.equal(mostPayable({ ...NATIVE, available_stroops: 5n }, 1_000n), 0n);
});

const typed = { ...EMPTY_INPUT, destination: ISSUER, amount: '5', asset: `USDC:${ISSUER}` };

test('a request names its asset in two fields, and the native one in none', () => {
  const { request } = parseInput({ ...typed, destination: OTHER });
  assert.deepEqual(request, { destination: OTHER, amount_stroops: 50_000_000n, ...USDC });
  const native = parseInput({ ...EMPTY_INPUT, destination: OTHER, amount: '5' }).request;
  assert.deepEqual(native, { destination: OTHER, amount_stroops: 50_000_000n });
  assert.equal(parseInput({ ...typed, amount: '5 USDC' }).request?.amount_stroops, 50_000_000n);
  assert.equal(parseInput({ ...typed, amount: '5 XLM' }).request, null);
  assert(native && request && !isSamePayment(native, request));
  assert(request && !isSamePayment(request, { ...request, asset_issuer: OTHER }));
});

test('a payment to the issuer is allowed by a tick for this issuer only', () => {
  const allowed = (change: object) => parseInput({ ...typed, ...change }).request?.allow_issuer;
  assert.equal(allowed({}), undefined);
  assert.equal(allowed({ destroy_at: ISSUER }), true);
  assert.equal(allowed({ destroy_at: ISSUER, destination: muxedAddress(ISSUER, 7n) }), true);
  assert.equal(allowed({ destroy_at: OTHER }), undefined);
  assert.equal(allowed({ destroy_at: ISSUER, destination: OTHER }), undefined);
  assert.equal(allowed({ destroy_at: ISSUER, asset: `USDC:${OTHER}` }), undefined);
  assert.equal(allowed({ destroy_at: ISSUER, asset: 'native' }), undefined);
});

test('amounts in the messages of limits are in the asset, those of fees and reserves in XLM', () => {
  const limit = { code: 'policy_max_withdrawal', message: 'at most 125000000 stroops' };
  assert.equal(problemWords(limit, USDC), 'at most 12.5 USDC');
  assert.equal(problemWords(limit, NATIVE), 'at most 12.5 XLM');
  const fee = { code: 'wallet_unfunded', message: 'The wallet needs 100 stroops.' };
  assert.equal(problemWords(fee, USDC), 'The wallet needs 0.00001 XLM.');
  assert.equal(readableMessage('1 stroop', 'USDC'), '0.0000001 USDC');
});

test('why the network would fail a payment is said of its asset, and of the native one as the service says it', () => {
  for (const code of [
    'op_no_destination',
    'op_no_trust',
    'op_not_authorized',
    'op_line_full',
    'op_src_not_authorized',
    'op_underfunded',
    'destination_is_issuer',
  ]) {
    assert.match(problemWords({ code, message: 'as it is' }, USDC), /USDC.*\.$/, code);
    assert.equal(problemWords({ code, message: 'as it is' }, NATIVE), 'as it is');
  }
  assert.equal(problemWords({ code: 'op_new', message: 'as it is' }, USDC), 'as it is');
});

test('what an issuer can do is said in words, for the wallet’s own trust line where there is one', () => {
  const flags = { auth_required: false, auth_revocable: false, clawback_enabled: false };
  const says = (change: Partial<WalletAsset>) =>
    issuerPowers({ issuer_flags: flags, clawback_enabled: false, status: 'absent', ...change }).join(' ');
  assert.match(says({}), /neither block nor take back/);
  assert.match(says({ issuer_flags: { ...flags, auth_required: true } }), /must approve.* until then/);
  assert.doesNotMatch(
    says({ issuer_flags: { ...flags, auth_required: true }, status: 'active' }),
    /until then/,
  );
  assert.match(says({ issuer_flags: { ...flags, auth_revocable: true } }), /withdraw its approval/);
  assert.match(says({ clawback_enabled: true }), /take back/);
  assert.doesNotMatch(
    says({ issuer_flags: { ...flags, clawback_enabled: true }, status: 'active' }),
    /take back what the wallet holds \(/,
  );
  assert.match(says({ issuer_flags: null }), /no account of this network/);
});
