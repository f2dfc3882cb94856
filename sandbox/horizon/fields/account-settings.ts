import type { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../../ledger/bytes.ts';
import { accountAddress, signerAddress } from '../addresses.ts';
import { accountFlagFields } from '../flags.ts';

/** Only the options that the operation sets. A home domain that was emptied is left out too. */
export function setOptionsFields(op: xdr.SetOptionsOpWire) {
  const homeDomain = op.homeDomain?.toString() ?? '';
  return {
    ...(homeDomain !== '' && { home_domain: homeDomain }),
    ...(op.inflationDest !== null && { inflation_dest: accountAddress(op.inflationDest) }),
    ...(op.masterWeight !== null && { master_key_weight: op.masterWeight }),
    ...(op.signer !== null && {
      signer_key: signerAddress(op.signer.key),
      signer_weight: op.signer.weight,
    }),
    ...accountFlagFields(op),
    ...thresholdsOf(op),
  };
}

/** The thresholds that the operation sets. */
export function thresholdsOf(op: xdr.SetOptionsOpWire) {
  return {
    ...(op.lowThreshold !== null && { low_threshold: op.lowThreshold }),
    ...(op.medThreshold !== null && { med_threshold: op.medThreshold }),
    ...(op.highThreshold !== null && { high_threshold: op.highThreshold }),
  };
}

/** The value in base64, empty for a removal. */
export function manageDataFields(op: xdr.ManageDataOpWire) {
  return { name: op.dataName.toString(), value: op.dataValue === null ? '' : base64(op.dataValue) };
}
