import assert from 'node:assert/strict';
import type { xdr } from '@stellar/stellar-sdk/base';

/** `result_codes` of Horizon's transaction_failed problem. */
export type ResultCodes = { transaction: string; inner_transaction?: string; operations?: string[] };

/**
 * Horizon's spelling of the result codes of a transaction and its operations; of a fee-bump, also of the inner one.
 */
export function transactionCode({ result }: xdr.TransactionResultWire): ResultCodes {
  if (result.code === 1) return innerCodes('tx_fee_bump_inner_success', result.innerResultPair);
  if (result.code === -13) return innerCodes('tx_fee_bump_inner_failed', result.innerResultPair);
  return plainCodes(result);
}

function innerCodes(transaction: string, pair: xdr.InnerTransactionResultPairWire): ResultCodes {
  const { transaction: inner_transaction, ...operations } = plainCodes(pair.result.result);
  return { transaction, inner_transaction, ...operations };
}

function plainCodes(result: xdr.InnerTransactionResultResultWire): ResultCodes {
  const transaction = nameOf(TRANSACTION, result.code);
  return 'results' in result
    ? { transaction, operations: result.results.map(operationCode) }
    : { transaction };
}

function operationCode(result: xdr.OperationResultWire): string {
  if (result.code !== 0) return nameOf(OPERATION, result.code);
  const { type, ...arm } = result.tr;
  const names = BY_TYPE[type];
  const [inner] = Object.values(arm);
  assert.ok(names !== undefined && inner !== undefined, `no codes are known for operations of type ${type}`);
  return nameOf(names, inner.code);
}

function nameOf(names: string[], code: number): string {
  const name = names[-code];
  assert.ok(name !== undefined, `no name is known for result code ${code}`);
  return name;
}

/** By code: 0, -1, -2, … Names without `op_` and misspelt words are Horizon's (internal/codes). */
const TRANSACTION = [
  'tx_success',
  'tx_failed',
  'tx_too_early',
  'tx_too_late',
  'tx_missing_operation',
  'tx_bad_seq',
  'tx_bad_auth',
  'tx_insufficient_balance',
  'tx_no_source_account',
  'tx_insufficient_fee',
  'tx_bad_auth_extra',
  'tx_internal_error',
  'tx_not_supported',
  'tx_fee_bump_inner_failed',
  'tx_bad_sponsorship',
  'tx_bad_minseq_age_or_gap',
  'tx_malformed',
  'tx_soroban_invalid',
  'tx_frozen_key_accessed',
];

/** Horizon has no name for the last code. */
const OPERATION = [
  'op_inner',
  'op_bad_auth',
  'op_no_source_account',
  'op_not_supported',
  'op_too_many_subentries',
  'op_exceeded_work_limit',
  'op_too_many_sponsoring',
];

const PAYMENT = [
  'op_success',
  'op_malformed',
  'op_underfunded',
  'op_src_no_trust',
  'op_src_not_authorized',
  'op_no_destination',
  'op_no_trust',
  'op_not_authorized',
  'op_line_full',
  'op_no_issuer',
];

const OFFER = [
  'op_success',
  'op_malformed',
  'op_sell_no_trust',
  'op_buy_no_trust',
  'sell_not_authorized',
  'buy_not_authorized',
  'op_line_full',
  'op_underfunded',
  'op_cross_self',
  'op_sell_no_issuer',
  'buy_no_issuer',
  'op_offer_not_found',
  'op_low_reserve',
];

const BY_TYPE: Partial<Record<number, string[]>> = {
  0: ['op_success', 'op_malformed', 'op_underfunded', 'op_low_reserve', 'op_already_exists'],
  1: PAYMENT,
  2: [...PAYMENT, 'op_too_few_offers', 'op_cross_self', 'op_over_source_max'],
  3: OFFER,
  4: OFFER,
  5: [
    'op_success',
    'op_low_reserve',
    'op_too_many_signers',
    'op_bad_flags',
    'op_invalid_inflation',
    'op_cant_change',
    'op_unknown_flag',
    'op_threshold_out_of_range',
    'op_bad_signer',
    'op_invalid_home_domain',
    'op_auth_revocable_required',
  ],
  6: [
    'op_success',
    'op_malformed',
    'op_no_issuer',
    'op_invalid_limit',
    'op_low_reserve',
    'op_self_not_allowed',
    'op_trust_line_missing',
    'op_cannot_delete',
    'op_not_aut_maintain_liabilities',
  ],
  7: [
    'op_success',
    'op_malformed',
    'op_no_trust',
    'op_not_required',
    'op_cant_revoke',
    'op_self_not_allowed',
    'op_low_reserve',
  ],
  8: [
    'op_success',
    'op_malformed',
    'op_no_account',
    'op_immutable_set',
    'op_has_sub_entries',
    'op_seq_num_too_far',
    'op_dest_full',
    'op_is_sponsor',
  ],
  9: ['op_success', 'op_not_time'],
  10: [
    'op_success',
    'op_not_supported_yet',
    'op_data_name_not_found',
    'op_low_reserve',
    'op_data_invalid_name',
  ],
  11: ['op_success', 'op_bad_seq'],
  12: OFFER,
  13: [...PAYMENT, 'op_too_few_offers', 'op_cross_self', 'op_under_dest_min'],
  14: ['op_success', 'op_malformed', 'op_low_reserve', 'op_no_trust', 'op_not_authorized', 'op_underfunded'],
  15: [
    'op_success',
    'op_does_not_exist',
    'op_cannot_claim',
    'op_line_full',
    'op_no_trust',
    'op_not_authorized',
  ],
  16: ['op_success', 'op_malformed', 'op_already_sponsored', 'op_recursive'],
  17: ['op_success', 'op_not_sponsored'],
  18: [
    'op_success',
    'op_does_not_exist',
    'op_not_sponsor',
    'op_low_reserve',
    'op_only_transferable',
    'op_malformed',
  ],
  19: ['op_success', 'op_malformed', 'op_not_clawback_enabled', 'op_no_trust', 'op_underfunded'],
  20: ['op_success', 'op_does_not_exist', 'op_no_issuer', 'op_not_clawback_enabled'],
  21: ['op_success', 'op_malformed', 'op_no_trust', 'op_cant_revoke', 'op_invalid_state', 'op_low_reserve'],
  24: [
    'op_success',
    'op_malformed',
    'function_trapped',
    'resource_limit_exceeded',
    'entry_archived',
    'insufficient_refundable_fee',
  ],
};
