// Batches against the built host: a real engine runs each input, and one table has the results.
import { readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { expectNoFault, makeEndpoint, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { keepNotices } from './support/notices.ts';

/** Runs once the page was loaded again, which a file says. Fails for odd numbers until another file is there. */
const odd = `import { existsSync } from 'node:fs';
import { join } from 'node:path';
export default async (job) => {
  const isThere = (...names) => existsSync(join(import.meta.dirname, '..', ...names));
  while (!isThere('reloads', 'done')) await new Promise((next) => setTimeout(next, 20));
  const isRepaired = isThere('repairs', 'done');
  if (job.input.n % 2 === 1 && !isRepaired) throw new Error('odd numbers are not known');
  return job.input.n * 10;
};`;

test('a list of inputs runs to its end over a reload, its results are one table that can be saved, and failed rows run again', async ({
  host,
  page,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'fails-odd', odd);
  await shell.open('#/run');
  await run.choose('fails-odd');
  await expect(page).toHaveTitle('Run – Hangar');
  await page.getByRole('button', { name: 'Batch', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Batch' })).toBeVisible();
  await expect(page).toHaveTitle('Batch – Hangar');
  const inputs = [0, 1, 2, 3].map((n) => JSON.stringify({ n })).join('\n');
  const list = page.getByRole('textbox', { name: 'Inputs, JSON Lines or CSV' });
  await list.fill(`${inputs}\n{"n": }`);
  await expect(page.getByRole('alert')).toContainText('Line 5');
  await expectNoFault(page, 'a list with a bad line', '[aria-label="List of inputs"]');
  await list.fill(inputs);
  await page.getByRole('button', { name: 'Run 4 inputs on this computer' }).click();
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
  const results = page.getByRole('grid', { name: 'Results in the order of the list' });
  await expect(results).toBeVisible();
  const topOf = async () => (await results.boundingBox())?.y;

  await page.reload();
  await shell.ready();
  await expect(page.getByText('0 of 4 ended')).toBeVisible();
  await expect(results).toBeVisible();
  const top = await topOf();
  const running = results.getByRole('row').filter({ has: page.locator('[data-status=IN_PROGRESS]') });
  await expect(running.first().getByRole('gridcell').last(), 'how long it has run so far').toHaveText(/\d s$/);
  writeFolder('reloads', { done: '' });
  await expect(results.locator('[data-status=FAILED]')).toHaveCount(2);
  await expect(page.getByText('4 of 4 ended')).toBeVisible();
  const again = page.getByRole('button', { name: 'Run the 2 failed rows again on this computer' });
  await expect(again).toBeVisible();
  // The button does not push the table away under the pointer.
  await expect.poll(topOf).toBe(top);
  await expectNoFault(page, 'its results', 'main');
  await test.step('in the narrowest window the button stays within its card', async () => {
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    await page.setViewportSize({ width: 420, height });
    const rightOf = async (locator: Locator): Promise<number> => {
      const box = await locator.boundingBox();
      return box === null ? 0 : box.x + box.width;
    };
    const tag = page.getByText(/^batch [\da-f]{8}$/);
    await expect.poll(async () => (await rightOf(again)) - (await rightOf(tag))).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width, height });
  });

  await test.step('the count of failed ones shows only them, and the job of a row leads back to the table as it was', async () => {
    await page.getByRole('button', { name: '2 failed', exact: true }).click();
    await expect(results.getByRole('row')).toHaveCount(3);
    const sorted = page.getByRole('grid', { name: 'Results', exact: true });
    await results.getByRole('button', { name: 'No.' }).click();
    await sorted.getByRole('button', { name: 'No.' }).click();
    await expect(sorted.getByRole('gridcell').first()).toHaveText('4');
    await expect(sorted.getByRole('row').nth(1)).toContainText('odd numbers are not known');
    await expectNoFault(page, 'the failed rows of a batch', 'main');
    await expect(page.getByText('2 of 4 shown')).toBeVisible();
    await sorted.getByRole('row').nth(1).click();
    await expect(page).toHaveURL(/#\/jobs\//);
    // No filter that nobody set.
    await expect(page.getByRole('search', { name: 'Filter the jobs' })).not.toContainText('batch ');
    await expectNoFault(page, 'a job of a batch', '[aria-label=Job]');
    await page.getByRole('link', { name: 'Batch of fails-odd' }).click();
    await expect(page).toHaveURL(/#\/run\/.+\/batch$/);
    await expect(sorted.getByRole('row')).toHaveCount(3);
    await expect(sorted.getByRole('gridcell').first()).toHaveText('4');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect(sorted.getByRole('row')).toHaveCount(5);
    await sorted.getByRole('button', { name: 'No.' }).click();
    await expect(results).toBeVisible();
  });

  writeFolder('repairs', { done: '' });
  await again.click();
  await expect(results.locator('[data-status=COMPLETED]')).toHaveCount(4);
  await expect(again).toBeHidden();
  const rows = results.getByRole('row');
  await expect(rows.nth(2)).toContainText('10');
  await expect(rows.nth(4)).toContainText('30');

  await page.getByRole('button', { name: 'Save all' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'JSON Lines, with everything' }).click(),
  ]);
  const saved = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(saved.map((line) => (JSON.parse(line) as { request: { input: { n: number } } }).request.input.n)).toEqual([
    0, 1, 2, 3,
  ]);
  await rows.nth(3).click();
  await expect(page).toHaveURL(/#\/jobs\//);
});

/** One picture of one colour, several, or one of another host. */
const draws = `import { deflateSync, crc32 } from 'node:zlib';
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
};
const png = (side) => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 0], 8);
  const pixels = deflateSync(Buffer.alloc(side * (side + 1), 90));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat(parts).toString('base64');
};
export default ({ input }) =>
  input.elsewhere ? { image: 'https://pictures.test/a.png' } : { images: Array.from({ length: input.count }, (_, at) => png(32 + at)), seed: 1 };`;
const schema = JSON.stringify({ properties: { count: { type: 'integer', maximum: 10 } }, required: ['count'] });

test('a file shows what of it does not fit the schema, and pictures of the results are small until one is opened', async ({
  host,
  page,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'draws-in-batch', draws);
  await keepNotices(page);
  await shell.open('#/run');
  await run.choose('draws-in-batch');
  await page.getByRole('tab', { name: 'Schema' }).click();
  const editor = page.getByRole('textbox', { name: 'Schema of the input' });
  await editor.fill(schema);
  await page.getByRole('button', { name: 'Batch', exact: true }).click();
  const csv = 'count,elsewhere\n1,\n6,\n,true\n';
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const list = page.getByRole('region', { name: 'List of inputs' });
  await expect(list.getByRole('columnheader', { name: 'elsewhere' })).toContainText('not in the schema');
  await expect(list.getByRole('columnheader', { name: 'count' })).not.toContainText('not in the schema');
  await expect(list.getByText('One line does not match the schema. You can still send the list.')).toBeVisible();
  await expect(list.getByText('No. 3 (line 4) count is required.')).toBeVisible();
  await expectNoFault(page, 'a chosen file', '[aria-label="List of inputs"]');

  await page.getByRole('button', { name: 'Run 3 inputs on this computer' }).click();
  const results = page.getByRole('grid', { name: 'Results in the order of the list' });
  await expect(results.getByRole('button', { name: 'Open the image of input 1' })).toBeVisible();
  await expect(results.getByRole('button', { name: /^Open image \d of input 2$/ })).toHaveCount(4);
  await expect(results.getByRole('row', { name: /pictures\.test/ }).getByRole('img')).toHaveCount(0);
  await expectNoFault(page, 'pictures in results', '[aria-label=Results]');
  await results.getByRole('button', { name: 'Open image 2 of input 2' }).click();
  const viewer = page.getByRole('dialog', { name: 'Image 2 of 4' });
  await expect(viewer).toContainText('PNG · 33 × 33');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Image 3 of 4' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Batch' })).toBeVisible();

  await test.step('the files of the outputs are saved as one archive, and other hosts are not asked', async () => {
    await page.getByRole('button', { name: 'Save all' }).click();
    const formats = page.getByRole('menuitem');
    await expect(formats).toHaveText([/^CSV/, /^JSON Lines/, /^ZIP/]);
    const [download] = await Promise.all([page.waitForEvent('download'), formats.last().click()]);
    expect(download.suggestedFilename()).toMatch(/^hangar-batch-[\da-f]{8}\.zip$/);
    const archive = await readFile(await download.path(), 'latin1');
    // The name of each file stands before its bytes, and in the list at the end.
    const names = archive.match(/input-\d(?:-\d)?\.png/g) ?? [];
    expect([...new Set(names)]).toEqual([
      'input-1.png',
      ...[1, 2, 3, 4, 5, 6].map((number) => `input-2-${number}.png`),
    ]);
    expect(archive.match(/\x89PNG\r\n\x1a\n/g)).toHaveLength(7);
    await expect(page.getByText('One file is on another host, which was not asked')).toBeVisible();
  });
});
