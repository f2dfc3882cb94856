import { type RefObject, useEffect, useRef } from 'react';

/** Where a key is typed, or belongs to what is open. */
const ELSEWHERE = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
const STEPS: Record<string, number> = { j: 1, k: -1 };

/**
 * Lets J and K move the focus between the cards of a list. Any other key presses the button of the focused card with this
 * `data-key`.
 */
export function useCardKeys(list: RefObject<HTMLElement | null>): void {
  const last = useRef(-1);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
      if ((event.target as Element).closest(ELSEWHERE) || document.querySelector('[role="dialog"]')) return;
      const cards = [...(list.current?.children ?? [])] as HTMLElement[];
      const at = cards.findIndex((card) => card.contains(document.activeElement));
      const key = event.key.toLowerCase();
      const step = STEPS[key];
      if (step === undefined) {
        cards[at]?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.click();
        return;
      }
      // The focused card may have gone with its decision: the next one is in its place.
      const next = at === -1 ? Math.max(last.current + Math.min(step, 0), 0) : at + step;
      const card = cards[Math.min(Math.max(next, 0), cards.length - 1)];
      if (!card) return;
      last.current = cards.indexOf(card);
      card.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list]);
}
