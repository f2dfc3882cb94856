/** Falsifications of what is known of issued assets and trust lines, one at a time: each must be found out. */
import { type AssetCall, assetNameOf, type Evidence, type TrustLineRow } from './evidence.ts';
import { type Choice, need, type Tampering, tamperingsOf } from './withdrawal-tamper.ts';

export function assetTamperings<E extends Evidence>(evidence: E, isChosen?: Choice): Iterable<Tampering<E>> {
  return tamperingsOf(evidence, ASSETS, isChosen);
}

const MOST = 2n ** 63n;

const ASSETS: { name: string; tamper: (copy: Evidence) => unknown }[] = [
  {
    name: 'a withdrawal with another asset’s code',
    tamper: (copy) => (paid(copy).asset_code = 'EURX'),
  },
  {
    name: 'a withdrawal with another issuer',
    tamper: (copy) => (paid(copy).asset_issuer = 'GAAA'),
  },
  {
    name: 'a withdrawal of the native asset that was ordered of another',
    tamper: (copy) => Object.assign(paid(copy), { asset_code: 'native', asset_issuer: null }),
  },
  {
    name: 'a payment of another asset than the one ordered',
    tamper: (copy) => (paymentOf(copy).asset = 'native'),
  },
  {
    name: 'a payment to the issuer that nobody allowed',
    tamper: (copy) => {
      const payment = paymentOf(copy);
      payment.destination = payment.asset.split(':')[1] ?? '';
    },
  },
  {
    name: 'an issued deposit with another code',
    tamper: (copy) => (received(copy).asset_code = 'EURX'),
  },
  {
    name: 'an issued deposit with another issuer',
    tamper: (copy) => (received(copy).asset_issuer = 'GAAA'),
  },
  {
    name: 'another issuer in the bytes of an event',
    tamper: (copy) => {
      const { asset_issuer, event } = told(copy);
      event.body = event.body.replace(`"asset_issuer":"${asset_issuer}"`, '"asset_issuer":"GAAA"');
    },
  },
  {
    name: 'another code in the bytes of an event',
    tamper: (copy) => {
      const { asset_code, event } = told(copy);
      event.body = event.body.replace(`"asset_code":"${asset_code}"`, '"asset_code":"native"');
    },
  },
  {
    name: 'an amount that moved from one asset to another',
    tamper: ({ deposits: { rows } }) => {
      const one = need(rows.find(({ asset_issuer }) => asset_issuer !== null));
      const other = need(
        rows.find((row) => row.wallet_id === one.wallet_id && assetNameOf(row) !== assetNameOf(one)),
      );
      one.amount_stroops -= 1n;
      other.amount_stroops += 1n;
    },
  },
  {
    name: 'a balance that moved from one asset to another',
    tamper: ({ wallets }) => {
      const { issued } = need(wallets.find((one) => one.issued.some((held) => held.balance_stroops > 0n)));
      const from = need(issued.find(({ balance_stroops }) => balance_stroops > 0n));
      const to = need(issued.find(({ asset }) => asset !== from.asset));
      from.balance_stroops -= 1n;
      to.balance_stroops += 1n;
    },
  },
  {
    name: 'a deposit of one ledger in the books of another',
    tamper: ({ deposits: { rows } }) => (need(rows.find(({ asset_issuer }) => asset_issuer)).ledger += 1),
  },
  {
    name: 'an asset that was not compared',
    tamper: (copy) => {
      const all = need(copy.reconciliations);
      const { wallet_id, asset_code } = received(copy);
      copy.reconciliations = all.filter(
        (row) => row.wallet_id !== wallet_id || row.asset_code !== asset_code || row.asset_issuer === '',
      );
    },
  },
  {
    name: 'a comparison of an issued asset that is a stroop off',
    tamper: ({ reconciliations }) =>
      (need(reconciliations?.find(({ asset_issuer }) => asset_issuer !== '')).difference_stroops += 1n),
  },
  {
    name: 'a payment above a limit',
    tamper: (copy) => {
      const { wallet_id, ...row } = paid(copy);
      const asset = assetNameOf(row);
      copy.limits = [
        { wallet_id, assets: [{ asset, max_withdrawal_stroops: 1n, max_rolling_24h_stroops: MOST }] },
      ];
    },
  },
  {
    name: 'a payment of an asset without a limit',
    tamper: (copy) => {
      copy.limits = [{ wallet_id: paid(copy).wallet_id, assets: [] }];
    },
  },
  {
    name: 'a clawback without a row',
    tamper: (copy) => {
      const { id } = clawback(copy);
      copy.adjustments = copy.adjustments.filter((row) => row.id !== id);
    },
  },
  {
    name: 'a clawback that is there twice',
    tamper: (copy) => copy.adjustments.push({ ...clawback(copy), id: 'adj_twice' }),
  },
  {
    name: 'a clawback that is a stroop off',
    tamper: (copy) => (clawback(copy).amount_stroops += 1n),
  },
  {
    name: 'a clawback of another issuer’s asset',
    tamper: (copy) => (clawback(copy).asset_issuer = 'GAAA'),
  },
  {
    name: 'a clawback by somebody else',
    tamper: (copy) => (clawback(copy).caused_by = 'GAAA'),
  },
  {
    name: 'a change of a trust line without a row',
    tamper: (copy) => {
      const { id } = need(copy.adjustments.find(({ amount_stroops }) => amount_stroops === 0n));
      copy.adjustments = copy.adjustments.filter((row) => row.id !== id);
    },
  },
  {
    name: 'a change of a trust line called another',
    tamper: ({ adjustments }) => {
      const change = need(adjustments.find(({ amount_stroops }) => amount_stroops === 0n));
      change.reason = change.reason === 'authorized' ? 'authorization_revoked' : 'authorized';
    },
  },
  {
    name: 'a trust line that no row has made',
    tamper: (copy) => {
      const { id } = added(copy);
      copy.trust_lines = copy.trust_lines.filter((row) => row.id !== id);
    },
  },
  {
    name: 'a trust line for another asset',
    tamper: (copy) => (added(copy).asset_code = 'EURX'),
  },
  {
    name: 'a trust line of another issuer',
    tamper: (copy) => (added(copy).asset_issuer = 'GAAA'),
  },
  {
    name: 'a trust line that is not on the ledger',
    tamper: (copy) => {
      const { inner_tx_hash } = added(copy);
      copy.transactions = copy.transactions.filter(({ inner_hash }) => inner_hash !== inner_tx_hash);
    },
  },
  {
    name: 'a trust line called failed',
    tamper: (copy) => (added(copy).status = 'failed'),
  },
  {
    name: 'a removal called an addition',
    tamper: (copy) => {
      const removed = need(copy.trust_lines.find(isConfirmed('remove_trust_line')));
      removed.operation = 'add_trust_line';
    },
  },
  {
    name: 'a trust line that stays undecided',
    tamper: (copy) => (added(copy).status = 'signed'),
  },
  {
    name: 'the fee of a trust line that is a stroop off',
    tamper: (copy) => {
      const row = added(copy);
      row.fee_stroops = BigInt(row.fee_stroops ?? 0n) + 1n;
    },
  },
  {
    name: 'a trust line that two requests have made',
    tamper: ({ asset_calls }) => {
      const call = need(asset_calls.find(({ answer }) => answer?.made));
      for (let again = 0; again < 100; again++) asset_calls.push(call);
    },
  },
  {
    name: 'a trust line that was told of and is not there',
    tamper: ({ asset_calls }) => (need(asset_calls.find(isDone)).asset = 'EURX:GAAA'),
  },
  {
    name: 'a request for a trust line without an answer for a client',
    tamper: ({ asset_calls }) =>
      (need(asset_calls.find(isDone)).answer = { status: 500, code: 'oops', made: false }),
  },
  {
    name: 'a trust line that is shown with another state',
    tamper: ({ shown_assets, wallets }) => {
      const { id, issued } = need(wallets.find(({ issued }) => issued.length > 0));
      const { asset, authorization } = need(issued[0]);
      const status = authorization === 'full' ? 'unauthorized' : 'active';
      need(shown_assets).push({ wallet_id: id, asset, status });
    },
  },
];

