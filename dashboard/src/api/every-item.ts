type Page<Item> = { items: Item[]; next_cursor: string | null };

/** The items of every page of a list, in order. `readPage` asks for one page. */
export async function everyItem<Item>(
  readPage: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await readPage({ limit: 200, ...(cursor ? { cursor } : {}) });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor);
  return items;
}
