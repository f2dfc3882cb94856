/** Measures how soon the dashboard is usable and how smoothly it scrolls, in the Chromium of the tests. */
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { launchChromium, whySkipped } from '../test/browser/chromium.ts';
import { WIDE } from '../test/browser/tab.ts';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';
import { machine, markdown, median, rounded } from './measure.ts';
import { startDatabases } from './withdrawals-world.ts';

const PROBE = join(import.meta.dirname, 'dashboard-probe.js');

/** Users see a longer frame as a jerk and feel a longer task. */
const SMOOTH_MS = 50;
const USABLE_MS = 1_000;
const PATIENCE_MS = 20_000;

export type DashboardOptions = {
  rounds: number;
  /** Deposits of the wallet. */
  rows: number;
};

export async function benchDashboard({ rounds, rows }: DashboardOptions): Promise<void> {
  const why = whySkipped();
  if (why) throw new Error(why);
  const databases = await startDatabases();
  try {
    const service = await startDashboardService(databases, rows);
    const browser = await launchChromium();
    try {
      console.log(`${machine()}; a wallet of ${rows.toLocaleString('en')} deposits\n`);
      console.log(await loads(browser, service, rounds));
      console.log(`\n${await scrolls(browser, service, rows)}`);
    } finally {
      await browser.close();
      await service.stop();
    }
  } finally {
    await databases.stop();
  }
}

/** A tab of a new browser with an empty cache. */
async function newTab(browser: Browser, service: DashboardService, signed_in: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: service.url, viewport: WIDE });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript({ path: PROBE });
  if (signed_in) {
    const { user, cookie } = service.session;
    // As from HTTPS: only then the browser takes such a cookie by this way. It sends the cookie to its own machine all the same.
    const url = service.url.replace('http:', 'https:');
    const attributes = { url, httpOnly: true, secure: true, sameSite: 'Strict' } as const;
    await context.addCookies([{ ...cookie, ...attributes }]);
    const mark = JSON.stringify({ user_id: user.id, at: Date.now() });
    await context.addInitScript(`localStorage.setItem('stellar-teller-signed-in', ${JSON.stringify(mark)})`);
  }
  return context.newPage();
}

/** `shown`: ms since the navigation. `bytes`: transferred, headers included, without answers of the API. */
type Load = { shown: Record<string, number>; files: number; bytes: number };

/** Measures the time from the navigation to usable content, in a new browser each time. */
async function loads(browser: Browser, service: DashboardService, rounds: number): Promise<string> {
  const measured: { sign_in: Load[]; overview: Load[] } = { sign_in: [], overview: [] };
  for (let round = 0; round <= rounds; round++) {
    const sign_in = await load(browser, service, { path: '/login', until: 'sign_in' });
    const overview = await load(browser, service, {
      path: `/wallets/${service.wallet_id}`,
      until: 'overview',
    });
    if (round === 0) continue; // warm-up of the service
    measured.sign_in.push(sign_in);
    measured.overview.push(overview);
  }
  const row = (what: string, of: Load[], name: string) => {
    const times = of.map(({ shown }) => shown[name] ?? Number.NaN);
    const [{ files, bytes } = { files: 0, bytes: 0 }] = of;
    const slowest = Math.max(...times);
    const range = `${rounded(Math.min(...times))} – ${rounded(slowest)} ms`;
    const sent = `${files} files, ${rounded(bytes / 1000)} kB`;
    return [
      what,
      `${rounded(median(times))} ms`,
      range,
      `< ${USABLE_MS} ms`,
      verdict(slowest < USABLE_MS),
      sent,
    ];
  };
  return markdown(
    ['cold load', 'median', 'range', 'wanted', '', 'sent'],
    [
      row('sign-in form', measured.sign_in, 'sign_in'),
      row('overview, its balance', measured.overview, 'balance'),
      row('overview, all figures and the chart', measured.overview, 'overview'),
    ],
  );
}

async function load(
  browser: Browser,
  service: DashboardService,
  { path, until }: { path: string; until: string },
): Promise<Load> {
  const page = await newTab(browser, service, until !== 'sign_in');
  await page.goto(path);
  const load = (await page.evaluate(`probe.loaded('${until}')`)) as Load;
  await page.context().close();
  return load;
}

type Frames = { frames_ms: number[]; longest_task_ms: number; nodes: number };
/** `cpu_ms`: CPU time of the page's main thread per frame. */
type Measured = Frames & { cpu_ms: number };

/** Scrolls through the list of transactions, during loading and afterwards. */
async function scrolls(browser: Browser, service: DashboardService, rows: number): Promise<string> {
  const page = await newTab(browser, service, true);
  await page.goto(`/wallets/${service.wallet_id}/transactions`);
  await page.locator('.infinite-table tbody tr').nth(10).waitFor();
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const heap_before = await heapMiB(devtools);
  const measure = async (call: string): Promise<Measured> => {
    const before_s = await metric(devtools, 'TaskDuration');
    const frames = (await page.evaluate(`probe.${call}`)) as Frames;
    const passed_ms = 1000 * ((await metric(devtools, 'TaskDuration')) - before_s);
    return { ...frames, cpu_ms: passed_ms / frames.frames_ms.length };
  };

  const to_the_end = await measure('toTheEnd()');
  const heap_after = await heapMiB(devtools);
  const over_all = await measure(`scroll({ count: 600, px: ${Math.ceil((rows * 57) / 600)}, top: 0 })`);
  const in_the_middle = await measure(
    'scroll({ count: 600, px: 100, top: document.documentElement.scrollHeight / 2 })',
  );
  const news = setInterval(() => void service.deposit().catch(() => undefined), 1_500);
  const at_the_newest = await measure('stay({ count: 600 })');
  clearInterval(news);
  await page.context().close();

  const table = markdown(
    [
      'scrolling',
      'frames',
      'CPU for a frame',
      'median frame',
      'longest',
      'over 50 ms',
      'longest task',
      'wanted: none over 50 ms',
      'elements',
    ],
    [
      scrollRow('down to the end, while the pages come', to_the_end),
      scrollRow('over all rows in 600 frames', over_all),
      scrollRow('in the middle, 100 px in each frame', in_the_middle),
      scrollRow('at the newest, a deposit every 1.5 s', at_the_newest),
    ],
  );
  return `${table}\n\nJavaScript heap: ${rounded(heap_before)} MiB with the first page, ${rounded(heap_after)} MiB with all rows`;
}

function scrollRow(what: string, { frames_ms, longest_task_ms, nodes, cpu_ms }: Measured) {
  const jerks = frames_ms.filter((ms) => ms > SMOOTH_MS).length;
  return [
    what,
    frames_ms.length,
    `${rounded(cpu_ms)} ms`,
    `${rounded(median(frames_ms))} ms`,
    `${rounded(Math.max(...frames_ms))} ms`,
    jerks,
    longest_task_ms === 0 ? '≤ 50 ms' : `${rounded(longest_task_ms)} ms`,
    verdict(jerks === 0 && longest_task_ms <= SMOOTH_MS),
    nodes,
  ];
}

/** The used heap after a garbage collection. */
async function heapMiB(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await metric(devtools, 'JSHeapUsedSize')) / 2 ** 20;
}

async function metric(devtools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

const verdict = (met: boolean) => (met ? 'met' : 'missed');
