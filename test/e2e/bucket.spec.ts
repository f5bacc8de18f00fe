// Files that are too large for a request: the bucket in Settings, and an upload on Run, against an S3 server that
// verifies signatures.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSlowRelay } from '../support/bucket/slowRelay.ts';
import { s3Key, startS3 } from '../support/bucket/s3.ts';
import { filesWith } from '../support/disk/secretsInFiles.ts';
import { expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const SIZE = 24 * 1024 * 1024;

/** Reads what an address holds, as a handler for large inputs does. */
const sizeOf = `export default async ({ input }) => {
  const answer = await fetch(input.film);
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
};`;

test('a file that is too large for a request is uploaded to the bucket, and its handler reads it by its address', async ({
  host,
  page,
  shell,
  run,
}) => {
  await using s3 = await startS3();
  const way = await startSlowRelay(s3.address);
  await makeEndpoint(host, 'size-of-film', sizeOf);
  const film = join(host.dataDir, 'film.mp4');
  await writeFile(film, Buffer.alloc(SIZE, 7));
  const rows = page.getByRole('list', { name: 'Files of the input' }).getByRole('listitem');
  const pick = async () => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByText('Insert a file').click();
    await (await choosing).setFiles(film);
  };

  await shell.open('#/run');
  await run.choose('size-of-film');
  await run.write('{"input": {"film": ""}}');
  await run.editor.getByText('""').click();
  await pick();
  await expect(rows).toContainText('No bucket is set up yet');
  await rows.getByRole('link', { name: 'Set up the bucket' }).click();

  const form = page.getByRole('region', { name: 'Bucket' });
  await form.getByLabel('Address').fill(way.address);
  await form.getByLabel('Region').fill('us-east-1');
  await form.getByRole('textbox', { name: 'Bucket' }).fill(s3.bucket);
  await form.getByLabel('Folder').fill('from-hangar');
  await form.getByLabel('Access key id').fill(s3Key.accessKeyId);
  await form.getByRole('button', { name: 'Save and check' }).click();
  await expect(form.getByText('Enter the secret key.')).toBeVisible();
  await form.getByLabel('Secret access key').fill('a wrong secret');
  await form.getByRole('button', { name: 'Save and check' }).click();
  await expect(form.getByRole('alert')).toContainText('The secret does not belong to the access key id');
  await form.getByLabel('Secret access key').fill(s3Key.secret);
  await form.getByRole('button', { name: 'Save and check' }).click();
  await expect(form.getByText('The bucket works.')).toBeVisible();
  await expectNoFault(page, 'the settings of the bucket', '[aria-label=Bucket]');
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(s3Key.secret);

  await shell.goTo('Run');
  await run.editor.getByText('""').click();
  way.hold(2_000_000);
  await pick();
  const row = rows.filter({ hasText: 'To the bucket' });
  await expect(row).toContainText(
    /too large for a request of 10 MB as base64\): [\d.]+ [KM]B of 24 MB, [\d.,]+ [kM]?B\/s/,
  );
  await expect(row.getByRole('progressbar', { name: 'Upload of film.mp4' })).toBeVisible();
  await run.run();
  await expect(run.hint.filter({ hasText: 'film.mp4 is still being uploaded' })).toBeVisible();
  await expectNoFault(page, 'an upload', '[aria-label=Request]');
  await page.setViewportSize({ width: 420, height: 760 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await row.getByRole('button', { name: 'Cancel film.mp4' }).click();
  await expect(rows).toContainText('Cancelled. Nothing was uploaded to the bucket.');
  expect(await run.written()).toBe('{"input": {"film": ""}}');

  way.release();
  way.hold(Infinity);
  await rows.getByRole('button', { name: 'Upload film.mp4 again' }).click();
  await expect(rows).toContainText('In the bucket');
  await expect.poll(() => run.written()).toContain('X-Amz-Signature=');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText(String(SIZE));

  await rows.getByRole('button', { name: 'Remove film.mp4 from the bucket' }).click();
  await expect(rows).toContainText('Removed from the bucket');
  await way.stop();
  await run.write('{"input": {"film": ""}}');
  await run.editor.getByText('""').click();
  await pick();
  await expect(rows.filter({ hasText: 'Nothing answers at 127.0.0.1' })).toBeVisible();
  expect(await filesWith(host.dataDir, s3Key.secret)).toEqual([]);

  await shell.open('#/settings/bucket');
  await form.getByRole('button', { name: 'Forget the bucket…' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Forget it' })).toBeVisible();
  await expectNoFault(page, 'a bucket to forget', '[role=dialog]');
  await page.getByRole('dialog').getByRole('button', { name: 'Forget it' }).click();
  await expect(form.getByLabel('Address')).toHaveValue('');
});
