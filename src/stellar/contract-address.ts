/**
 * Pure: addresses of contracts: C…, and W… with an id (SEP-23 1.4, CAP-84). A W… is 69 characters of version byte, contract
 * id (32 bytes), id (8 bytes, big-endian) and checksum. The Stellar SDK does not know it yet.
 */
import { StrKey } from './protocol/sdk.ts';

/** A contract, or one of its 2^64 muxed contracts. `contract`: C…. */
export type ContractAddress = { contract: string; muxed_id: bigint | null };

/** The first protocol whose contracts of assets pay a muxed contract. */
export const MUXED_CONTRACT_PROTOCOL = 30;

const VERSION = 22 << 3; // W
const ID_AT = 33;
const CHECKED_BYTES = 41;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const FORM = /^W[A-Z2-7]{68}$/;

/** Reads a C… or W… strkey; null for anything else (other kinds, bad checksum, length or padding bits). */
export function parseContractAddress(text: string): ContractAddress | null {
  if (StrKey.isValidContract(text)) return { contract: text, muxed_id: null };
  if (!FORM.test(text)) return null;
  const checked = decodeBase32(text).subarray(0, CHECKED_BYTES);
  // Written again, because a text that differs in its version, checksum or padding bit is no address.
  if (checked[0] !== VERSION || encodeChecked(checked) !== text) return null;
  const contract = StrKey.encodeContract(checked.subarray(1, ID_AT));
  return { contract, muxed_id: checked.readBigUInt64BE(ID_AT) };
}

/** Returns the address with this id on a C… that is known to be valid: W…; without an id C… itself. */
export function contractAddress({ contract, muxed_id }: ContractAddress): string {
  if (muxed_id === null) return contract;
  const checked = Buffer.alloc(CHECKED_BYTES);
  checked[0] = VERSION;
  checked.set(StrKey.decodeContract(contract), 1);
  checked.writeBigUInt64BE(muxed_id, ID_AT);
  return encodeChecked(checked);
}

function encodeChecked(checked: Buffer): string {
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16LE(crc16(checked));
  return encodeBase32(Buffer.concat([checked, checksum]));
}

/** Encodes by RFC 4648 without padding; unused bits at the end are 0. */
function encodeBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const digits = bits.match(/.{1,5}/g) ?? [];
  return digits.map((digit) => ALPHABET.charAt(Number.parseInt(digit.padEnd(5, '0'), 2))).join('');
}

/** Decodes a text, without the unused bits at the end. */
function decodeBase32(text: string): Buffer {
  const bits = [...text].map((each) => ALPHABET.indexOf(each).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Computes the checksum CRC-16/XMODEM. */
function crc16(bytes: Buffer): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
}
