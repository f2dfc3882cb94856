import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { type ListPage, withNewest, withOlder } from '../../dashboard/src/components/infinite-list.ts';

type Row = { id: string; status?: string };

function list(ids: string, next_cursor: string | null): ListPage<Row> {
  return { items: ids.split('').map((id) => ({ id })), next_cursor };
}

const ids = ({ items }: ListPage<Row>) => items.map(({ id }) => id).join('');

describe('An infinite list', () => {
  it('takes up what is new above what is known, and goes on where it would have', () => {
    const after = withNewest(list('hgfedc', 'c'), list('jihg', 'g'));
    assert.equal(ids(after), 'jihgfedc');
    assert.equal(after.next_cursor, 'c');
  });

  it('shows a known row as it is now', () => {
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

  it('stays the very same when nothing is different, amounts included', () => {
    const page = (amount_stroops: bigint) => ({ items: [{ id: 'd', amount_stroops }], next_cursor: 'd' });
    const known = { ...page(2n ** 62n), next_cursor: 'a' };
    assert.equal(withNewest(known, page(2n ** 62n)), known);
    assert.notEqual(withNewest(known, page(2n ** 62n + 1n)), known);
  });

  it('drops a row that is no longer among those that are asked for', () => {
    assert.equal(ids(withNewest(list('fedcb', 'b'), list('fdc', 'c'))), 'fdcb');
  });

  it('starts anew rather than leave a gap, when more is new than one page holds', () => {
    const newest = list('zyx', 'x');
    assert.deepEqual(withNewest(list('cba', null), newest), newest);
  });

  it('starts anew rather than show a row twice, when the page ends below the known rows', () => {
    const newest = list('fdba', 'a');
    assert.deepEqual(withNewest(list('fedc', 'c'), newest), newest);
  });

  it('is the first page alone when that is all there is', () => {
    assert.equal(ids(withNewest(list('cba', null), list('cb', null))), 'cb');
    assert.equal(ids(withNewest(list('cba', null), list('', null))), '');
  });

  it('goes on with an older page', () => {
    const after = withOlder(list('fed', 'd'), 'd', list('cb', 'b'));
    assert.equal(ids(after), 'fedcb');
    assert.equal(after.next_cursor, 'b');
  });

  it('takes no page twice, and none that was asked for before it started anew', () => {
    const once = withOlder(list('fed', 'd'), 'd', list('cb', 'b'));
    assert.equal(withOlder(once, 'd', list('cb', 'b')), once);
  });
});
