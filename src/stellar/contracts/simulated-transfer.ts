/**
 * Pure: what a source says that a transfer needs, checked before anything of it is signed. A source can be wrong or lie, so:
 *
 * | part of its answer              | what is accepted                                                             |
 * |---------------------------------|------------------------------------------------------------------------------|
 * | the ledger entries              | exactly those of the transfer (asset-contract.ts), each written or only read |
 * |                                 | as the contract does                                                         |
 * | archived entries to restore     | written ones of these                                                        |
 * | the authorization               | ours, unchanged: the source account's, for this one call. It is not taken    |
 * |                                 | from the answer                                                              |
 * | instructions and bytes          | the limits of the public network                                             |
 * | the resource fee                | above 0; withdrawals compare it with the network's prices and a limit        |
 *
 * A worse answer inside these limits can make the transaction fail, and costs at most that fee. It cannot pay anybody else.
 */
import { strict as assert } from 'node:assert';
import { xdr } from '../protocol/sdk.ts';
import type { ContractTransfer, SimulatedTransfer } from '../stellar.ts';
import { transferKeys } from '../transactions/asset-contract.ts';
import { innerTransaction } from '../transactions/envelope.ts';

/** The most that one transaction of the public network may declare (its settings, 2026). */
const LIMITS = { instructions: 400_000_000, read_bytes: 200_000, write_bytes: 132_096 };

/** @throws Error when the data is not that of this transfer. `soroban_data`: base64. */
export function checkSorobanData(
  passphrase: string,
  transfer: ContractTransfer,
  soroban_data: string,
): Extract<SimulatedTransfer, { possible: true }> {
  const data = xdr.SorobanTransactionData.fromXdr(soroban_data, 'base64');
  const { footprint, instructions, diskReadBytes, writeBytes } = data.resources;
  const [read, written] = [footprint.readOnly, footprint.readWrite].map((keys) =>
    keys.map((key) => key.toXdr('base64')),
  ) as [string[], string[]];
  checkEntries(passphrase, transfer, { read, written, restored: restoredIn(data, written) });
  assert(instructions > 0 && instructions <= LIMITS.instructions, `${instructions} instructions`);
  assert(diskReadBytes <= LIMITS.read_bytes, `${diskReadBytes} bytes to read`);
  assert(writeBytes <= LIMITS.write_bytes, `${writeBytes} bytes to write`);
  assert(data.resourceFee > 0n, `a resource fee of ${data.resourceFee}`);
  // Encodes the decoded data again: what is signed has no byte that was not decoded.
  return { possible: true, soroban_data: data.toXdr('base64'), resource_fee_stroops: data.resourceFee };
}

/** Reads what checked data declares. `restores`: an archived entry, which pays rent again. `soroban_data`: base64. */
export function resourcesOf(soroban_data: string) {
  const { ext, resources } = xdr.SorobanTransactionData.fromXdr(soroban_data, 'base64');
  const { footprint, instructions, diskReadBytes, writeBytes } = resources;
  const all = [...footprint.readOnly, ...footprint.readWrite];
  return {
    instructions: BigInt(instructions),
    // Contract data is in memory, classic entries are on disk.
    disk_read_entries: BigInt(all.filter(({ type }) => type !== 'contractData').length),
    write_entries: BigInt(footprint.readWrite.length),
    disk_read_bytes: BigInt(diskReadBytes),
    write_bytes: BigInt(writeBytes),
    restores: ext.type !== 'v0' && ext.resourceExt.archivedSorobanEntries.length > 0,
  };
}

/** Returns the keys of the archived entries that the transaction restores. */
function restoredIn({ ext }: xdr.SorobanTransactionData, written: string[]): string[] {
  if (ext.type === 'v0') return [];
  const places = ext.resourceExt.archivedSorobanEntries;
  return places.map((place, index) => {
    const key = written[place];
    assert(key !== undefined && (index === 0 || place > (places[index - 1] as number)), 'a wrong place');
    return key;
  });
}

type Entries = { read: string[]; written: string[]; restored: string[] };

/** Checks the entries. The contract's own entry is written only when it is archived and restored. */
function checkEntries(passphrase: string, transfer: ContractTransfer, entries: Entries): void {
  const { read, written, restored } = entries;
  const { instance, issuer, paying, paid } = transferKeys(passphrase, transfer);
  const needed = [instance, paying, paid];
  const all = [...read, ...written];
  assert.equal(new Set(all).size, all.length, 'an entry that is named twice');
  for (const key of needed) assert(all.includes(key), 'an entry that the transfer needs is missing');
  for (const key of read) assert(key === instance || key === issuer, `an entry that is not read: ${key}`);
  for (const key of written)
    assert(
      key === paying || key === paid || (key === instance && restored.includes(key)),
      `an entry that is not written: ${key}`,
    );
  for (const key of restored) assert(key !== paying, 'an entry of an account, which is never archived');
}

/**
 * Returns true when the authorizations of a simulation (base64) are the one that we sent with the transaction, or none are named.
 * `envelope_xdr`: the transaction that was simulated.
 */
export function isOurAuthorization(envelope_xdr: string, auth: string[]): boolean {
  const { operations } = innerTransaction(xdr.TransactionEnvelope.fromXdr(envelope_xdr, 'base64'));
  const body = operations[0]?.body;
  assert(body?.type === 'invokeHostFunction');
  const ours = body.invokeHostFunctionOp.auth.map((entry) => entry.toXdr('base64'));
  return auth.length === 0 || (auth.length === 1 && auth[0] === ours[0]);
}
