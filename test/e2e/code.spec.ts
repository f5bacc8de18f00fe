// The code of handlers that lie outside of the home folder: from a failure to its line, and back to a run.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import { call, expectNoFault, makeEndpoint, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const failing = `import { draw } from './parts/draw.mjs';
${'// A line before the code.\n'.repeat(60)}export default () => draw(7);
`;
const draw = `${'// A line before the code.\n'.repeat(80)}export function draw(n) {
  throw new Error('no seven');
}
`;

test('a traceback leads to its line, the mended code is saved and run, and the page is the same as before', async ({
  host,
  page,
  shell,
  run,
}) => {
  const folder = writeFolder('no-seven', { 'parts/draw.mjs': draw });
  const id = await makeEndpoint(host, 'no-seven', failing);
  await shell.open(`#/run/${id}`);
  await run.run();
  await run.expectState('Failed');
  const job = page.getByRole('group', { name: 'Job error' });
  await test.step('the log ends with the error, once', async () => {
    await page.getByRole('tab', { name: 'Log', exact: true }).click();
    const log = page.getByRole('region', { name: 'Log of this job' });
    await expect(log.getByText('Error: no seven', { exact: true })).toHaveCount(1);
    await expect(log.getByRole('link', { name: /parts\/draw\.mjs:82/ })).toBeVisible();
    await expectNoFault(page, 'a log with links', '[aria-label="Result"]');
    await run.tab('Output').click();
  });
  await job.getByText('Details').click();
  await expectNoFault(page, 'a traceback with links', '[aria-label="Job error"]');
  await job.getByRole('link', { name: /handler\.mjs:62/ }).click();
  const dialog = page.getByRole('dialog', { name: 'handler.mjs no-seven' });
  await expect(dialog.locator('.cm-activeLine')).toHaveText('export default () => draw(7);');
  await expect(dialog.locator('.cm-activeLine')).toBeInViewport();
  await expect(page).toHaveURL(new RegExp(`#/run/${id}$`));

  await test.step('a search in the text closes alone', async () => {
    await expect(dialog.getByRole('textbox', { name: 'Text of handler.mjs' })).toBeFocused();
    await page.keyboard.press('ControlOrMeta+f');
    const field = dialog.getByRole('textbox', { name: 'Find' });
    await expect(field).toBeFocused();
    await page.keyboard.type('import');
    await page.keyboard.press('Enter');
    await expect(dialog.locator('.cm-searchMatch-selected')).toHaveText('import');
    await expectNoFault(page, 'the search in a file', '[role=dialog]');
    await page.keyboard.press('Escape');
    await expect(field).toBeHidden();
    await expect(dialog).toBeVisible();
  });

  await test.step('the button opens the line that raised the error', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await job.getByRole('button', { name: 'Open the code' }).click();
    const raised = page.getByRole('dialog', { name: 'draw.mjs no-seven › parts' });
    await expect(raised.locator('.cm-activeLine')).toContainText("throw new Error('no seven');");
    await raised.getByRole('textbox', { name: 'Text of draw.mjs' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText("export const draw = (n) => 'drawn ' + n;\n");
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Close draw.mjs without saving?' });
    await expectNoFault(page, 'the question before a close', '[role=dialog]:last-of-type');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await raised.getByRole('button', { name: 'Save and run' }).click();
    await expect(raised).toBeHidden();
    expect(readFileSync(join(folder, 'parts', 'draw.mjs'), 'utf8')).toContain("'drawn ' + n");
  });
  // Without another click: the job has run with the code that was saved.
  await run.expectState('Done');
  await expect(run.output).toContainText('drawn 7');
});

test('the folder of an endpoint is shown wherever it is, without what its links lead to', async ({
  host,
  page,
  shell,
  endpoints,
}) => {
  const folder = writeFolder('far-away', { 'notes/a.txt': 'note' });
  symlinkSync('/etc/hostname', join(folder, 'out'));
  const id = await makeEndpoint(host, 'far-away', 'export default () => 1;');
  await shell.open('#/endpoints');
  await endpoints.open('far-away');
  await endpoints.inspector.getByRole('button', { name: 'Code', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'handler.mjs far-away' });
  await expect(dialog.getByRole('textbox', { name: 'Text of handler.mjs' })).toContainText('export default');
  await test.step('a file that became shorter outside while it was closed can be changed', async () => {
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    writeFileSync(join(folder, 'handler.mjs'), 'export default 1;');
    await endpoints.inspector.getByRole('button', { name: 'Code', exact: true }).click();
    await expect(dialog.getByRole('textbox', { name: 'Text of handler.mjs' })).toHaveText('export default 1;');
    await expect(dialog.getByText('17 B, changed')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  });
  // Another page leaves the file, too, and it does not come back by itself.
  await page.goBack();
  await expect(dialog).toBeHidden();

  await shell.open(`#/resources/handler/${id}`);
  const files = page.getByRole('grid', { name: /Files/ });
  await expect(files.getByRole('row', { name: /handler\.mjs/ })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(folder)).toBeVisible();
  await expectNoFault(page, 'the folder of a handler', 'main');
  await files.getByRole('button', { name: 'notes', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`#/resources/handler/${id}/notes$`));
  await expect(files.getByRole('row', { name: /a\.txt/ })).toBeVisible();
});

test('a handler that does not start leads to its line, and a missing package into requirements.txt', async ({
  host,
  page,
  shell,
  endpoints,
}) => {
  const folder = writeFolder('no-start', {
    'handler.py': 'def handler(job):\n    while True\n        return 1\n',
    'requirements.txt': '# Packages of this handler\n',
  });
  const imageName = pathToFileURL(folder).href;
  const template = await call<Template>(host, 'POST', '/v1/templates', {
    name: 'no-start',
    imageName,
    isServerless: true,
  });
  const { id } = await call<Endpoint>(host, 'POST', '/v1/endpoints', { name: 'no-start', templateId: template.id });
  await call(host, 'POST', `/v2/${id}/run`, { input: {} });
  await shell.open(`#/endpoints/${id}`);
  const overview = endpoints.inspector;
  const make = overview.getByRole('button', { name: 'Create an environment' });
  await test.step('an error of syntax is no missing package', async () => {
    await expect(overview).toContainText(/handler\.py cannot be loaded: SyntaxError: .* \(line 2\)\./);
    await expect(overview).not.toContainText('environment can be made');
    await expect(make).toBeHidden();
    await expect(overview.getByText('The handler fails on start.')).toBeVisible();
    await expect(overview.getByRole('link', { name: /handler\.py", line 2/ })).toBeVisible();
    await expectNoFault(page, 'a handler that does not start', 'main');
    await overview.getByRole('button', { name: 'Open the code' }).click();
    const code = page.getByRole('dialog', { name: 'handler.py no-start' });
    await expect(code.locator('.cm-activeLine')).toHaveText('    while True');
    await page.keyboard.press('Escape');
  });
  writeFileSync(join(folder, 'handler.py'), 'import no_such_package_of_hangar\ndef handler(job):\n    return 1\n');
  await overview.getByRole('button', { name: 'Add to requirements.txt' }).click();
  const file = page.getByRole('dialog', { name: 'requirements.txt no-start' });
  await expect(file.locator('.cm-activeLine')).toHaveText('no_such_package_of_hangar');
  await expect(file.getByText('Not saved yet')).toBeVisible();
  await file.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(() => readFileSync(join(folder, 'requirements.txt'), 'utf8'))
    .toBe('# Packages of this handler\nno_such_package_of_hangar\n');
  await page.keyboard.press('Escape');
  await expect(make).toBeVisible();
});
