/** Terminals with real shells of this computer: how fast much output passes, how soon a key is seen, and what stays in memory. */
import type { CDPSession, Locator, Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { residentKb } from '../measuring/processMemory.ts';
import { interleave } from '../measuring/rounds.ts';
import { quantile } from '../measuring/statistics.ts';
import { atLeast, atMost } from '../report.ts';
import type { PageBench } from './goals.ts';
import { onPage } from './hostPage.ts';

/** A line of 80 bytes with its end. */
const LINE = 'a line of a program that writes as much as it can, a few words and a number 4711'.slice(0, 79);

const pane = (page: Page, index = 0): Locator =>
  page.getByRole('region', { name: `Terminal ${index + 1} in This computer`, exact: true });

/** Opens one more shell of this computer, and waits for its prompt. */
async function openShell(page: Page): Promise<Locator> {
  await page
    .getByRole('main')
    .getByRole('button', { name: /^This computer/ })
    .click();
  const opened = pane(page);
  await prompted(opened);
  await opened.locator('.xterm-screen').click();
  return opened;
}

const prompted = (terminal: Locator): Promise<void> =>
  terminal
    .locator('.xterm-rows')
    .filter({ hasText: /[#$]\s*$/ })
    .waitFor();

/** Ends the shell of the pane with the focus, so that the next round begins without it. */
async function endShell(page: Page, terminal: Locator): Promise<void> {
  await page.keyboard.press('Control+u');
  await page.keyboard.type(' exit\n');
  await terminal.getByRole('status').filter({ hasText: 'The shell exited' }).waitFor();
  await page.getByRole('button', { name: /^Close the terminal/ }).click();
  await terminal.waitFor({ state: 'detached' });
}

interface Passed {
  /** Milliseconds until the last line was shown. */
  ms: number;
  /** The longest time between two frames meanwhile, in milliseconds. */
  longestFrameMs: number;
}

/** What passes between `act` and the moment when the element of `selector` shows `end`, by the clock of the page. */
async function watched(page: Page, selector: string, end: string, act: () => Promise<unknown>): Promise<Passed> {
  const watch = await page.evaluateHandle(
    ([wanted, text]) => {
      const passed = { ms: 0, longestFrameMs: 0 };
      return {
        done: new Promise<Passed>((resolve) => {
          let from = 0;
          let last = 0;
          addEventListener('keydown', ({ key, timeStamp }) => key === 'Enter' && (from ||= timeStamp), {
            capture: true,
          });
          addEventListener('click', ({ timeStamp }) => (from ||= timeStamp), { capture: true });
          const next = (): void => {
            const now = performance.now();
            if (from > 0 && last > 0) passed.longestFrameMs = Math.max(passed.longestFrameMs, now - last);
            last = now;
            if (from > 0 && document.querySelector(wanted)?.textContent.includes(text)) {
              passed.ms = now - from;
              resolve(passed);
            } else requestAnimationFrame(next);
          };
          requestAnimationFrame(next);
        }),
      };
    },
    [selector, end] as const,
  );
  await act();
  return watch.evaluate(({ done }) => done);
}

/** Megabytes a second, and the longest frame, while a shell writes so many lines. */
export async function terminalOutput({ board, rounds, hostPage, bare, lines }: PageBench): Promise<void> {
  const megabytes = (lines * (LINE.length + 1)) / 1e6;
  const frames: { shell: number[]; bare: number[] } = { shell: [], bare: [] };
  const { shell, peer } = await interleave('TERMINAL', rounds, {
    shell: () =>
      onPage(hostPage.newContext(), '/#/terminals', async (page) => {
        const terminal = await openShell(page);
        // In two pieces, so that the command itself does not look like its end.
        await page.keyboard.insertText(` yes '${LINE}' | head -n ${lines}; echo all-'written'`);
        const { ms, longestFrameMs } = await watched(page, '.xterm-rows', 'all-written', () =>
          page.keyboard.press('Enter'),
        );
        frames.shell.push(longestFrameMs);
        await endShell(page, terminal);
        return megabytes / (ms / 1000);
      }),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/lines?count=${lines}&line=${LINE}`, async (page) => {
        const { ms, longestFrameMs } = await watched(page, 'pre', 'all-written', () =>
          page.getByRole('button').click(),
        );
        frames.bare.push(longestFrameMs);
        return megabytes / (ms / 1000);
      }),
  });
  const what = `${lines.toLocaleString('en-US')} lines in a terminal`;
  board.add({ goal: 'TERMINAL', what, unit: 'MB/s', engine: shell, floor: atLeast(5) });
  board.add({
    goal: 'TERMINAL',
    what: `${what}, beside bare text`,
    unit: 'MB/s',
    engine: shell,
    peer: { name: 'text', values: peer },
  });
  board.add({
    goal: 'TERMINAL',
    what: `${what}, longest frame`,
    unit: 'ms',
    engine: frames.shell.slice(-rounds),
    floor: atMost(100),
  });
  board.add({
    goal: 'TERMINAL',
    what: `${what}, longest frame beside bare text`,
    unit: 'ms',
    engine: frames.shell.slice(-rounds),
    peer: { name: 'text', values: frames.bare.slice(-rounds) },
  });
}

/** Milliseconds from each key until the element of `selector` shows one letter more. */
async function echoDelays(page: Page, selector: string, keys: number): Promise<number[]> {
  const watch = await page.evaluateHandle((wanted) => {
    const delays: number[] = [];
    const element = document.querySelector(wanted);
    if (element === null) throw new Error(`The page has no ${wanted}.`);
    const letters = (): number => element.textContent.split('~').length;
    let shown = letters();
    let pressedAt: number | null = null;
    addEventListener('keydown', ({ timeStamp }) => (pressedAt = timeStamp), { capture: true });
    new MutationObserver(() => {
      if (pressedAt === null || letters() <= shown) return;
      delays.push(performance.now() - pressedAt);
      shown = letters();
      pressedAt = null;
    }).observe(element, { subtree: true, childList: true, characterData: true });
    return delays;
  }, selector);
  for (let key = 1; key <= keys; key++) {
    await page.keyboard.press('~');
    await page.waitForFunction(([delays, count]) => delays.length >= count, [watch, key] as const);
    await pause(20);
  }
  return watch.jsonValue();
}

const KEYS = 100;

/** The 95th of 100 delays from a key to its echo by the shell. */
export async function terminalEcho({ board, rounds, hostPage, bare }: PageBench): Promise<void> {
  const { shell, peer } = await interleave('ECHO', rounds, {
    shell: () =>
      onPage(hostPage.newContext(), '/#/terminals', async (page) => {
        const terminal = await openShell(page);
        const delays = await echoDelays(page, '.xterm-rows', KEYS);
        await endShell(page, terminal);
        return quantile(delays, 0.95);
      }),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/echo`, async (page) => {
        await page.getByRole('textbox').click();
        return quantile(await echoDelays(page, 'pre', KEYS), 0.95);
      }),
  });
  const what = 'from a key to its echo by the shell, p95';
  board.add({ goal: 'ECHO', what, unit: 'ms', engine: shell, floor: atMost(40) });
  board.add({
    goal: 'ECHO',
    what: `${what}, beside a bare request`,
    unit: 'ms',
    engine: shell,
    peer: { name: 'request', values: peer },
  });
}

/** Bytes of the heap of the page after a collection. */
async function heapBytes(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  return (await session.send('Runtime.getHeapUsage')).usedSize;
}

const PANES = 4;
/** What is read, while four panes run `top`, how often until the end. */
const READINGS = 12;
/** The first readings are those of a page that still fills its scrollback and its caches. */
const WARM_READINGS = 2;
/** What memory may grow by, from the first third of the readings to the last: what is within the noise of a collector. */
const FLAT = 1.1;

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The last third of readings beside the first. */
const growthOf = (values: readonly number[]): number => {
  const third = Math.ceil(values.length / 3);
  return meanOf(values.slice(-third)) / meanOf(values.slice(0, third));
};

/** The slope of the line that fits readings best which were taken every `minutes`, per hour. */
function slopeOf(values: readonly number[], minutes: number): number {
  const middle = (values.length - 1) / 2;
  const mean = meanOf(values);
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const run = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return (rise / run) * (60 / minutes);
}

/** How memory of page and host grows while four panes run `top`. */
export async function steadyMemory({ board, hostPage, topMinutes }: PageBench): Promise<void> {
  process.stderr.write(`TOP: ${topMinutes} minutes\n`);
  const readings = await onPage(hostPage.newContext(), '/#/terminals', async (page) => {
    await openShell(page);
    for (let index = 1; index < PANES; index++) {
      // Two beside each other, and each of them above another one.
      await page.getByRole('button', { name: index === 1 ? 'Split side by side' : 'Split top and bottom' }).click();
      await prompted(pane(page, index));
    }
    for (let index = 0; index < PANES; index++) {
      await pane(page, index).locator('.xterm-screen').click();
      await page.keyboard.type(' top -d 0.5\n');
      await pane(page, index).locator('.xterm-rows').filter({ hasText: 'top - ' }).waitFor();
    }
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.enable');
    const heap: number[] = [];
    const host: number[] = [];
    for (let reading = 0; reading < READINGS; reading++) {
      await pause((topMinutes * 60_000) / READINGS);
      if (reading < WARM_READINGS) continue;
      heap.push((await heapBytes(session)) / 1e6);
      host.push(residentKb(hostPage.host.pid) / 1000);
    }
    for (let index = 0; index < PANES; index++) {
      await pane(page, index).locator('.xterm-screen').click();
      await page.keyboard.type('q exit\n');
    }
    return { heap, host };
  });
  const what = `${PANES} panes with top, ${topMinutes} min`;
  for (const [name, values] of [
    ['page', readings.heap],
    ['host', readings.host],
  ] as const) {
    board.add({ goal: 'TOP', what: `${what}: memory of the ${name}`, unit: 'MB', engine: values });
    const slope = slopeOf(values, topMinutes / READINGS);
    board.add({ goal: 'TOP', what: `${what}: slope of the ${name}`, unit: 'MB/h', engine: [slope] });
    const growth = growthOf(values);
    board.add({
      goal: 'TOP',
      what: `${what}: growth of the ${name}`,
      unit: '×',
      engine: [growth],
      floor: atMost(FLAT),
    });
  }
}
