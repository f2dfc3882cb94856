/**
 * The XDR of protocol 30 that the Stellar SDK does not know: close times in milliseconds (CAP-88) and muxed contract
 * addresses (CAP-84). Without these arms no header of protocol 30 can be read. Importing this file adds the arms to the
 * SDK's own types, for every reader and writer of the process. An arm that is there already stays as it is.
 *
 * Source: Stellar-ledger.x and Stellar-contract.x of stellar-xdr 30.0. When the SDK has these arms, delete this file;
 * missing-arms.test.ts says when.
 */
import { xdr } from '@stellar/stellar-sdk/base';

/** A value as plain data, which schemas read and write. */
type Wire = Record<string, unknown>;
type Schema = { name: string | undefined; kind: string };
type Fields = readonly (readonly [name: string, schema: Schema])[];
type StructSchema = Schema & { entries: Fields };
type EnumSchema = Schema & { nameByValue: ReadonlyMap<number, string> };
type Arm = { name: string; discriminant: number; arm: { kind: 'field'; name: string; schema: Schema } };
type UnionSchema = Schema & { switchOn: EnumSchema; cases: readonly Arm[]; switchKey: string };
/** A union's class in the SDK: its instances wrap plain data. */
type UnionClass = (abstract new () => object) & {
  schema: UnionSchema;
  fromXdrObject(wire: Wire): object;
};

const proposed = (xdr.StellarValueProposedValue.schema as unknown as StructSchema).entries;
const [id] = (xdr.MuxedAccountMed25519.schema as unknown as StructSchema).entries as [Fields[number]];
const closeTimeMs = ['closeTimeMs', id[1]] as const;
const signature = ['lcValueSignature', xdr.LedgerCloseValueSignature.schema] as const;

addArms(xdr.StellarValueExt, [
  armOf('stellarValueSignedMs', 3, 'signedMsValue', 'StellarValueSignedMsValue', [closeTimeMs, signature]),
  armOf('stellarValueEmptyTxSetMs', 4, 'proposedMsValue', 'StellarValueProposedMsValue', [
    closeTimeMs,
    ...proposed,
  ]),
]);
addArms(xdr.ScAddress, [
  armOf('scAddressTypeMuxedContract', 5, 'muxedContract', 'MuxedContract', [
    id,
    ['contractId', xdr.ContractId.schema] as const,
  ]),
]);

/** Reads the close time in milliseconds of a header's StellarValue; null for an arm without one. */
export function closeTimeMsOf(ext: xdr.StellarValueExt): bigint | null {
  const { closeTimeMs: time_ms = null } = (ext.value ?? {}) as { closeTimeMs?: bigint };
  return time_ms;
}

/** Makes an address that names one of the 2^64 muxed addresses of a contract. */
export function muxedContract(contract_id: Uint8Array, muxed_id: bigint): xdr.ScAddress {
  const wire: Wire = { type: 5, muxedContract: { id: muxed_id, contractId: contract_id } };
  return xdr.ScAddress.fromXdrObject(wire as unknown as xdr.ScAddressWire);
}

/** Reads the contract and id of a muxed contract address; null for an address of another kind. */
export function readMuxedContract(
  address: xdr.ScAddress,
): { contract_id: Uint8Array; muxed_id: bigint } | null {
  const wire = address.toXdrObject() as unknown as {
    type: number;
    muxedContract: { id: bigint; contractId: Uint8Array };
  };
  if (wire.type !== 5) return null;
  return { contract_id: wire.muxedContract.contractId, muxed_id: wire.muxedContract.id };
}

function armOf(name: string, discriminant: number, field: string, struct: string, fields: Fields): Arm {
  const schema = likeOther<Schema>(xdr.StellarValue.schema, struct, Object.fromEntries(fields));
  return { name, discriminant, arm: { kind: 'field', name: field, schema } };
}

/** Makes a schema of the same kind as another one. The SDK has its own copy of js-xdr, so the other one brings the class. */
function likeOther<T extends Schema>(other: unknown, ...parts: unknown[]): T {
  const Kind = (other as { constructor: unknown }).constructor as new (...parts: unknown[]) => T;
  return new Kind(...parts);
}

/**
 * Adds arms to a union. Other schemas refer to the union's schema object. So that object stays, and passes reading and
 * writing on to a schema that has all arms.
 */
function addArms(type: unknown, arms: Arm[]): void {
  const union = type as UnionClass;
  const { schema } = union;
  const missing = arms.filter(
    (arm) => !schema.cases.some((known) => known.discriminant === arm.discriminant),
  );
  if (missing.length === 0) return;
  const names = [...schema.switchOn.nameByValue].map(([value, name]) => [name, value] as const);
  const added = missing.map(({ name, discriminant }) => [name, discriminant] as const);
  const members = Object.fromEntries([...names, ...added]);
  const switchOn = likeOther<EnumSchema>(schema.switchOn, schema.switchOn.name, members);
  const cases = [...schema.cases, ...missing];
  type Whole = UnionSchema & { _read(...parts: unknown[]): unknown; _write(...parts: unknown[]): unknown };
  const whole = likeOther<Whole>(schema, schema.name, switchOn, cases, undefined, schema.switchKey);
  const [_read, _write] = [whole._read.bind(whole), whole._write.bind(whole)];
  Object.assign(schema, { switchOn, cases, _read, _write });
  wrapArms(union, missing);
}

/** Lets the union's class wrap added arms: `type` is the arm's name, `value` its content as plain data. */
function wrapArms(union: UnionClass, arms: Arm[]): void {
  const known = union.fromXdrObject.bind(union);
  union.fromXdrObject = (wire) => {
    const added = arms.find(({ discriminant }) => discriminant === wire[union.schema.switchKey]);
    if (!added) return known(wire);
    const { name, arm } = added;
    class AddedArm extends union {
      readonly type = name;
      readonly value = wire[arm.name];
      toXdrObject = () => wire;
    }
    return new AddedArm();
  };
}