/** An issued asset, as a customer ordered it. */
/** Not back to the issuer, which somebody has allowed. */
function paid({ rows }: Evidence) {
  return need(
    rows.find(
      ({ status, asset_issuer, refund_of, destination }) =>
        status === 'confirmed' && asset_issuer && refund_of === null && destination !== asset_issuer,
    ),
  );
}

function paymentOf(copy: Evidence) {
  const { stellar_tx_hash } = paid(copy);
  return need(need(copy.transactions.find(({ hash }) => hash === stellar_tx_hash)).payments[0]);
}

function received({ deposits: { rows } }: Evidence) {
  return need(rows.find(({ asset_issuer }) => asset_issuer !== null));
}

/** An issued deposit that has an event. */
function told({ deposits: { rows, events } }: Evidence) {
  const row = need(rows.find(({ asset_issuer, attributed }) => asset_issuer !== null && attributed));
  const event = need(events.find(({ body }) => body.includes(row.id)));
  const { asset_code, asset_issuer } = row;
  return { asset_code, asset_issuer, event };
}

function clawback({ adjustments }: Evidence) {
  return need(adjustments.find(({ reason }) => reason === 'clawback'));
}

function added({ trust_lines }: Evidence): TrustLineRow {
  return need(trust_lines.find(isConfirmed('add_trust_line')));
}

const isConfirmed = (operation: TrustLineRow['operation']) => (row: TrustLineRow) =>
  row.operation === operation && row.status === 'confirmed';

function isDone({ wish, answer }: AssetCall): boolean {
  return wish === 'add' && answer !== null && answer.status < 300;
}

/** Of all falsifications here. */
export const NAMES = ASSETS.map(({ name }) => name);
