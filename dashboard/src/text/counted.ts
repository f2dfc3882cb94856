/** Returns so many things in words: `1 row`, `2 rows`. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${count} ${Number(count) === 1 ? one : many}`;
}
