// The input of a handler: its declared schema makes the form, and its files are read again when they change.
import type { Locator } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Template } from '#contract/api/resources.ts';
import { call, expectNoFault, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

/** Fills in a field until something is shown. A slow machine may stop a check, and each new text begins another one. */
const fillUntil = (field: Locator, text: string, shown: Locator): Promise<void> =>
  expect(async () => {
    await field.fill('');
    await field.fill(text);
    await expect(shown).toBeVisible({ timeout: 5000 });
  }).toPass();

test('a folder declares its input: the form has its fields, its test input is offered, and a changed file is read again', async ({
  host,
  page,
  shell,
  run,
}) => {
  const folder = writeFolder('declares-input', {
    'handler.mjs': 'export default ({ input }) => input;\n',
    'input_schema.json': JSON.stringify({
      properties: { prompt: { type: 'string' }, image_base64: { type: 'string' } },
      required: ['prompt'],
    }),
    'test_input.json': '{"input": {"prompt": "a quiet harbour", "image_base64": ""}}',
  });
  const imageName = pathToFileURL(folder).href;
  const template = { name: 'declares-input', imageName, isServerless: true };
  const { id: templateId } = await call<Template>(host, 'POST', '/v1/templates', template);
  await call(host, 'POST', '/v1/endpoints', { name: 'declares-input', templateId });
  await shell.open('#/run');
  await run.choose('declares-input');

  await page.getByRole('tab', { name: 'Schema' }).click();
  await expect(page.getByText('Read from input_schema.json.')).toBeVisible();
  await expectNoFault(page, 'the schema of a folder', '[aria-label=Request]');
  await test.step('a schema of the person is typed, and is checked while it is', async () => {
    await page.getByRole('textbox', { name: 'Schema of the input' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('{"properties": {"mine": ');
    await page.keyboard.type('3}');
    const request = page.getByRole('region', { name: 'Request' });
    await expect(request).toContainText('Your own schema. It replaces the one from input_schema.json.');
    await expect(request).toContainText('Line 1: This is not closed: "}" is missing. The form ignores this schema.');
    await expectNoFault(page, 'a schema that cannot be read', '[aria-label=Request]');
    await page.getByRole('button', { name: 'Remove mine' }).click();
    await expect(request).toContainText('Read from input_schema.json.');
  });
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(page.getByRole('textbox', { name: 'prompt' })).toBeVisible();
  await page.getByRole('button', { name: 'Saved' }).click();
  await page.getByRole('button', { name: 'test_input.json of the folder' }).click();
  await expect(page.getByRole('textbox', { name: 'prompt' })).toHaveValue('a quiet harbour');

  writeFileSync(join(folder, 'input_schema.json'), '{"properties": {"steps": {"type": "integer", "maximum": 50}}}');
  await expect(page.getByRole('textbox', { name: 'steps' })).toBeVisible();
  await fillUntil(page.getByRole('textbox', { name: 'steps' }), '70', page.getByText('steps: at most 50.'));
  await page.getByRole('textbox', { name: 'steps' }).fill('30');
  await expect(page.getByText('steps: at most 50.')).toBeHidden();

  await page.getByRole('tab', { name: 'JSON' }).click();
  await run.editor.getByText('""').click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByText('Insert a file').click();
  await (await choosing).setFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('four machines') });
  await expect.poll(() => run.written()).toContain('"image_base64": "Zm91ciBtYWNoaW5lcw=="');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('30');
});

test('a dropped file becomes base64 where it fits, or says that it has no place, and undo survives another tab', async ({
  page,
  shell,
  run,
}) => {
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "", "steps": 1}}');
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['four machines'], 'a.txt'));
    return transfer;
  });
  const dropAt = async (place: Locator): Promise<void> => {
    const box = await place.boundingBox();
    if (!box) throw new Error('The place of the drop is not in sight.');
    const at = { clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
    await place.dispatchEvent('drop', { dataTransfer: data, ...at, cancelable: true });
  };
  const filled = '{"input": {"text": "Zm91ciBtYWNoaW5lcw==", "steps": 1}}';
  await test.step('on an empty text, and on the name of another member', async () => {
    await dropAt(run.editor.getByText('""'));
    await expect.poll(() => run.written()).toBe(filled);
    await dropAt(run.editor.getByText('"steps"'));
    await expect(page.getByText('There is no place for it here.')).toBeVisible();
    expect(await run.written()).toBe(filled);
  });
  await test.step('what was written is undone after a look at the form', async () => {
    await page.getByRole('tab', { name: 'Form' }).click();
    await expect(page.getByRole('textbox', { name: 'text' })).toBeVisible();
    await page.getByRole('tab', { name: 'JSON' }).click();
    await run.editor.click();
    await page.keyboard.press('ControlOrMeta+Z');
    await expect.poll(() => run.written()).toBe('{"input": {"text": "", "steps": 1}}');
  });
  await test.step('on a field of the form', async () => {
    await page.getByRole('tab', { name: 'Form' }).click();
    await dropAt(page.getByRole('textbox', { name: 'text' }));
    await expect(page.getByRole('textbox', { name: 'text' })).toHaveValue('Zm91ciBtYWNoaW5lcw==');
  });
  await test.step('elsewhere on the page nothing opens it', async () => {
    const opens = await page.getByRole('heading', { level: 1 }).evaluate((title, dataTransfer) => {
      const over = { dataTransfer, bubbles: true, cancelable: true };
      return [new DragEvent('dragover', over), new DragEvent('drop', over)].map((event) => title.dispatchEvent(event));
    }, data);
    expect(opens).toEqual([false, false]);
  });
});

test('a pattern of the schema that takes for ever does not stop the page, and the form says so', async ({
  host,
  page,
  shell,
  run,
}) => {
  const folder = writeFolder('slow-pattern', {
    'handler.mjs': 'export default ({ input }) => input.name.length;\n',
    'input_schema.json': JSON.stringify({ properties: { name: { type: 'string', pattern: '^(a+)+$' } } }),
  });
  const template = { name: 'slow-pattern', imageName: pathToFileURL(folder).href, isServerless: true };
  const { id: templateId } = await call<Template>(host, 'POST', '/v1/templates', template);
  await call(host, 'POST', '/v1/endpoints', { name: 'slow-pattern', templateId });
  await shell.open('#/run');
  await run.choose('slow-pattern');
  await page.getByRole('tab', { name: 'Form' }).click();
  const name = page.getByRole('textbox', { name: 'name' });
  await fillUntil(name, 'b', page.getByText('name: must match the pattern ^(a+)+$.'));
  await name.fill(`${'a'.repeat(60)}!`);
  const stopped = page.getByText('The check of this input took longer than 1 s and was stopped');
  // Only a page that goes on can say so: without its thread, the check would take years.
  await expect(stopped).toBeVisible();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(stopped).toBeVisible();
  await expectNoFault(page, 'a check that was stopped', '[aria-label=Request]');
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(async () => {
    await name.fill('aa');
    await name.fill('aaa');
    await expect(stopped).toBeHidden({ timeout: 5000 });
  }).toPass();
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('3');
});
