import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import { laterProtocol } from '../ledger/transaction.ts';
import type { Submission } from '../network.ts';
import { hashOf } from '../network.ts';
import type { StellarNode } from '../node.ts';
import type { RpcMethod } from './context.ts';
import { invalidParams } from './errors.ts';
import { parseParams, sendTransactionParams } from './params.ts';

export const sendTransaction: RpcMethod = (params, { node }) => {
  const { transaction } = parseParams(sendTransactionParams, params);
  const submission = submit(node, transaction);
  const { header } = node.latest;
  return {
    ...(submission.error_result_xdr === null ? {} : { errorResultXdr: base64(submission.error_result_xdr) }),
    status: submission.status,
    hash: hashOf(submission),
    latestLedger: header.ledgerSeq,
    latestLedgerCloseTime: header.scpValue.closeTime.toString(),
  };
};

function submit(node: StellarNode, transaction: string): Submission {
  try {
    return node.submit(xdr.decodeBytes(transaction, 'base64'));
  } catch (error) {
    if (error instanceof xdr.XdrError) throw invalidParams('invalid_xdr', laterProtocol(error));
    throw error;
  }
}
