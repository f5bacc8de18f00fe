/** What a person waits for on the page, each beside a bare page of the same kind. */
import type { Page } from '@playwright/test';
import { setTimeout as pause } from 'node:timers/promises';
import { JobsPage } from '../../e2e/pages/jobsPage.ts';
import { RunPage } from '../../e2e/pages/runPage.ts';
import { makeEndpoint } from '../../e2e/support/handlers.ts';
import { startHost } from '../../e2e/support/host.ts';
import { interleave } from '../measuring/rounds.ts';
import { quantile } from '../measuring/statistics.ts';
import { atLeast, atMost, type Board } from '../report.ts';
import type { BareServer } from './barePages.ts';
import { msUntilShown, onPage, type HostPage } from './hostPage.ts';
import { startPlainBrowser } from './plainBrowser.ts';

export interface PageBench {
  readonly board: Board;
  readonly rounds: number;
  readonly hostPage: HostPage;
  readonly bare: BareServer;
  /** For how long a stream runs and a list is scrolled, in seconds. */
  readonly streamSeconds: number;
  readonly scrollSeconds: number;
  /** The size of the file that is uploaded. */
  readonly uploadMb: number;
  /** What a shell writes. */
  readonly lines: number;
  /** For how long four panes run `top`. */
  readonly topMinutes: number;
}

/** Compressed bytes that a browser loads before the page shows its first view. */
export async function firstLoad({ board, rounds, hostPage }: PageBench): Promise<void> {
  const bytes = async (): Promise<number> => {
    const context = await hostPage.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let sum = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (sum += encodedDataLength));
    await page.goto('/#/home');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await context.close();
    return sum / 1000;
  };
  const { load } = await interleave('LOAD', rounds, { load: bytes });
  board.add({ goal: 'LOAD', what: 'first view of Home, compressed', unit: 'KB', engine: load });
}

const THROTTLE = 4;

/** Milliseconds from the navigation until the shell of Run can be used, with a processor that is four times slower. */
export async function readiness({ board, rounds, bare }: PageBench): Promise<void> {
  // A sign-in link is good for one browser.
  const host = await startHost();
  await using _host = { [Symbol.asyncDispose]: host.stop };
  await using browser = await startPlainBrowser(host.link, 'main h1');
  const { shell, peer } = await interleave('READY', rounds, {
    shell: () => browser.msUntilReady(`${host.page}/#/run`, 'main h1', THROTTLE),
    peer: () => browser.msUntilReady(`${bare.address}/form`, 'button:enabled', THROTTLE),
  });
  const what = `shell of Run, ${THROTTLE}× slower processor`;
  board.add({ goal: 'READY', what, unit: 'ms', engine: shell, floor: atMost(1000) });
  board.add({
    goal: 'READY',
    what: `${what}, beside a bare form`,
    unit: 'ms',
    engine: shell,
    peer: { name: 'form', values: peer },
  });
}

/** What the wheel is turned by with each event, in pixels: about ten rows. */
const WHEEL_PX = 300;

/** Frames per second while the wheel turns over the element that `selector` names. */
async function scrolledFrames(page: Page, selector: string, seconds: number): Promise<number> {
  await page.locator(selector).first().hover();
  const frames = page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        const from = performance.now();
        let count = 0;
        const next = (now: number): void => {
          count += 1;
          if (now - from < ms) requestAnimationFrame(next);
          else resolve((count * 1000) / (now - from));
        };
        requestAnimationFrame(next);
      }),
    seconds * 1000,
  );
  let over = false;
  const done = frames.finally(() => (over = true));
  while (!over) await page.mouse.wheel(0, WHEEL_PX);
  return done;
}

