import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { isLoneKey } from '../../components/pressed-key.ts';

type Asked = 'search' | 'shortcuts' | null;

const KEYS: Record<string, Asked> = { '/': 'search', '?': 'shortcuts' };

/** Whether `/` and `?` do something: people who speak to their machine type by mistake, and turn them off (WCAG 2.1.4). */
export function useLoneKeys() {
  return useLocalStorage({ key: 'lone-keys', defaultValue: true, getInitialValueInEffect: false });
}

/** What is open above the page. Ctrl-K, or ⌘K on a Mac, opens the search; `/` opens it, and `?` the list of shortcuts. */
export function useAsked(): [Asked, (asked: Asked) => void] {
  const [asked, ask] = useState<Asked>(null);
  const [lone_keys] = useLoneKeys();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const next = isPaletteKey(event)
        ? 'search'
        : lone_keys && isLoneKey(event)
          ? KEYS[event.key]
          : undefined;
      if (!next) return;
      // A dialog may show a key once, or ask whether to pay: nothing opens above it.
      if (document.querySelector('[role="dialog"]')) return;
      event.preventDefault(); // Firefox has these keys for itself
      ask(next);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [lone_keys]);
  return [asked, ask];
}

/** Returns whether it is Ctrl-K, or ⌘K on a Mac. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return (
    key.toLowerCase() === 'k' && !altKey && !shiftKey && (IS_MAC ? metaKey && !ctrlKey : ctrlKey && !metaKey)
  );
}

const IS_MAC = /^(Mac|iP)/.test(navigator.platform);

export const PALETTE_KEYS = IS_MAC ? ['⌘', 'K'] : ['Ctrl', 'K'];
