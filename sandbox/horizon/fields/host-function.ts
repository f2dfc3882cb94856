import { xdr } from '@stellar/stellar-sdk/base';
import { base64 } from '../../ledger/bytes.ts';
import { amountText } from '../amounts.ts';
import type { AppliedOperation } from '../applied-operation.ts';
import type { AssetEvent } from '../asset-events.ts';
import { assetEvents } from '../asset-events.ts';
import { assetFields } from '../assets.ts';

const FUNCTIONS = ['InvokeContract', 'CreateContract', 'UploadContractWasm', 'CreateContractV2'];

/** Horizon's names of the value types: the names of the union's arms in Go. */
const VALUE_TYPES = (
  'B,,Error,U32,I32,U64,I64,Timepoint,Duration,U128,I128,U256,I256,' +
  'Bytes,Str,Sym,Vec,Map,Address,Instance,,NonceKey'
).split(',');

/**
 * A contract call. The first two parameters are contract address and function name. `address` and `salt` belong to
 * the creation of contracts. Lists without entries are null where Horizon has null.
 */
export function hostFunctionFields({ hostFunction }: xdr.InvokeHostFunctionOpWire, at: AppliedOperation) {
  const kind = `HostFunctionTypeHostFunctionType${FUNCTIONS[hostFunction.type]}`;
  const call = hostFunction.type === 0 ? hostFunction.invokeContract : null;
  const changes = call === null ? [] : assetEvents(at).map(balanceChange);
  return {
    function: kind,
    parameters: call === null ? null : parametersOf(call),
    address: '',
    salt: '',
    asset_balance_changes: changes.length === 0 ? null : changes,
  };
}

function parametersOf({ contractAddress, functionName, args }: xdr.InvokeContractArgsWire) {
  const values: xdr.ScValWire[] = [
    { type: 18, address: contractAddress },
    { type: 15, sym: functionName },
    ...args,
  ];
  return values.map((value) => ({
    value: base64(xdr.ScVal.schema.encode(value)),
    type: VALUE_TYPES[value.type] ?? 'n/a',
  }));
}

function balanceChange({ type, asset, from, to, amount, toMuxedId }: AssetEvent) {
  return {
    ...assetFields(asset),
    type,
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    amount: amountText(amount),
    ...(toMuxedId !== null && { destination_muxed_id: `${toMuxedId}` }),
  };
}
