import type { StellarNode } from '../node.ts';
import { supportedProtocol } from '../rpc/versions.ts';
import { timeText } from '../time-text.ts';
import type { Links } from './links.ts';

/** The Horizon version whose answers are given here. */
const HORIZON_VERSION = '30.0.0-stellar-teller-sandbox';

/** Horizon's root document with all of its links. The README says which of them work here. */
export function rootRecord(node: StellarNode, links: Links) {
  const { header } = node.latest;
  const { ledgerSeq, ledgerVersion } = header;
  const supported = supportedProtocol(node.rpcVersion, header);
  return {
    _links: rootLinks(links),
    horizon_version: HORIZON_VERSION,
    core_version: 'stellar-teller-sandbox',
    ingest_latest_ledger: ledgerSeq,
    history_latest_ledger: ledgerSeq,
    history_latest_ledger_closed_at: timeText(header.scpValue.closeTime),
    history_elder_ledger: node.oldest.sequence,
    core_latest_ledger: ledgerSeq,
    network_passphrase: node.options.passphrase,
    current_protocol_version: ledgerVersion,
    supported_protocol_version: supported,
    core_supported_protocol_version: supported,
  };
}

const PAGE = 'cursor,limit,order';
const ASSETS_TRADED = ['base', 'counter'].flatMap((side) =>
  ['asset_type', 'asset_code', 'asset_issuer'].map((part) => `${side}_${part}={${side}_${part}}`),
);

function rootLinks(links: Links) {
  return {
    account: links.template('/accounts/{account_id}'),
    accounts: links.template(`/accounts{?signer,sponsor,asset,liquidity_pool,${PAGE}}`),
    account_transactions: links.paged('/accounts/{account_id}/transactions'),
    claimable_balances: links.template(`/claimable_balances{?asset,sponsor,claimant,${PAGE}}`),
    assets: links.template(`/assets{?asset_code,asset_issuer,${PAGE}}`),
    effects: links.paged('/effects'),
    fee_stats: links.to('/fee_stats'),
    friendbot: links.template('/friendbot{?addr}'),
    ledger: links.template('/ledgers/{sequence}'),
    ledgers: links.paged('/ledgers'),
    liquidity_pools: links.template(`/liquidity_pools{?reserves,account,${PAGE}}`),
    offer: links.template('/offers/{offer_id}'),
    offers: links.template(`/offers{?selling,buying,seller,sponsor,${PAGE}}`),
    operation: links.template('/operations/{id}'),
    operations: links.template(`/operations{?${PAGE},include_failed}`),
    order_book: links.template(
      '/order_book{?selling_asset_type,selling_asset_code,selling_asset_issuer,buying_asset_type,buying_asset_code,buying_asset_issuer,limit}',
    ),
    payments: links.template(`/payments{?${PAGE},include_failed}`),
    self: links.to('/'),
    strict_receive_paths: links.template(
      '/paths/strict-receive{?source_assets,source_account,destination_account,destination_asset_type,destination_asset_issuer,destination_asset_code,destination_amount}',
    ),
    strict_send_paths: links.template(
      '/paths/strict-send{?destination_account,destination_assets,source_asset_type,source_asset_issuer,source_asset_code,source_amount}',
    ),
    trade_aggregations: links.template(`/trade_aggregations?${ASSETS_TRADED.join('&')}`),
    trades: links.template(`/trades?${ASSETS_TRADED.join('&')}`),
    transaction: links.template('/transactions/{hash}'),
    transactions: links.paged('/transactions'),
  };
}