/** Frames per second of the list of 100,000 jobs while it is scrolled. */
export async function scrolling({ board, rounds, hostPage, bare, scrollSeconds }: PageBench): Promise<void> {
  const jobs = (page: Page): Promise<number> =>
    scrolledFrames(page, '[role=grid] [role=row][aria-rowindex]', scrollSeconds);
  const { list, peer } = await interleave('LIST', rounds, {
    list: () =>
      onPage(hostPage.newContext(), '/#/jobs', async (page) => {
        await new JobsPage(page).rows.first().waitFor();
        return jobs(page);
      }),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/list`, (page) =>
        scrolledFrames(page, '#box', scrollSeconds),
      ),
  });
  const what = 'scrolling 100,000 jobs';
  board.add({ goal: 'LIST', what, unit: 'frames/s', engine: list, floor: atLeast(50) });
  board.add({
    goal: 'LIST',
    what: `${what}, beside a bare list`,
    unit: 'frames/s',
    engine: list,
    peer: { name: 'list', values: peer },
  });
}

/**
 * Types in the focused field until the time is over; answers the delays until a key's event was handled, in
 * milliseconds.
 */
async function typedDelays(page: Page, seconds: number): Promise<number[]> {
  const delays = await page.evaluateHandle(() => {
    const seen: number[] = [];
    addEventListener('keydown', (event) => seen.push(performance.now() - event.timeStamp), { capture: true });
    return seen;
  });
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    await page.keyboard.press('x');
    await pause(50);
  }
  return delays.jsonValue();
}

const CHUNKS_A_SECOND = 1000;

/** The 95th of 100 delays of a key while 1,000 chunks a second arrive. */
export async function streaming({ board, rounds, hostPage, bare, streamSeconds }: PageBench): Promise<void> {
  const handler = `export default async function* () {
    const from = performance.now();
    for (let sent = 0; sent < ${CHUNKS_A_SECOND * (streamSeconds + 5)}; ) {
      for (const due = ((performance.now() - from) / 1000) * ${CHUNKS_A_SECOND}; sent < due; sent += 1) yield 'word ';
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }`;
  const endpoint = await makeEndpoint(hostPage.host, 'words', handler);
  let chunks: number[] = [];
  const { run, peer } = await interleave('STREAM', rounds, {
    run: () =>
      onPage(hostPage.newContext(), '/#/run', async (page) => {
        const run = new RunPage(page);
        await page.goto(`/#/run/${endpoint}`);
        await run.run();
        await run.tab('Chunks').waitFor();
        await run.editor.click();
        const delays = await typedDelays(page, streamSeconds);
        chunks.push((await run.chunkCount()) / streamSeconds);
        await run.stopButton.click();
        return quantile(delays, 0.95);
      }),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/stream`, async (page) => {
        await page.getByRole('textbox').click();
        return quantile(await typedDelays(page, streamSeconds), 0.95);
      }),
  });
  chunks = chunks.slice(-rounds);
  const what = 'delay of a key beside a stream, p95';
  board.add({ goal: 'STREAM', what, unit: 'ms', engine: run, floor: atMost(50) });
  board.add({
    goal: 'STREAM',
    what: `${what}, beside bare text`,
    unit: 'ms',
    engine: run,
    peer: { name: 'text', values: peer },
  });
  board.add({ goal: 'STREAM', what: 'chunks that the page had by then', unit: 'chunks/s', engine: chunks });
}

/** Milliseconds from the click on a job until its answer of 10 MB is shown. */
export async function largeAnswer({ board, rounds, hostPage, bare }: PageBench): Promise<void> {
  const { host } = hostPage;
  const endpoint = await makeEndpoint(
    host,
    'large',
    `export default () => Array.from({ length: 100000 }, (_, id) => ({ id, name: 'number ' + id, values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 'a text of some length'] }));`,
  );
  const answer = await fetch(`${host.api}/v2/${endpoint}/runsync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${host.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: {} }),
  });
  const { status } = (await answer.json()) as { status: string };
  if (status !== 'COMPLETED') throw new Error(`The job with the large answer ended as ${status}`);
  const untilShown = (selector: string) => () =>
    onPage(hostPage.newContext(), '/#/jobs', async (page) => {
      const row = new JobsPage(page).rows.filter({ hasText: 'large' }).first();
      await row.waitFor();
      return msUntilShown(page, selector, () => row.click());
    });
  const output = '[aria-label="Output"]';
  const { open, whole, peer } = await interleave('JSON', rounds, {
    open: untilShown(`${output} table`),
    whole: untilShown(`${output}[aria-busy="false"] table`),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/json`, (page) =>
        msUntilShown(page, 'pre', () => page.getByRole('button').click()),
      ),
  });
  const what = 'opening an answer of 10 MB';
  board.add({ goal: 'JSON', what: `${what}, first rows`, unit: 'ms', engine: open, floor: atMost(300) });
  board.add({
    goal: 'JSON',
    what: `${what}, all of it, beside parsing it`,
    unit: 'ms',
    engine: whole,
    peer: { name: 'bare', values: peer },
  });
}
