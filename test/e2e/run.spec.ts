// The Run page against the built host: real handlers, real engine, real browser.
import { expect, test } from './support/host.ts';

/** Long enough to be watched, short enough for a test. */
const slowWords = (count: number, delayMs: number): string =>
  JSON.stringify({ input: { text: Array.from({ length: count }, (_, word) => `word${word}`).join(' '), delayMs } });

test.beforeEach(async ({ shell, run }) => {
  await shell.open('#/run');
  await run.choose('stream-words');
});

test('a sample streams at least 10 chunks, one after another', async ({ run }) => {
  const growth = await run.watchGrowth();
  await run.run();
  await run.expectState('Done');
  const { lengths, running } = await growth();
  expect(lengths.length).toBeGreaterThanOrEqual(10);
  expect(running).toBeGreaterThanOrEqual(10);
  await expect(run.output).toContainText('A lighthouse keeper wrote one word each evening');
  expect(await run.chunkCount()).toBeGreaterThanOrEqual(10);
});

test('the output follows the end of a stream until the person scrolls up', async ({ page, run }) => {
  await run.write(slowWords(4000, 5));
  await run.run();
  const fromEnd = () =>
    run.output.evaluate((view) => Math.round(view.scrollHeight - view.scrollTop - view.clientHeight));
  await expect.poll(() => run.output.evaluate((view) => view.scrollTop > 50)).toBe(true);
  await expect.poll(fromEnd).toBeLessThan(60);
  await run.output.hover();
  await page.mouse.wheel(0, -400);
  await expect(page.getByRole('button', { name: 'Follow' })).toBeVisible();
  await page.getByRole('button', { name: 'Follow' }).click();
  await expect.poll(fromEnd).toBeLessThan(60);
  await run.stopButton.click();
});

test('a failing sample shows what the worker said, and the chunks that came before', async ({ run }) => {
  await run.choose('fail-halfway');
  await run.run();
  await run.expectState('Failed');
  await expect(run.error).toContainText('needs 9.31 GiB');
  await expect(run.error).toContainText('after 6 chunks');
  await expect(run.output).toContainText('"step": 6');
  await run.error.getByText('Details').click();
  await expect(run.error.locator('pre')).toContainText('handler.mjs');
});

test('a body that is not JSON is marked at its place, and nothing is sent', async ({ page, run }) => {
  const before = await run.recent.count();
  await run.write('{"input": {"a": 1,}}');
  await run.run();
  await expect(run.hint).toContainText('Not sent. Line 1: There is a comma too many before "}".');
  await expect(page.locator('.cm-lintRange-error')).toHaveText(',');
  await expect(run.editor).toBeFocused();
  expect(await run.recent.count()).toBe(before);
});

test('a policy value outside its range is told with the range', async ({ run }) => {
  await run.write('{"input": {}, "policy": {"ttl": 5}}');
  await run.run();
  await expect(run.hint).toContainText('policy.ttl must be a whole number of milliseconds from 10\u202f000');
});

test('the policy row edits the JSON and leaves the rest of it alone', async ({ page, run }) => {
  await run.write('{"input": {"n": 9007199254740993}}');
  await run.policyRow.getByRole('button', { name: /^Timeout/ }).click();
  await page.getByRole('textbox', { name: 'How long the job may run' }).fill('2');
  await page.keyboard.press('Enter');
  await expect(run.policyRow.getByRole('button', { name: 'Timeout 2 min' })).toBeVisible();
  expect(await run.written()).toBe('{"input": {"n": 9007199254740993}, "policy": { "executionTimeout": 120000 }}');
  await run.policyRow.getByRole('checkbox', { name: 'Low priority' }).check();
  await expect.poll(() => run.written()).toContain('"lowPriority": true');
});

test('stop cancels the job that is shown', async ({ run }) => {
  await run.write(slowWords(500, 50));
  await run.run();
  await expect(run.output).toContainText('word3');
  await run.stopButton.click();
  await run.expectState('Cancelled');
  await expect(run.stopButton).toBeHidden();
  await expect(run.output).toContainText('word3');
});

test('waiting for the result sends one request and shows what came back', async ({ run }) => {
  await run.mode('Wait for result');
  await run.write(slowWords(12, 10));
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('word11');
});

test('Mod+Enter runs from within the editor', async ({ page, run }) => {
  await run.write(slowWords(3, 10));
  await page.keyboard.press('ControlOrMeta+Enter');
  await run.expectState('Done');
  expect(await run.written()).toBe(slowWords(3, 10));
});

test('a reload keeps the draft and comes back to the running job', async ({ page, shell, run }) => {
  await run.write(slowWords(120, 40));
  await run.run();
  await expect(run.output).toContainText('word5');
  await page.reload();
  await shell.ready();
  await expect.poll(() => run.written()).toBe(slowWords(120, 40));
  await expect(run.output).toContainText('word5');
  await run.expectState('Done');
  await expect(run.output).toContainText('word119');
});

test('drafts belong to their endpoint', async ({ run }) => {
  await run.write('{"input": {"mine": true}}');
  await run.choose('fail-halfway');
  await expect.poll(() => run.written()).toContain('failAt');
  await run.choose('stream-words');
  await expect.poll(() => run.written()).toContain('mine');
});

test('the chunks and the raw answer are there beside the output', async ({ page, run }) => {
  await run.write(slowWords(5, 10));
  await run.run();
  await run.expectState('Done');
  await run.tab('Chunks').click();
  await expect(page.getByRole('list', { name: 'Chunks' }).getByRole('listitem')).toHaveCount(5);
  await run.tab('Raw').click();
  await expect(page.getByRole('region', { name: 'status answer' })).toContainText('"status": "COMPLETED"');
});

test('code for the request carries the real address and endpoint, and no key', async ({ page, host }) => {
  for (const language of ['curl', 'Python', 'JS']) {
    await page.getByRole('group', { name: 'Request as code' }).getByRole('button', { name: language }).click();
    const code = page.getByRole('dialog').locator('pre');
    await expect(code).toContainText(`${host.api}/v2/`);
    await expect(code).toContainText('HANGAR_API_KEY');
    await expect(code).not.toContainText(host.apiKey);
    await page.keyboard.press('Escape');
    await expect(code).toBeHidden();
  }
});
