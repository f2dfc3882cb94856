import { xdr } from '@stellar/stellar-sdk/base';
import { readMuxedContract } from './missing-arms.ts';

/**
 * One of the 2^64 muxed addresses of a contract (CAP-84), and its strkey W… (SEP-23). Only the asset contract's
 * transfer takes such an address, as destination.
 */
export type MuxedContract = { contract_id: Uint8Array; muxed_id: bigint };

/** The protocol that brought muxed contracts. No older core can read a transaction that names one. */
export const MUXED_CONTRACT_PROTOCOL = 30;

/** Fields of the arms of SCAddress. */
const MUXED_CONTRACT: ReadonlySet<string> = new Set(['muxedContract']);
const MUXED: ReadonlySet<string> = new Set(['muxedAccount', 'muxedContract']);

const VERSION_BYTE = 22 << 3;
const CONTRACT_ID_BYTES = 32;
const BYTES = 1 + CONTRACT_ID_BYTES + 8 + 2;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** W…: version, contract, id and checksum in base32, without padding. */
export function muxedContractAddress({ contract_id, muxed_id }: MuxedContract): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION_BYTE);
  bytes.set(contract_id, 1);
  bytes.writeBigUInt64BE(muxed_id, 1 + CONTRACT_ID_BYTES);
  bytes.writeUInt16LE(crc16(bytes.subarray(0, -2)), BYTES - 2);
  return base32(bytes);
}

/** The contract and id of a W… address; null for any other text. */
export function parseMuxedContract(address: string): MuxedContract | null {
  const bits = [...address].map((character) => BASE32.indexOf(character));
  if (bits.includes(-1) || address.length !== Math.ceil((BYTES * 8) / 5)) return null;
  const number = bits.reduce((sum, five) => (sum << 5n) | BigInt(five), 0n);
  const spare = BigInt(address.length * 5 - BYTES * 8);
  const bytes = Buffer.from((number >> spare).toString(16).padStart(BYTES * 2, '0'), 'hex');
  const contract_id = bytes.subarray(1, 1 + CONTRACT_ID_BYTES);
  const read = { contract_id, muxed_id: bytes.readBigUInt64BE(1 + CONTRACT_ID_BYTES) };
  // One text for each address: other version bytes, checksums and spare bits are refused.
  return muxedContractAddress(read) === address ? read : null;
}

/** The muxed contract that the address names; null for an address of another kind. */
export function muxedContractOf(address: xdr.ScAddressWire): MuxedContract | null {
  return readMuxedContract(xdr.ScAddress.fromXdrObject(address));
}

/**
 * Whether any contract value in this XDR names a muxed address that a core of this protocol cannot read.
 * @param wire any plain XDR record
 */
export function namesUnknownAddress(wire: unknown, protocol: number): boolean {
  return protocol < MUXED_CONTRACT_PROTOCOL && hasField(wire, MUXED_CONTRACT);
}

/** Contract data never has a muxed address in its key, at any depth (CAP-67, CAP-84). */
export function hasMuxedAddress(key: xdr.LedgerKeyWire): boolean {
  return key.type === 6 && hasField(key.contractData, MUXED);
}

function hasField(wire: unknown, names: ReadonlySet<string>): boolean {
  if (typeof wire !== 'object' || wire === null || ArrayBuffer.isView(wire)) return false;
  return Object.entries(wire).some(([name, value]) => names.has(name) || hasField(value, names));
}

function base32(bytes: Uint8Array): string {
  const characters = Math.ceil((bytes.length * 8) / 5);
  const number =
    BigInt(`0x${Buffer.from(bytes).toString('hex')}`) << BigInt(characters * 5 - bytes.length * 8);
  return Array.from({ length: characters }, (_, index) => {
    const five = (number >> BigInt(5 * (characters - 1 - index))) & 31n;
    return BASE32.charAt(Number(five));
  }).join('');
}

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
