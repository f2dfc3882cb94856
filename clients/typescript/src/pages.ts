/** A page of a list, newest first. `next_cursor` is null on the last one. */
export type Page<T> = { items: T[]; next_cursor: string | null };

/**
 * A list: `for await (const item of list)` reads page after page while it is needed. `pages()` gives whole pages,
 * `first()` the first one, and `all()` everything.
 */
export class Pages<T> implements AsyncIterable<T> {
  readonly #read: (cursor: string | undefined) => Promise<Page<T>>;

  /** `read`: the page at a cursor; undefined is the first one. */
  constructor(read: (cursor: string | undefined) => Promise<Page<T>>) {
    this.#read = read;
  }

  first(): Promise<Page<T>> {
    return this.#read(undefined);
  }

  /**
   * Every item, for a list that is known to be short.
   * @param at_most how many there may be; absent: any number, which must fit into memory
   * @throws RangeError where there are more than `at_most`; no further page is read then
   */
  async all({ at_most = Number.POSITIVE_INFINITY }: { at_most?: number } = {}): Promise<T[]> {
    const items: T[] = [];
    for await (const page of this.pages()) {
      items.push(...page.items);
      if (items.length > at_most) throw new RangeError(`The list has more than ${at_most} items.`);
    }
    return items;
  }

  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.#read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }
}
