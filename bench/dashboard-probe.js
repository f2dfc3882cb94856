/** Runs in the page before its own scripts: measures when the awaited content appears, and how long frames and tasks take. */

const shown = {};
const tasks_ms = [];
globalThis.probe = { loaded, scroll, toTheEnd, stay };

const has = (selector) => document.querySelector(selector) !== null;
const CONDITIONS = {
  sign_in: () => has('[name=password]'),
  balance: () => has('main .figures'),
  overview: () =>
    has('main [aria-label="Deposits and withdrawals by day"]') &&
    !has('main .mantine-Skeleton-root, main [aria-busy=true]'),
};

// Content that exists in one frame is painted by the next.
const there = new Set();
function look() {
  for (const [name, isThere] of Object.entries(CONDITIONS)) {
    if (there.has(name)) shown[name] ??= performance.now();
    else if (isThere()) there.add(name);
  }
  if (performance.now() < 10_000) requestAnimationFrame(look);
}
requestAnimationFrame(look);

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) tasks_ms.push(duration);
}).observe({ type: 'longtask' });

/** Gives the times at which `name` and earlier content appeared, in ms since the navigation, and the transfer until then. */
async function loaded(name) {
  while (shown[name] === undefined) await frame();
  const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const own = all.filter((entry) => !new URL(entry.name).pathname.startsWith('/v1/'));
  return { shown, files: own.length, bytes: own.reduce((sum, { transferSize }) => sum + transferSize, 0) };
}

/** Calls `step` in each frame until it returns 'done'. */
async function frames(step) {
  tasks_ms.length = 0;
  const frames_ms = [];
  let before = await frame();
  while (step(frames_ms.length) !== 'done') {
    const now = await frame();
    frames_ms.push(now - before);
    before = now;
  }
  await frame();
  return {
    frames_ms,
    longest_task_ms: Math.max(0, ...tasks_ms),
    nodes: document.querySelectorAll('*').length,
  };
}

const frame = () => new Promise(requestAnimationFrame);

/** Scrolls by `px` in each of `count` frames, from `top`. */
function scroll({ px, count, top }) {
  window.scrollTo(0, top);
  return frames((number) => {
    if (number === count) return 'done';
    window.scrollBy(0, px);
  });
}

/** Scrolls to the end of the loaded rows until the table has all of them. */
function toTheEnd() {
  return frames(() => {
    if (document.querySelector('.endless-table[aria-rowcount="-1"]') === null) return 'done';
    window.scrollTo(0, document.documentElement.scrollHeight);
  });
}

/** Stays at the newest rows for `count` frames. */
function stay({ count }) {
  window.scrollTo(0, 0);
  return frames((number) => (number === count ? 'done' : undefined));
}
