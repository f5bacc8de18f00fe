// The Run page against the built host: real handlers, real engine, real browser.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { RunPage } from './pages/runPage.ts';
import type { Shell } from './pages/shell.ts';
import { chatty, makeEndpoint, writeHandler } from './support/handlers.ts';
import { expect, test, type Host } from './support/host.ts';
import { watchTop } from './support/layout.ts';

/** Long enough to be watched, short enough for a test. The first 40 words have at least `firstLength` letters. */
const slowWords = (count: number, delayMs: number, firstLength = 0): string => {
  const words = Array.from({ length: count }, (_, at) => `word${at}`.padEnd(at < 40 ? firstLength : 0, '.'));
  return JSON.stringify({ input: { text: words.join(' '), delayMs } });
};

interface Parts {
  host: Host;
  page: Page;
  shell: Shell;
  run: RunPage;
}

test(
  'a sample streams its chunks, of which the end stays in sight until the person scrolls up, and all are there at its end',
  { tag: '@journey' },
  async ({ page, shell, run }) => {
    await shell.open('#/run');
    await run.choose('stream-words');
    const growth = await run.countGrowth();
    // Its first words soon fill the output, and it is long enough for the slowest page; it is stopped once it was seen.
    await run.write(slowWords(6000, 40, 200));
    await run.run();
    await expect.poll(growth, 'how often the output grew while the job ran').toBeGreaterThanOrEqual(10);
    // From here on it grows by a line twice a second.
    await expect(run.output).toContainText('word45');
    await test.step('the output follows the end of a stream until the person scrolls up', async () => {
      const fromEnd = () =>
        run.output.evaluate((view) => Math.round(view.scrollHeight - view.scrollTop - view.clientHeight));
      await expect.poll(() => run.output.evaluate((view) => view.scrollTop > 400)).toBe(true);
      await expect.poll(fromEnd).toBeLessThan(60);
      await run.output.hover();
      await page.mouse.wheel(0, -400);
      const follow = page.getByRole('button', { name: 'Follow' });
      await expect(follow).toBeVisible();
      await follow.click();
      await expect.poll(fromEnd).toBeLessThan(60);
      // The output has moved to its end, and the event that tells of it comes with the next frame.
      await run.output.evaluate(async (view) => {
        const before = view.scrollTop;
        await new Promise<void>((resolve) => {
          const growth = new MutationObserver(() => {
            if (view.scrollTop <= before) return;
            growth.disconnect();
            view.dispatchEvent(new WheelEvent('wheel', { deltaY: -400, bubbles: true }));
            resolve();
          });
          growth.observe(view, { subtree: true, childList: true, characterData: true });
        });
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      });
      await expect(follow).toBeVisible();
    });
    await run.stopButton.click();
    await run.expectState('Cancelled');
    await expect(run.stopButton).toBeHidden();
    await expect(run.output).toContainText('word3');
    await run.useSample();
    await run.run();
    await run.expectState('Done');
    await expect(run.output).toContainText('A lighthouse keeper wrote one word each evening');
    await expect.poll(() => run.chunkCount()).toBeGreaterThanOrEqual(10);
  },
);

async function drawPicture(run: RunPage): Promise<void> {
  await run.choose('draw-fractal');
  await run.run();
  await run.expectState('Done');
  const picture = run.output.getByRole('img', { name: 'Image 1 of the output' });
  await expect(picture).toHaveJSProperty('naturalWidth', 600);
  await expect(picture).toBeInViewport({ ratio: 1 });
  await expect(run.output.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 });
}

async function moveInLastRuns(page: Page, run: RunPage): Promise<void> {
  await run.choose('stream-words');
  const runs = page.getByRole('grid', { name: 'Last runs' });
  for (const text of ['a first run', 'a second run', 'a third run']) {
    await run.write(JSON.stringify({ input: { text, delayMs: 0 } }));
    await run.run();
    await expect(run.recent.and(page.locator('[aria-selected=true]'))).toContainText(text);
    await run.expectState('Done');
  }
  await runs.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(run.recent.nth(2)).toHaveAttribute('aria-selected', 'true');
  await expect(run.output).toContainText('first');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(run.recent.first()).toHaveAttribute('aria-selected', 'true');
  await expect(run.output).toContainText('third');
  await expect(runs).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(runs.locator(':focus')).toHaveCount(0);
  await expect(runs).not.toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(runs).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('region', { name: 'Last runs of this endpoint' })).not.toBeFocused();
}

