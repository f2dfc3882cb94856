import type { NavigateOptions, RegisteredRouter } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';

/** What an entry opens: a page, or a dialog above the page that is shown. */
export type Target =
  | { link: NavigateOptions<RegisteredRouter> }
  | { dialog: ComponentType<{ walletId: string; onClose: () => void }> };

/** A line of the palette. */
export type Entry = {
  key: string;
  group: string;
  label: ReactNode;
  /** The second line; empty for none. */
  detail: ReactNode;
  icon: ComponentType<{ size: number; stroke: number }>;
  target: Target;
};
