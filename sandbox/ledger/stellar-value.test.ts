import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { xdr } from '@stellar/stellar-sdk/base';
import { START_S, TestNetwork } from '../testing/test-network.ts';
import { sha256 } from './bytes.ts';
import { encodeHeader } from './close.ts';
import { verifySignature } from './ed25519.ts';
import { closeTimeMs, stellarValue } from './stellar-value.ts';
import { networkId } from './transaction.ts';
import { transactionSetXdr } from './transaction-set.ts';
import { int64, uint32 } from './wire.ts';

type Arm = { v: number } & Partial<Record<string, { closeTimeMs: bigint; lcValueSignature: Signature }>>;
type Signature = { nodeId: { ed25519: Uint8Array }; signature: Uint8Array };

/** The arm of a header, with those that the SDK's types lack. */
const armOf = ({ scpValue }: xdr.LedgerHeaderWire) => scpValue.ext as unknown as Arm;

const VECTORS = join(import.meta.dirname, '../testing/recordings/protocol-30');

/** Headers that another implementation encoded: see the folder's README. */
function vectors(): { header: xdr.LedgerHeaderWire; hash: Uint8Array; arm: number }[] {
  const ledgers = JSON.parse(readFileSync(join(VECTORS, 'ledgers.json'), 'utf8')) as {
    header_entry_xdr: string;
    arm: number;
  }[];
  return ledgers.map(({ header_entry_xdr, arm }) => {
    const bytes = Buffer.from(header_entry_xdr, 'base64');
    const { header, hash } = xdr.LedgerHeaderHistoryEntry.schema.decode(bytes);
    return { header, hash, arm };
  });
}

describe('the value of a header', () => {
  test('has the bytes that another implementation gives it, for each arm', () => {
    const ledgers = vectors();
    assert.deepEqual([...new Set(ledgers.map(({ arm }) => arm))].toSorted(), [1, 3, 4]);
    for (const [index, { header, hash, arm }] of ledgers.entries()) {
      const previous = ledgers[index - 1];
      if (previous === undefined) continue;
      const { ext } = header.scpValue;
      const [content] = Object.values(ext).filter((field) => typeof field === 'object');
      const dropped = arm === 4;
      const scpValue = stellarValue(
        previous,
        {
          txSetHash: dropped ? content.txSetHash : header.scpValue.txSetHash,
          closeTimeMs: closeTimeMs(header),
          upgrades: header.scpValue.upgrades,
          dropped,
        },
        () => content.lcValueSignature ?? content,
      );
      assert.deepEqual(
        sha256(encodeHeader({ ...header, scpValue })),
        Buffer.from(hash),
        `${header.ledgerSeq}`,
      );
    }
  });

  test('of a dropped transaction set is that of stellar-core’s own test', () => {
    const frame = readFileSync(join(VECTORS, 'core-empty-tx-set.xdr'));
    const meta = xdr.LedgerCloseMeta.schema.decode(frame.subarray(4));
    assert.ok(meta.v === 2);
    const { header, hash } = meta.v2.ledgerHeader;
    const { ext, closeTime, upgrades } = header.scpValue;
    assert.ok(ext.v === 2);
    const { txSetHash, previousLedgerVersion, lcValueSignature } = ext.proposedValue;
    const previous = {
      header: { ...header, ledgerVersion: previousLedgerVersion },
      hash: header.previousLedgerHash,
    };
    const agreed = { txSetHash, closeTimeMs: closeTime * 1000n, upgrades, dropped: true };
    const scpValue = stellarValue(previous, agreed, () => lcValueSignature);
    assert.deepEqual(sha256(encodeHeader({ ...header, scpValue })), Buffer.from(hash));
    const set = transactionSetXdr(header.previousLedgerHash, 100n, []);
    assert.deepEqual(xdr.GeneralizedTransactionSet.schema.decode(set), meta.v2.txSet);
  });

  test('has rising milliseconds: those of the clock, or one more than in the ledger before', async () => {
    const net = new TestNetwork({ step_ms: 1 });
    await net.clock.advance(300);
    const headers = [net.close(), net.close(), net.close()].map(({ header }) => header);
    await net.clock.advance(699);
    headers.push(net.close().header);
    const since = headers.map((header) => Number(closeTimeMs(header)) - START_S * 1000);
    assert.deepEqual(since, [300, 301, 302, 999]);
    assert.deepEqual(new Set(headers.map(({ scpValue }) => Number(scpValue.closeTime))), new Set([START_S]));
    assert.deepEqual(new Set(headers.map((header) => armOf(header).v)), new Set([3]));
  });

  test('is signed by the validator of the network', () => {
    const net = new TestNetwork();
    const { header } = net.close();
    const { closeTimeMs: time, lcValueSignature } = armOf(header).signedMsValue ?? assert.fail();
    const signed = [networkId(net.network.options.passphrase), uint32(4), header.scpValue.txSetHash];
    const { nodeId, signature } = lcValueSignature;
    assert.ok(verifySignature(signature, Buffer.concat([...signed, int64(time)]), nodeId.ed25519));
  });
});
