import type { MouseEvent } from 'react';

/**
 * For what holds the buttons of a form whose fields are judged when they are left. A press would take the focus from the
 * field, and what is then told there would push the button away before it is released: nothing would be clicked.
 */
export const KEEP_FOCUS_ON_PRESS = { onMouseDown: (event: MouseEvent) => event.preventDefault() };
