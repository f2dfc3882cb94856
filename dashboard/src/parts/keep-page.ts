import { useBlocker } from '@tanstack/react-router';

const ALWAYS = () => true;

/** While it `holds` no step back leaves the page, and the browser asks before it does: what is shown once would be lost. */
export function useKeepPage(holds: boolean): void {
  useBlocker({ shouldBlockFn: ALWAYS, disabled: !holds, enableBeforeUnload: holds });
}
