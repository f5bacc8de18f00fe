// The palette of commands: the actions of the page that is shown, and its field.
import type { Page } from '@playwright/test';
import { expectFocusIn } from './pages/focus.ts';
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import type { Shell } from './pages/shell.ts';

/** The labels of the palette's first group, which the page declares. */
async function actionsOfPage(page: Page, shell: Shell): Promise<string[]> {
  await page.keyboard.press('ControlOrMeta+k');
  await expectFocusIn(shell.palette);
  const labels = await shell.palette
    .locator('.mantine-Spotlight-actionsGroup', { hasText: '' })
    .first()
    .locator('.mantine-Spotlight-actionLabel')
    .allTextContents();
  await page.keyboard.press('Escape');
  await expect(shell.palette).toBeHidden();
  return labels;
}

/** What Run has besides the modes and its button. */
const ofTheInput = [
  'Saved inputs',
  'History',
  'Compare',
  'Batch',
  'Input: Form',
  'Input: Schema',
  'Insert a file',
  'Timeout…',
  'Expires after…',
  'Request in curl',
];

test('the palette has the actions of the page that is shown, with their keys, and does what their buttons do', async ({
  page,
  shell,
  run,
  endpoints,
}) => {
  await shell.open('#/run');
  // It is done at once.
  await run.choose('prime-factors');
  await expect
    .poll(() => actionsOfPage(page, shell))
    .toEqual(
      expect.arrayContaining(['Run on this computer', 'Mode: Wait for result', 'Clear the input', ...ofTheInput]),
    );
  expect((await actionsOfPage(page, shell))[0]).toBe('Run on this computer');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(
    shell.palette
      .getByRole('option', { name: /^Run on this computer/ })
      .or(shell.palette.locator('button', { hasText: 'Run on this computer' }))
      .first(),
  ).toContainText(/Enter|↵/);
  await page.keyboard.press('Escape');
  await expect(shell.palette).toBeHidden();
  await shell.command('Timeout…');
  await expect(page.getByRole('textbox', { name: 'How long the job may run' })).toBeFocused();
  await page.keyboard.press('Escape');
  await shell.command('Request in Python');
  const code = page.getByRole('region', { name: /^Code for/ });
  await expectFocusIn(page.getByRole('dialog').filter({ has: code }));
  await page.keyboard.press('Escape');
  const chooser = page.waitForEvent('filechooser');
  await shell.command('Insert a file');
  expect((await chooser).isMultiple()).toBe(true);
  await shell.command('Input: Schema');
  await expect(page.getByRole('tab', { name: 'Schema' })).toHaveAttribute('aria-selected', 'true');
  await shell.command('Input: JSON');
  await shell.command('Run on this computer');
  await run.expectState('Done');

  await shell.goTo('Jobs');
  await shell.command('Filter: Failed');
  await expect(page.getByRole('search', { name: 'Filter the jobs' })).toContainText('Failed');
  await shell.command('Clear the filters');
  await page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .first()
    .click();
  await expect
    .poll(() => actionsOfPage(page, shell))
    .toEqual(expect.arrayContaining(['Retry the job', 'Edit and run the job', 'Remove the job from this computer']));

  await shell.goTo('Endpoints');
  await endpoints.open('stream-words');
  await expect.poll(() => actionsOfPage(page, shell)).toContain('Copy curl command');
  await shell.command('Show Logs of stream-words');
  await expect(endpoints.inspector.getByRole('tab', { name: 'Logs' })).toHaveAttribute('aria-selected', 'true');
  await shell.command('Do not wrap long lines');
  await expect(page.getByRole('button', { name: 'Wrap long lines' })).toHaveAttribute('aria-pressed', 'false');
  await expect
    .poll(() => actionsOfPage(page, shell))
    .toEqual(expect.arrayContaining(['Wrap long lines', 'Copy the lines shown']));
  await shell.command('Delete the endpoint stream-words…');
  // The dialog listens to Escape once it has the focus.
  await expect(endpoints.dialog('Delete the endpoint stream-words?').getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
});

/**
 * Some actions of pages, as their buttons say them, by the address of the page. Those of the others have page specs.
 */
const actionsOf: Readonly<Record<string, readonly string[]>> = {
  // What the first steps offer depends on what is done already.
  '#/home': ['New run'],
  '#/terminals': ['Show Pods'],
  '#/machine': [
    'Pause until a time…',
    'Create a key',
    'Pause on battery: turn on',
    'Show the queue of prime-factors',
    'Show the log of prime-factors',
  ],
  '#/accounts': ['Add an account'],
  '#/settings': ['Settings: Keys'],
  '#/settings/storage': ['Count the data again', 'Export all data…', 'Import data…', 'Remove everything…'],
  '#/settings/bucket': ['Save and check the bucket'],
  '#/settings/limits': ['Limit requests: turn off'],
};

test('the palette has the actions of each page that is visited, below a field that stays in its place', async ({
  page,
  shell,
}) => {
  for (const [hash, actions] of Object.entries(actionsOf)) {
    await test.step(hash, async () => {
      await shell.open(hash);
      await expect.poll(() => actionsOfPage(page, shell), hash).toEqual(expect.arrayContaining([...actions]));
    });
  }
  await test.step('the field stays in its place while the list gets shorter', async () => {
    // It is in its place at once.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await shell.open('#/home');
    await page.keyboard.press('ControlOrMeta+k');
    const field = shell.palette.getByPlaceholder('Search or run a command');
    const topOf = async () => (await field.boundingBox())?.y;
    const height = async () => (await shell.palette.boundingBox())?.height ?? 0;
    await expect.poll(height).toBeGreaterThan(400);
    await expect.poll(topOf).toBeGreaterThan(50);
    const top = await topOf();
    await field.fill('high contrast');
    await expect.poll(height).toBeLessThan(200);
    expect(await topOf()).toBe(top);
  });
});

test('the palette finds other words and words with a wrong letter, marks what matches, and has no fault', async ({
  page,
  shell,
}) => {
  await shell.open('#/home');
  await page.keyboard.press('ControlOrMeta+k');
  const field = shell.palette.getByPlaceholder('Search or run a command');
  await expect(field).toBeFocused();
  await expectNoFault(page, 'the palette', '[role=dialog]');
  for (const [query, label] of [
    ['api key', 'Settings: Keys'],
    ['money', 'Billing'],
    ['night', 'Theme: Dark'],
  ] as const) {
    await field.fill(query);
    await expect(shell.palette.getByText(label, { exact: true }), query).toBeVisible();
  }
  await field.fill('stirage');
  await expect(shell.palette.locator('mark').first()).toHaveText('Storage');
  await expectNoFault(page, 'the palette with what matches marked', '[role=dialog]');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Storage' })).toHaveAttribute('aria-selected', 'true');
});

test('what is typed while the palette is still loaded stands in its field, and does nothing on the page', async ({
  page,
  shell,
}) => {
  const gate = Promise.withResolvers<undefined>();
  await page.route(/\/Palette-[^/]*\.js$/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await shell.open('#/pods');
  await page.keyboard.press('ControlOrMeta+k');
  // On Pods, the key n begins a new Pod.
  await page.keyboard.type('newx');
  await page.keyboard.press('Backspace');
  gate.resolve(undefined);
  await expect(shell.palette).toBeVisible();
  const field = shell.palette.getByRole('textbox');
  await expect(field).toHaveValue('new');
  await expect(field).toBeFocused();
  await page.keyboard.type(' h');
  await expect(field).toHaveValue('new h');
  await expect(page.getByRole('dialog')).toHaveCount(1);
});
