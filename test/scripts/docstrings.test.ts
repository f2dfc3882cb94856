import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { describeDocstring, findWithoutVerbs } from '../../scripts/docstrings.ts';

const FILE = 'src/room/example.ts';

const found = (text: string) => findWithoutVerbs(FILE, text).map(({ line, words }) => [line, words]);

test('a docstring of a function, a method or a function constant that begins with no verb is found', () => {
  const texts = [
    '/** The last row. */\nexport function last() {}',
    '/**\n * The last row.\n * Returns it.\n */\nasync function last() {}',
    '/** The last row. */\nexport const last = () => 1;',
    'type Rows = {\n  /** The last row. */ last(): number };',
    'class Rows {\n  /** The last row. */\n  last() {}\n}',
    'const rows = {\n  /** The last row. */\n  last: () => 1,\n};',
  ];
  for (const text of texts) {
    const line = text.startsWith('/') ? 1 : 2;
    assert.deepEqual(found(text), [[line, 'The last row.']], text);
  }
  assert.deepEqual(found('/** Rows of a table. */\nfunction rows() {}'), [[1, 'Rows of a table.']]);
  assert.deepEqual(found('/** Gives the last row. */\nfunction last() {}'), [[1, 'Gives the last row.']]);
  assert.deepEqual(found('/** Whether it is the last row. */\nfunction isLast() {}'), [
    [1, 'Whether it is the last row.'],
  ]);
});

test('a docstring that begins with a verb, one of tags alone, and one of a type or a constant pass', () => {
  const texts = [
    '/** Returns the last row. */\nfunction last() {}',
    '/**\n * Reads, and checks, the last row.\n */\nfunction last() {}',
    '/** Pure: checks the last row. */\nfunction last() {}',
    '/** @throws Error without a row */\nfunction last() {}',
    '// The last row.\nfunction last() {}',
    '/** The last row. */\nconst last = 1;',
    '/** A row. */\ntype Row = { /** The number of the row. */ number: bigint };',
  ];
  for (const text of texts) assert.deepEqual(found(text), [], text);
});

test('a docstring is refused with its line and words', () => {
  const [without = assert.fail()] = findWithoutVerbs(FILE, '/** The last row. */\nfunction last() {}');
  assert.match(describeDocstring(without), /^src[/]room[/]example[.]ts:1: "The last row[.]" is no verb/);
});
