/**
 * Whether somebody uses the page. The pages ask the service every few seconds by themselves: without this a session would never
 * end on a screen that nobody looks at.
 */
const ACTIVE_MS = 60_000;

/** Opening the page is a use. */
let last_ms = Date.now();

/** `page`: the window of this tab. */
export function watchActivity(page: EventTarget): void {
  const note = () => {
    last_ms = Date.now();
  };
  for (const kind of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
    page.addEventListener(kind, note, { capture: true, passive: true });
}

/** Whether a person has moved, pressed or typed anything in this tab within the last minute. */
export function isActive(): boolean {
  return Date.now() - last_ms < ACTIVE_MS;
}
