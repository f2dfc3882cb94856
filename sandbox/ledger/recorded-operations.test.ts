import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Networks } from '@stellar/stellar-sdk/base';
import { afterOurs, afterTheirs, encodeEvents, encodeResult, reapply } from '../testing/reapply.ts';
import { recordedOperations, recording } from '../testing/recorded-operations.ts';
import { AssetContracts } from './events.ts';

/** All types that change entries, without trades, contracts and pools. */
const TYPES = [0, 1, 5, 6, 7, 8, 10, 11, 14, 15, 19, 20, 21];

const contracts = new AssetContracts(Networks.PUBLIC);

const pubnet = recording('wallet-backend');
describe('operations of the public network', pubnet, () => {
  const recorded = [...recordedOperations(pubnet.folder, Networks.PUBLIC, TYPES)].filter(
    ({ body }) => body.type !== 6 || body.changeTrustOp.line.type !== 3,
  );

  test('applied to the same entries, give the same results, entries and events', () => {
    const kinds = Map.groupBy(recorded, ({ body }) => body.type);
    for (const type of [0, 1, 5, 6, 7, 14, 19] as const) assert.ok(kinds.has(type), `none of type ${type}`);
    assert.ok(recorded.length > 400, `${recorded.length} operations`);
    for (const operation of recorded) {
      const { result, changes, events } = reapply(operation, contracts, 0n);
      assert.equal(encodeResult(result), encodeResult(operation.result), operation.name);
      assert.deepEqual(afterOurs(changes), afterTheirs(operation.meta.changes), operation.name);
      assert.deepEqual(events, encodeEvents(operation.meta.events), operation.name);
    }
  });
});

const FOLDERS = ['BeginSponsoringFutureReservesTests', 'MergeTests', 'TxEnvelopeTests', 'TxResultsTests'];
for (const name of FOLDERS) {
  const own = recording(`stellar-horizon/${name}`);
  test(`stellar-core's own ${name} give the same results`, own, () => {
    const recorded = [...recordedOperations(own.folder, '', TYPES)];
    assert.ok(recorded.length > 0);
    for (const operation of recorded) {
      const { result, changes } = reapply(operation, contracts, 0n);
      assert.equal(encodeResult(result), encodeResult(operation.result), operation.name);
      assert.deepEqual(afterOurs(changes), afterTheirs(operation.meta.changes), operation.name);
    }
  });
}
