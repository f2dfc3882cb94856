import { type RefObject, useEffect, useRef } from 'react';
import { isLoneKey } from '../../components/pressed-key.ts';

const STEPS: Record<string, number> = { j: 1, k: -1 };

/** The keys in words, for the list of shortcuts. */
export const CARD_KEYS = [
  { keys: ['J'], words: 'Go to the next card' },
  { keys: ['K'], words: 'Go to the card before' },
  { keys: ['A'], words: 'Approve' },
  { keys: ['R'], words: 'Reject, or take back' },
];

type List = RefObject<HTMLElement | null>;

/**
 * While the focus is within a card of the list: lets J and K move it between the cards. Any other key presses the button of the card
 * with this `data-key`. Elsewhere on the page no key does anything, because people who speak to their machine type by mistake (WCAG 2.1.4).
 */
export function useCardKeys(list: List): void {
  useFocusThatStays(list);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.shiftKey || !isLoneKey(event)) return;
      const cards = cardsOf(list);
      const at = focusedOf(cards);
      if (at === -1) return;
      const key = event.key.toLowerCase();
      const step = STEPS[key];
      if (step === undefined)
        cards[at]?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.click();
      else cards[at + step]?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [list]);
}

/** Keeps the focus in the list when what had it goes with a decision: the next card is in its place. */
function useFocusThatStays(list: List): void {
  const last = useRef<{ element: Element; at: number } | null>(null);
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const at = focusedOf(cardsOf(list));
      if (at !== -1) last.current = { element: target as Element, at };
    };
    window.addEventListener('focusin', onFocus);
    return () => window.removeEventListener('focusin', onFocus);
  }, [list]);
  useEffect(() => {
    if (!last.current || last.current.element.isConnected || document.activeElement !== document.body) return;
    const cards = cardsOf(list);
    cards[Math.min(last.current.at, cards.length - 1)]?.focus();
  });
}

function cardsOf(list: List): HTMLElement[] {
  return [...(list.current?.children ?? [])] as HTMLElement[];
}

/** The place of the card that has the focus, or something in it; -1 for none. */
function focusedOf(cards: HTMLElement[]): number {
  return cards.findIndex((card) => card.contains(document.activeElement));
}
