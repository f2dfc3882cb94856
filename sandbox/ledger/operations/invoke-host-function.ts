import type { xdr } from '@stellar/stellar-sdk/base';
import { sha256 } from '../bytes.ts';
import { callTransfer, isTransfer } from '../contract/asset-contract.ts';
import { GivenAuthorization } from '../contract/authorization.ts';
import { bytesWritten, consumedBy, successPreimage, total } from '../contract/contract-run.ts';
import { ContractStorage, diskBytes } from '../contract/contract-storage.ts';
import { DeclaredFootprint } from '../contract/footprint.ts';
import { HostError } from '../contract/host-error.ts';
import { instructionsOf } from '../contract/instructions.ts';
import type { ApplyContext, OperationResult, OperationRules } from './rules.ts';
import { MEDIUM } from './rules.ts';

const TRAPPED = -2;
const RESOURCE_LIMIT_EXCEEDED = -3;
const INSUFFICIENT_REFUNDABLE_FEE = -5;

type Invocation = xdr.InvokeHostFunctionOpWire;

const result = (invokeHostFunctionResult: xdr.InvokeHostFunctionResultWire): OperationResult => ({
  code: 0,
  tr: { type: 24, invokeHostFunctionResult },
});

/** The transfer of a Stellar Asset Contract (stellar-core, InvokeHostFunctionOpFrame.cpp). */
export const invokeHostFunction: OperationRules<24> = {
  type: 24,
  success: result({ code: 0, success: new Uint8Array(32) }),
  supported: ({ invokeHostFunctionOp }) => isTransfer(invokeHostFunctionOp.hostFunction),
  threshold: () => MEDIUM,
  check: () => null,

  apply({ invokeHostFunctionOp }, context) {
    const { header, txn, events, contract: run } = context;
    if (run === null) throw new Error('a contract operation without resources cannot be in a ledger');
    const { footprint, diskReadBytes, writeBytes, instructions } = run.data.resources;
    if (diskBytes(txn, footprint) > diskReadBytes) return result({ code: RESOURCE_LIMIT_EXCEEDED });
    const error = invoke(invokeHostFunctionOp, context);
    if (error !== null) {
      run.failed(error);
      return result({ code: TRAPPED });
    }
    const used = instructionsOf(invokeHostFunctionOp.auth, txn);
    if (used > instructions || bytesWritten(txn) > writeBytes)
      return result({ code: RESOURCE_LIMIT_EXCEEDED });
    const consumed = consumedBy(txn, events.events, {
      ledgerSeq: header.ledgerSeq,
      stateBytes: run.stateBytes,
    });
    if (total(consumed) > run.refundable) return result({ code: INSUFFICIENT_REFUNDABLE_FEE });
    run.succeeded(consumed);
    return result({ code: 0, success: sha256(successPreimage(events.events)) });
  },
};

/** @returns the error that stopped the invocation, or null */
function invoke({ hostFunction, auth }: Invocation, context: ApplyContext): HostError | null {
  const { header, source, txn, events, contract: run } = context;
  if (hostFunction.type !== 0 || run === null) throw new Error('not a call of a contract');
  const call = hostFunction.invokeContract;
  const { contracts, data } = run;
  const { networkId } = contracts;
  try {
    const footprint = new DeclaredFootprint(data.resources.footprint);
    const storage = new ContractStorage(txn, footprint, header.ledgerSeq);
    const authorization = new GivenAuthorization({ networkId, source, call, storage }, auth);
    callTransfer(call, { contracts, assets: txn.assets(), header, storage, authorization, events });
    return null;
  } catch (error) {
    // Only a HostError stops the invocation. Any other error is a fault of this program.
    if (error instanceof HostError) return error;
    throw error;
  }
}
