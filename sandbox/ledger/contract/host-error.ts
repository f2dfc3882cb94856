import type { xdr } from '@stellar/stellar-sdk/base';

const TYPE_NAMES = [
  'Contract',
  'WasmVm',
  'Context',
  'Storage',
  'Object',
  'Crypto',
  'Events',
  'Budget',
  'Value',
  'Auth',
] as const;
const CODE_NAMES = [
  'ArithDomain',
  'IndexBounds',
  'InvalidInput',
  'MissingValue',
  'ExistingValue',
  'ExceededLimit',
  'InvalidAction',
  'InternalError',
  'UnexpectedType',
  'UnexpectedSize',
] as const;

type HostErrorType = Exclude<(typeof TYPE_NAMES)[number], 'Contract'>;
type HostErrorCode = (typeof CODE_NAMES)[number];

/** The Stellar Asset Contract's own errors (soroban-env-host, builtin_contracts/contract_error.rs). */
export const ASSET_ERROR = {
  accountMissing: 6,
  negativeAmount: 8,
  balance: 10,
  balanceDeauthorized: 11,
  overflow: 12,
  trustLineMissing: 13,
} as const;

/**
 * Why a contract invocation stops. In a ledger, all of them are INVOKE_HOST_FUNCTION_TRAPPED. Simulation and
 * diagnostic events show the difference.
 */
export class HostError extends Error {
  readonly error: xdr.ScErrorWire;
  readonly detail: string;

  private constructor(error: xdr.ScErrorWire, name: string, detail: string) {
    super(`HostError: Error(${name})`);
    this.error = error;
    this.detail = detail;
  }

  static ofHost(type: HostErrorType, code: HostErrorCode, detail: string): HostError {
    const error = { type: TYPE_NAMES.indexOf(type), code: CODE_NAMES.indexOf(code) } as xdr.ScErrorWire;
    return new HostError(error, `${type}, ${code}`, detail);
  }

  static ofAsset(error: keyof typeof ASSET_ERROR, detail: string): HostError {
    const contractCode = ASSET_ERROR[error];
    return new HostError({ type: 0, contractCode }, `Contract, #${contractCode}`, detail);
  }
}
