import type { OperationRules } from './rules.ts';
import { LOW, OP_NOT_SUPPORTED } from './rules.ts';

/** stellar-core, InflationOpFrame.cpp: refused since protocol 12, and here. */
export const inflation: OperationRules<9> = {
  type: 9,
  success: { code: 0, tr: { type: 9, inflationResult: { code: 0, payouts: [] } } },
  supported: () => false,
  threshold: () => LOW,
  check: () => OP_NOT_SUPPORTED,
  apply: () => OP_NOT_SUPPORTED,
};
