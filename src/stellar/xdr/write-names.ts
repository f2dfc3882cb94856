/** Pure: the names of accounts and assets as XDR. Layout: Stellar-ledger-entries.x. */
import { strict as assert } from 'node:assert';
import { publicKeyOf } from '../address.ts';
import { isAssetCode } from '../asset.ts';
import type { Asset } from '../stellar.ts';
import type { XdrWriter } from './xdr-writer.ts';

const KEY_TYPE = { ed25519: 0, muxed_ed25519: 0x100 };
const ASSET_TYPE = { native: 0, alphanum4: 1, alphanum12: 2 };

/** Writes an Asset; null is XLM. A code is filled with zeros to 4 or 12 bytes. */
export function writeAsset(xdr: XdrWriter, asset: Asset | null): void {
  if (asset === null) {
    xdr.uint32(ASSET_TYPE.native);
    return;
  }
  assert(isAssetCode(asset.code));
  const [type, bytes] =
    asset.code.length <= 4 ? [ASSET_TYPE.alphanum4, 4] : ([ASSET_TYPE.alphanum12, 12] as const);
  const code = Buffer.alloc(bytes);
  code.write(asset.code, 'latin1');
  writeAccount(xdr.uint32(type).opaque(code), publicKeyOf(asset.issuer));
}

/** Writes a MuxedAccount. Without an id its bytes are the same as those of an AccountID. */
export function writeAccount(xdr: XdrWriter, public_key: Buffer, muxed_id: bigint | null = null): void {
  assert.equal(public_key.length, 32);
  if (muxed_id === null) xdr.uint32(KEY_TYPE.ed25519);
  else xdr.uint32(KEY_TYPE.muxed_ed25519).uint64(muxed_id);
  xdr.opaque(public_key);
}
