import { randomBytes } from 'node:crypto';
import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../ledger/bytes.ts';
import { isTransfer } from '../ledger/contract/asset-contract.ts';
import { errorEvent } from '../ledger/contract/contract-run.ts';
import { HostError } from '../ledger/contract/host-error.ts';
import type { Simulation } from '../ledger/contract/simulate.ts';
import { simulate } from '../ledger/contract/simulate.ts';
import type { EntryChange } from '../ledger/ledger-txn.ts';
import { VOID } from '../ledger/sc-val.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { laterProtocol } from '../ledger/transaction.ts';
import type { StellarNode } from '../node.ts';
import type { RpcMethod } from './context.ts';
import { parseParams, simulateTransactionParams } from './params.ts';

/** A transaction that cannot be simulated. The answer is a result with an `error`, not an error of JSON-RPC. */
class Unsimulated extends Error {}

export const simulateTransaction: RpcMethod = (params, { node }) => {
  const { transaction, authMode, resourceConfig } = parseParams(simulateTransactionParams, params);
  const latestLedger = node.latest.header.ledgerSeq;
  try {
    const tx = decode(node, transaction);
    const operation = transferOf(tx);
    const { header } = node.latest;
    const simulation = simulate(tx, operation, {
      view: node.view,
      header: { ...header, ledgerSeq: header.ledgerSeq + 1 },
      contracts: node.contracts,
      stateBytes: node.stateBytes,
      mode: modeOf(authMode, operation),
      nonce: () => randomBytes(8).readBigInt64BE(),
      instructionLeeway: resourceConfig?.instructionLeeway ?? 0,
    });
    return { ...answer(simulation), latestLedger };
  } catch (error) {
    if (error instanceof Unsimulated) return { error: error.message, latestLedger };
    if (error instanceof HostError) return { ...hostFailure(error), latestLedger };
    throw error;
  }
};

function decode(node: StellarNode, transaction: string): Transaction {
  try {
    const tx = node.parse(xdr.decodeBytes(transaction, 'base64'));
    return tx.inner ?? tx;
  } catch (error) {
    if (error instanceof xdr.XdrError) {
      const reason = laterProtocol(error);
      throw new Unsimulated(`Could not unmarshal transaction${reason === undefined ? '' : `: ${reason}`}`);
    }
    throw error;
  }
}

/** The only operation, if the sandbox supports it. */
function transferOf({ tx }: Transaction): xdr.InvokeHostFunctionOpWire {
  if (tx.memo.type !== 0) {
    throw new Unsimulated('Transaction contains a memo. Soroban transactions do not support memos.');
  }
  const [operation, ...more] = tx.operations;
  if (operation === undefined || more.length > 0) {
    throw new Unsimulated('Transaction contains more than one operation');
  }
  const { body } = operation;
  if (body.type === 24 && isTransfer(body.invokeHostFunctionOp.hostFunction))
    return body.invokeHostFunctionOp;
  throw new Unsimulated(
    'Transaction contains unsupported operation: the sandbox supports only the transfer of a Stellar Asset Contract',
  );
}

/** If the client names no mode: existing authorizations are checked, else authorizations are recorded. */
function modeOf(wanted: string | undefined, { auth }: xdr.InvokeHostFunctionOpWire): 'enforce' | 'record' {
  if (wanted !== undefined && wanted !== '') return wanted === 'enforce' ? 'enforce' : 'record';
  return auth.length > 0 ? 'enforce' : 'record';
}

function answer({ data, auth, events, changes }: Simulation) {
  return {
    transactionData: base64(xdr.SorobanTransactionData.schema.encode(data)),
    minResourceFee: data.resourceFee.toString(),
    events: events.map((event) => diagnosticEvent({ inSuccessfulContractCall: true, event })),
    results: [
      {
        auth: auth.map((entry) => base64(xdr.SorobanAuthorizationEntry.schema.encode(entry))),
        xdr: base64(xdr.ScVal.schema.encode(VOID)),
      },
    ],
    stateChanges: changes.map(stateChange),
  };
}

function stateChange({ key, before, after }: EntryChange) {
  const entry = (one: EntryChange['after']) => one && base64(xdr.LedgerEntry.schema.encode(one));
  const changed = after === undefined ? 'deleted' : 'updated';
  return {
    type: before === undefined ? 'created' : changed,
    key,
    before: entry(before) ?? null,
    after: entry(after) ?? null,
  };
}

function hostFailure(error: HostError) {
  const event = errorEvent(error);
  return {
    error: `${error.message}\n\nEvent log (newest first):\n   0: [Diagnostic Event] data:"${error.detail}"\n`,
    events: [diagnosticEvent(event)],
  };
}

function diagnosticEvent(event: xdr.DiagnosticEventWire): string {
  return base64(xdr.DiagnosticEvent.schema.encode(event));
}
