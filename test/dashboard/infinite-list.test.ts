import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type ListPage, withNewest, withOlder } from '../../dashboard/src/components/infinite-list.ts';

type Row = { id: string; status?: string };

function list(ids: string, next_cursor: string | null): ListPage<Row> {
  return { items: ids.split('').map((id) => ({ id })), next_cursor };
}

const ids = ({ items }: ListPage<Row>) => items.map(({ id }) => id).join('');

describe('An infinite list', () => {
  it('adds new rows at the top and continues at the same cursor', () => {
    const after = withNewest(list('hgfedc', 'c'), list('jihg', 'g'));
    assert.equal(ids(after), 'jihgfedc');
    assert.equal(after.next_cursor, 'c');
  });

  it('has a row once that has come to the top from further down', () => {
    const after = withNewest(list('hgfedc', 'c'), list('dhg', 'g'));
    assert.equal(ids(after), 'dhgfec');
    assert.equal(after.next_cursor, 'c');
  });

  it('updates a known row', () => {
    const newest: ListPage<Row> = {
      items: [{ id: 'd', status: 'confirmed' }, { id: 'c' }],
      next_cursor: 'c',
    };
    const known: ListPage<Row> = {
      items: [{ id: 'd', status: 'pending' }, { id: 'c' }, { id: 'b' }],
      next_cursor: 'b',
    };
    assert.deepEqual(withNewest(known, newest).items[0], { id: 'd', status: 'confirmed' });
  });

  it('stays the same object if nothing changed, amounts included', () => {
    const page = (amount_stroops: bigint) => ({ items: [{ id: 'd', amount_stroops }], next_cursor: 'd' });
    const known = { ...page(2n ** 62n), next_cursor: 'a' };
    assert.equal(withNewest(known, page(2n ** 62n)), known);
    assert.notEqual(withNewest(known, page(2n ** 62n + 1n)), known);
  });

  it('drops a row that no longer matches the filter', () => {
    assert.equal(ids(withNewest(list('fedcb', 'b'), list('fdc', 'c'))), 'fdcb');
  });

  it('starts again rather than leave a gap, if more rows are new than one page holds', () => {
    const newest = list('zyx', 'x');
    assert.deepEqual(withNewest(list('cba', null), newest), newest);
  });

  it('starts again rather than show a row twice, if the page ends below the known rows', () => {
    const newest = list('fdba', 'a');
    assert.deepEqual(withNewest(list('fedc', 'c'), newest), newest);
  });

  it('is the first page alone if there is no other', () => {
    assert.equal(ids(withNewest(list('cba', null), list('cb', null))), 'cb');
    assert.equal(ids(withNewest(list('cba', null), list('', null))), '');
  });

  it('appends an older page', () => {
    const after = withOlder(list('fed', 'd'), 'd', list('cb', 'b'));
    assert.equal(ids(after), 'fedcb');
    assert.equal(after.next_cursor, 'b');
  });

  it('appends no page twice, and none requested before it started again', () => {
    const once = withOlder(list('fed', 'd'), 'd', list('cb', 'b'));
    assert.equal(withOlder(once, 'd', list('cb', 'b')), once);
  });
});
