/** Pure: reads the address of the page. */
export function readPayeesSearch({ search }: { search?: unknown }): { search?: string } {
  return typeof search === 'string' && search !== '' ? { search: search.slice(0, 100) } : {};
}
