/** Makes and fills channels in the background. What fails is tried again, later and later. */
import type { Deps } from '../../deps.ts';
import type { ChannelGrowth } from '../engine/hooks.ts';
import { fillLowChannels, growPool } from './channels.ts';

/** The pause after a failure. It doubles with each further failure, up to LONGEST_PAUSE_MS. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Creates the background work on channels. New channels are made on test networks only, where friendbot pays for them. On the public
 * network an operator makes them: `teller channels create`. Channels are filled on every network.
 */
export function createChannelGrowth(deps: Deps): ChannelGrowth {
  const stopping = new AbortController();
  const automatic = deps.config.network !== 'public' && deps.config.channels_max > 0;
  const working = { report: (text: string) => deps.log.debug(text), signal: stopping.signal };
  let wanted = 0;

  const growing = createBackgroundWork(deps, NOT_MADE, async () => {
    try {
      await growPool(deps, () => wanted, working);
    } finally {
      wanted = 0;
    }
  });
  const filling = createBackgroundWork(deps, NOT_FILLED, () => fillLowChannels(deps, working));

  return {
    ensureChannels(count) {
      if (!automatic || stopping.signal.aborted || !growing.isOpen()) return;
      wanted = Math.max(wanted, count);
      growing.begin();
    },
    fillChannels() {
      if (!stopping.signal.aborted && filling.isOpen()) filling.begin();
    },
    async stop() {
      stopping.abort();
      await Promise.all([growing.ended(), filling.ended()]);
    },
  };
}

const NOT_MADE = 'channel accounts could not be made; withdrawals continue without them';
const NOT_FILLED =
  'channel accounts could not be filled; the fees of withdrawals are paid by fee-bumps until they are';

/** Creates work that runs once at a time, and after a pause again. `work` may throw: that is logged as `failure`. */
function createBackgroundWork(
  { clock, log }: Pick<Deps, 'clock' | 'log'>,
  failure: string,
  work: () => Promise<void>,
) {
  let failures = 0;
  let not_before_ms = 0;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    let pause_ms = PAUSE_MS;
    try {
      await work();
      failures = 0;
    } catch (error) {
      pause_ms = Math.min(PAUSE_MS * 2 ** failures++, LONGEST_PAUSE_MS);
      log.warn({ err: error, pause_ms }, failure);
    }
    not_before_ms = clock.now().getTime() + pause_ms;
    running = null;
  }

  return {
    /** Returns true while it runs, and once the pause after it is over. */
    isOpen: () => running !== null || clock.now().getTime() >= not_before_ms,
    begin(): void {
      running ??= run();
    },
    async ended(): Promise<void> {
      await running;
    },
  };
}
