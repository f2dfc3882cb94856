/** Pure: which list is shown, as a search parameter. */
export type ApprovalsSearch = { tab?: 'decided' };

/** Ignores a tab that is unknown: then the page shows what waits. */
export function readApprovalsSearch({ tab }: Record<string, unknown>): ApprovalsSearch {
  return tab === 'decided' ? { tab } : {};
}
