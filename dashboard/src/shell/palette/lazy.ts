/** The palette and the list of shortcuts. Their code is loaded after the first page. */
import { lazyRouteComponent } from '@tanstack/react-router';

export const Palette = lazyRouteComponent(() => import('./palette.tsx'), 'Palette');
export const Shortcuts = lazyRouteComponent(() => import('./shortcuts.tsx'), 'Shortcuts');

/** Loads both, so that they open while the service is down. */
export function loadPalette(): void {
  void Palette.preload?.();
  void Shortcuts.preload?.();
}
