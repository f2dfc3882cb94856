import type { Deps } from '../../deps.ts';
import type { ChannelGrowth } from '../engine/hooks.ts';
import { growPool } from './channels.ts';

/** The pause after a failure. It doubles with each further failure, up to LONGEST_PAUSE_MS. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Creates channels in the background when they are needed, on test networks, where friendbot pays for them. On the public
 * network an operator creates them: `teller channels create`.
 */
export function createChannelGrowth(deps: Deps): ChannelGrowth {
  const stopping = new AbortController();
  const automatic = deps.config.network !== 'public' && deps.config.channels_max > 0;
  const working = { report: (text: string) => deps.log.debug(text), signal: stopping.signal };
  let wanted = 0;
  let failures = 0;
  let not_before = 0;
  let growing: Promise<void> | null = null;

  async function grow(): Promise<void> {
    try {
      await growPool(deps, () => wanted, working);
      failures = 0;
      not_before = deps.clock.now().getTime() + PAUSE_MS;
    } catch (error) {
      const pause_ms = Math.min(PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS);
      not_before = deps.clock.now().getTime() + pause_ms;
      deps.log.warn(
        { err: error, pause_ms },
        'channel accounts could not be made; withdrawals continue without them',
      );
    }
    wanted = 0;
    growing = null;
  }

  return {
    ensureChannels(count) {
      if (!automatic || stopping.signal.aborted) return;
      if (!growing && deps.clock.now().getTime() < not_before) return;
      wanted = Math.max(wanted, count);
      growing ??= grow();
    },
    async stop() {
      stopping.abort();
      await growing;
    },
  };
}
