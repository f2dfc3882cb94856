import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { NoAnswer, xdrBytes } from './answers.ts';

test('property: base64 of any bytes is read, and text with other characters is refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      assert.deepEqual(new Uint8Array(xdrBytes('test', text)), bytes);
      for (const other of ['\n', ' ', '!', '=', '\u00e9', '\n\n\n\n', 'A=', '====']) {
        for (const at of [0, text.length >> 1, text.length]) {
          const spoilt = text.slice(0, at) + other + text.slice(at);
          assert.throws(() => xdrBytes('test', spoilt), NoAnswer, JSON.stringify(spoilt));
        }
      }
      if (text.length > 0) assert.throws(() => xdrBytes('test', text.slice(0, -1)), NoAnswer);
    }),
  );
});