test('each endpoint has its draft, a reload comes back to the running job, each way to run shows what came back, and so do the last runs', async ({
  page,
  shell,
  run,
}) => {
  await shell.open('#/run');
  await run.choose('stream-words');
  await test.step('a reload keeps the draft and comes back to the running job', async () => {
    await run.write(slowWords(60, 80));
    await run.run();
    await expect(run.output).toContainText('word5');
    await page.reload();
    await shell.ready();
    await expect.poll(() => run.written()).toBe(slowWords(60, 80));
    await expect(run.output).toContainText('word5');
    await run.expectState('Done');
    await expect(run.output).toContainText('word59');
  });
  await test.step('drafts belong to their endpoint', async () => {
    await run.write('{"input": {"mine": true}}');
    await run.choose('fail-halfway');
    await expect.poll(() => run.written()).toContain('failAt');
    await run.choose('stream-words');
    await expect.poll(() => run.written()).toContain('mine');
  });
  await test.step('a failing sample shows what the worker said, and the chunks that came before', async () => {
    await run.choose('fail-halfway');
    await run.run();
    await run.expectState('Failed');
    await expect(run.error).toContainText('needs 9.31 GiB');
    await expect(run.error).toContainText('after 6 chunks');
    const table = run.output.getByRole('table');
    await expect(table.getByRole('row').last()).toHaveText(/^612/);
    await test.step('whose columns keep their names in sight', async () => {
      await page.setViewportSize({ width: 1280, height: 600 });
      await table.getByRole('row').last().scrollIntoViewIfNeeded();
      await expect(table.getByText('1.992')).not.toBeInViewport();
      await expect(table.getByRole('columnheader', { name: 'loss' })).toBeInViewport({ ratio: 1 });
      await page.setViewportSize({ width: 1280, height: 800 });
    });
    await run.error.getByText('Details').click();
    await expect(run.error.locator('pre')).toContainText('handler.mjs');
  });
  await run.choose('stream-words');
  await test.step('the chunks and the raw answer are there beside the output', async () => {
    await run.write(slowWords(5, 10));
    await run.run();
    // The job before is done, too; the new one opens at its output.
    await expect(run.tab('Chunks')).toHaveText(/^Chunks\s*5$/);
    await run.expectState('Done');
    await run.tab('Chunks').click();
    await expect(page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')).toHaveCount(5);
    await run.tab('Raw').click();
    await expect(page.getByRole('region', { name: 'status answer' })).toContainText('"status": "COMPLETED"');
  });
  await test.step('waiting for the result sends one request and shows what came back', async () => {
    await run.mode('Wait for result');
    await run.write(slowWords(12, 10));
    await run.run();
    await run.expectState('Done');
    // The tab that was chosen stays.
    await run.tab('Output').click();
    await expect(run.output).toContainText('word11');
  });
  await test.step('nothing of the request moves when its first letter is typed', async () => {
    for (const width of [1280, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await shell.open('#/run');
      await run.choose('prime-factors');
      // What an earlier width has written.
      await run.useSample();
      const boxes = () => Promise.all([run.editor.boundingBox(), run.runButton.boundingBox()]);
      const before = await boxes();
      await run.write('{"input": {"number": 21}}');
      await expect.poll(() => run.written()).toContain('21');
      expect((await boxes()).map((box) => [box?.y, box?.width])).toEqual(before.map((box) => [box?.y, box?.width]));
    }
  });
  await page.setViewportSize({ width: 1280, height: 720 });
  await test.step('a sample draws a picture, which is in sight as a whole once the job is done', () =>
    drawPicture(run));
  await test.step('the last runs are one Tab stop; arrow keys move in them, and Enter shows a run', () =>
    moveInLastRuns(page, run));
});

async function keepTabs({ host, page, shell, run }: Parts): Promise<void> {
  const id = await makeEndpoint(host, 'stays-in-place', chatty);
  await shell.open(`#/run/${id}`);
  await run.write('{"input": {"steps": 3}}');
  const tabs = await watchTop(page, '[aria-label=Job][role=tablist]');
  await run.run();
  await run.expectState('Done');
  expect(await tabs.read()).toHaveLength(1);
  // The next run shows what the person looked at.
  const log = page.getByRole('tab', { name: 'Log' });
  await log.click();
  await run.write('{"input": {"steps": 5}}');
  await run.run();
  await expect(page.getByText('step 4 of the training')).toBeVisible();
  await run.expectState('Done');
  await expect(log).toHaveAttribute('aria-selected', 'true');
}

async function followProgress({ host, page, shell, run }: Parts): Promise<void> {
  // Each step ends when the test allows it.
  const code = `import { existsSync } from 'node:fs';
    import { setTimeout as later } from 'node:timers/promises';
    const until = async (name) => { while (!existsSync(name)) await later(20); };
    export default async (job, context) => {
      await context.progress('Loading the model');
      await until('loaded');
      await context.progress({ message: 'Denoising', step: 5, steps: 20 });
      await until('done');
      return 'a picture';
    };`;
  const id = await makeEndpoint(host, 'reports-progress', code);
  const folder = writeHandler('reports-progress', code);
  await shell.open(`#/run/${id}`);
  const firstTab = page.getByRole('region', { name: 'Result' }).getByRole('tab').first();
  const lastRuns = page.getByRole('region', { name: 'Last runs', exact: true });
  const runsBefore = await lastRuns.boundingBox();
  await run.run();
  const progress = page.getByRole('group', { name: 'Progress' });
  await run.expectState('Running');
  const tabBefore = await firstTab.boundingBox();
  await expect(progress).toHaveText('Loading the model');
  const expectNothingMoved = async () => {
    expect(await firstTab.boundingBox()).toEqual(tabBefore);
    expect(await lastRuns.boundingBox()).toEqual(runsBefore);
  };
  await expectNothingMoved();
  await expect(progress.getByRole('progressbar')).toBeHidden();
  writeFileSync(join(folder, 'loaded'), '');
  await expect(progress).toHaveText('25 % · Denoising · step: 5 · steps: 20');
  await expect(progress.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25');
  await expectNothingMoved();
  await page.reload();
  await shell.ready();
  await expect(progress).toContainText('Denoising');
  writeFileSync(join(folder, 'done'), '');
  await run.expectState('Done');
  await expect(run.output).toContainText('a picture');
  await expect(progress).toBeHidden();
  await expectNothingMoved();
}

async function missFolder({ host, page, shell, run }: Parts): Promise<void> {
  const code = 'export default () => 1;\n';
  const id = await makeEndpoint(host, 'gone-folder', code);
  const folder = writeHandler('gone-folder', code);
  rmSync(folder, { recursive: true });
  await shell.open(`#/run/${id}`);
  const why = `The folder ${folder} does not exist. Put it back, or change "Folder" in the settings.`;
  const job = page.getByRole('region', { name: 'Job' });
  await expect(job).toContainText(why);
  await expect(page.locator('#page')).not.toContainText('Runs in');
  await expect(run.runButton).toBeDisabled();
  await job.getByRole('button', { name: 'Show the settings of the endpoint' }).click();
  await expect(page.getByRole('combobox', { name: 'Folder' })).toHaveValue(/gone-folder$/);
}

test('the tabs of a job stay where they are; it shows what its handler reports until it ends, and where its folder is gone', async ({
  host,
  page,
  shell,
  run,
}) => {
  const parts = { host, page, shell, run };
  await test.step('the tabs stay where they are while it waits for its first worker, runs and ends, and the chosen one stays chosen', () =>
    keepTabs(parts));
  await test.step('a running job shows what its handler reports, with a bar where that tells a share, until the job ends', () =>
    followProgress(parts));
  await test.step('an endpoint whose folder is gone says so, and leads to its settings', () => missFolder(parts));
});
