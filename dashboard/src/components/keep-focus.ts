import type { MouseEvent } from 'react';

/**
 * For the container of a form's buttons. Without it a press on a button blurs a field, whose error then moves the
 * button away before the release: no click.
 */
export const KEEP_FOCUS_ON_PRESS = { onMouseDown: (event: MouseEvent) => event.preventDefault() };
