/** Where a key is typed, or belongs to what is open. */
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** Returns whether the key was pressed alone, and outside of fields, dialogs and menus. Shift is allowed: `?` needs it. */
export function isLoneKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  return !(event.target instanceof Element && event.target.closest(ELSEWHERE));
}
