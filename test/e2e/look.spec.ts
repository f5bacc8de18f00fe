// What everybody must be able to see and reach: the focus, narrow and low windows.
import type { Endpoint, Template } from '#contract/api/resources.ts';
import type { Locator, Page } from '@playwright/test';
import { chatty, makeEndpoint } from './support/handlers.ts';
import { call, endpointNamed } from './support/machineTest.ts';
import { expectFocusIn } from './pages/focus.ts';
import { expect, test } from './support/host.ts';
import { expectOneRow, wideParts } from './support/layout.ts';

test('in a small window nothing scrolls sideways; in a large one the lists reach the edges of their cards', async ({
  page,
  shell,
  run,
  jobs,
  host,
}) => {
  await test.step('in a small window nothing scrolls sideways, and everything can be reached', async () => {
    const fits = async (where: string): Promise<void> => {
      for (const viewport of [
        { width: 900, height: 600 },
        // 1280 by 800 at 200 % zoom.
        { width: 640, height: 400 },
      ]) {
        await page.setViewportSize(viewport);
        await expect.poll(() => shell.sidewaysScroll(), `${where} at ${viewport.width}`).toBe(0);
      }
    };
    await shell.open('#/run');
    await run.choose('stream-words');
    await fits('a request');
    await run.run();
    await run.expectState('Done');
    await fits('a result');
    await shell.goTo('Jobs');
    // Beside the buttons of the row.
    await jobs.rows.nth(0).getByRole('gridcell', { name: 'Done' }).click();
    await expect(jobs.inspector).toContainText('stream-words');
    await fits('a job');
  });
  await test.step('the lines of a list reach the edges of its card, and its chips have one width', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const { id } = await endpointNamed(host, 'fail-halfway');
    await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 2, failAt: 1, delayMs: 1 } });
    for (const name of ['Jobs', 'Endpoints', 'Accounts'] as const) {
      await shell.goTo(name);
      const list = page.getByRole('grid', { name });
      await expect(list.getByRole('gridcell').first()).toBeVisible();
      const measure = (grid: Element) => {
        const card = grid.parentElement?.getBoundingClientRect();
        const rows = [...grid.querySelectorAll('[role=row]')].map((row) => row.getBoundingClientRect());
        // The number of workers has a sign and a tone, too, but it is no chip: it has no room around it.
        const tones = [...grid.querySelectorAll('[data-tone]:has(> svg)')].filter(
          (chip) => getComputedStyle(chip).paddingLeft !== '0px',
        );
        const chipEdges = tones.map((chip) => {
          const { left, right } = chip.getBoundingClientRect();
          return `${Math.round(left)} ${Math.round(right)}`;
        });
        return {
          free: Math.max(...rows.map((row) => (card?.right ?? 0) - row.right)),
          chips: [...new Set(chipEdges)].length,
        };
      };
      // What is left is the line of the card.
      await expect(async () => {
        const { free, chips } = await list.evaluate(measure);
        expect(free, name).toBeLessThanOrEqual(1);
        expect(chips, name).toBe(1);
      }).toPass();
    }
  });
});

test('the focus is always to be seen, and nothing is asked of anybody but the host of the page', async ({
  page,
  shell,
  host,
  run,
}) => {
  await test.step('nothing is asked of anybody but the host of the page', async () => {
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== host.page) foreign.push(request.url());
    });
    await shell.open('#/run');
    await shell.goTo('Jobs');
    expect(foreign).toEqual([]);
  });
  await test.step('the focus is always to be seen', async () => {
    await shell.open('#/run');
    // The page takes the focus when it is there.
    await expect(run.editor).toBeVisible();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const stops: string[] = [];
    for (let step = 0; step < 14; step += 1) {
      await page.keyboard.press('Tab');
      const ring = await page.evaluate(() => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const inEditor = focused.closest('.cm-editor') !== null;
        const shown = [focused, ...focused.querySelectorAll('*'), focused.parentElement].some(
          (element) =>
            element &&
            getComputedStyle(element).outlineStyle !== 'none' &&
            getComputedStyle(element).outlineWidth !== '0px',
        );
        return {
          name: focused.getAttribute('aria-label') ?? focused.textContent?.slice(0, 30) ?? '',
          shown: shown || inEditor,
        };
      });
      if (!ring) break;
      stops.push(`${ring.shown ? '' : 'NO RING '}${ring.name}`);
    }
    expect(stops.length).toBeGreaterThan(5);
    expect(stops.filter((name) => name.startsWith('NO RING'))).toEqual([]);
  });
});

test('forms have one width, tables stand under their headings, and an example in a field keeps its colour', async ({
  page,
  shell,
  endpoints,
}) => {
  await test.step('forms have one width, and the cells of a table stand under their headings', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const form = page.getByRole('region', { name: 'Settings' });
    const boxes = new Set<string>();
    for (const [tab, title] of [
      ['', 'General'],
      ['/storage', 'Storage'],
      ['/keys', 'Keys'],
      ['/limits', 'Rates and limits'],
      ['/ssh', 'SSH'],
      ['/bucket', 'Bucket'],
    ] as const) {
      await shell.open(`#/settings${tab}`);
      const heads = form.getByRole('tabpanel', { name: title }).getByRole('heading');
      await expect(heads.first()).toBeVisible();
      const box = await form.boundingBox();
      const headings = await heads.evaluateAll((all) => [
        ...new Set(all.map((heading) => Math.round(heading.getBoundingClientRect().left))),
      ]);
      boxes.add(JSON.stringify([box?.x, box?.width, ...headings]));
      // The card is as wide as that of other pages; its texts and fields are not.
      const ends = await form
        .locator('p, input')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
      expect(Math.max(...ends) - (box?.x ?? 0), tab).toBeLessThanOrEqual(750);
    }
    expect([...boxes]).toHaveLength(1);
    for (const [hash, name] of [
      ['#/endpoints', 'Endpoints'],
      ['#/accounts', 'Accounts'],
    ] as const) {
      await shell.open(hash);
      const grid = page.getByRole('grid', { name });
      await expect(grid.getByRole('gridcell').first()).toBeVisible();
      const edges = (role: 'columnheader' | 'gridcell') =>
        grid
          .getByRole('row')
          .filter({ has: page.getByRole(role) })
          .first()
          .getByRole(role)
          .evaluateAll((cells) =>
            cells.map((cell) => {
              const { left, right } = cell.getBoundingClientRect();
              return [Math.round(left), Math.round(right), getComputedStyle(cell).textAlign];
            }),
          );
      await expect(async () => expect(await edges('gridcell'), name).toEqual(await edges('columnheader'))).toPass();
    }
  });
  await test.step('an example in an empty field keeps its colour when the field is wrong', async () => {
    await shell.open('#/endpoints');
    await endpoints.begin('Container image');
    const name = endpoints.field('Image');
    const colour = () => name.evaluate((field) => getComputedStyle(field, '::placeholder').color);
    const before = await colour();
    await endpoints.sheet.getByRole('button', { name: /^Create on/ }).click();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    expect(await colour()).toBe(before);
    await page.keyboard.press('Escape');
  });
});

async function noticeIsBox(page: Page): Promise<void> {
  const notice = page.getByRole('status').filter({ hasText: /^No GPU\./ });
  await expect(notice).toBeVisible();
  const { corner, gaps } = await notice.evaluate((box) => {
    const [inner, outer] = [box.getBoundingClientRect(), (box.parentElement ?? box).getBoundingClientRect()];
    return { corner: getComputedStyle(box).borderRadius, gaps: [inner.left - outer.left, outer.right - inner.right] };
  });
  expect(corner).toBe('8px');
  for (const gap of gaps) expect(gap).toBeGreaterThan(8);
}

test('in a narrow window ids stay whole, buttons lie over no text, notices are boxes, and what opens stays within the window', async ({
  page,
  shell,
  host,
  run,
  endpoints,
}) => {
  const heightOf = async (part: Locator): Promise<[top: number, bottom: number]> => {
    const box = await part.boundingBox();
    return box ? [box.y, box.y + box.height] : [NaN, NaN];
  };
  await page.setViewportSize({ width: 420, height: 800 });
  await test.step('the head of Run has two rows, and its code is not cut off', async () => {
    await shell.open('#/run');
    await run.choose('stream-words');
    const modes = page.getByRole('radiogroup', { name: 'Mode' });
    const [first, second] = [
      page
        .getByRole('heading', { level: 1 })
        .or(page.getByRole('button', { name: /^Endpoint:/ }))
        .or(modes),
      page.getByRole('button', { name: /^(Batch|Saved|History)/ }),
    ];
    await expectOneRow(first, 'the title, the endpoint and the modes');
    await expectOneRow(second, 'the other ways to run');
    await modes.getByText('Wait', { exact: true }).click();
    await expect(modes.getByRole('radio', { name: 'Wait for result' })).toBeChecked();
    await run.mode('Stream');
    await page.getByRole('group', { name: 'Request as code' }).getByRole('button', { name: 'Python' }).click();
    const code = page.getByRole('dialog').filter({ hasText: 'import runpod' });
    await expect(code).toBeInViewport({ ratio: 1 });
    await expectFocusIn(code);
    await page.keyboard.press('Escape');
    await run.run();
    await run.expectState('Done');
  });
  await test.step('the button of a page is beside its title', async () => {
    await shell.open('#/endpoints');
    const button = page.getByRole('button', { name: /^New endpoint on/ });
    await expectOneRow(page.getByRole('heading', { level: 1 }).or(button), 'the title and the button');
  });
  await test.step('the id of a worker is whole, and the button to copy a command is beside it', async () => {
    // Its worker stays, however long it takes to get there.
    const made = await makeEndpoint(host, 'stays-idle', chatty, { idleTimeout: 600 });
    await call(host, 'POST', `/v2/${made}/runsync`, { input: { steps: 1 } });
    await shell.open('#/endpoints');
    await endpoints.open('stays-idle');
    const command = endpoints.inspector.getByRole('region', { name: 'curl' });
    const copy = endpoints.inspector.getByRole('button', { name: 'Copy curl command' });
    await expect(copy).toBeVisible();
    const overlap = async () => {
      const [text, button] = [await command.boundingBox(), await copy.boundingBox()];
      return (text?.x ?? 0) + (text?.width ?? 0) - (button?.x ?? 0);
    };
    await expect.poll(overlap).toBeLessThanOrEqual(0);
    await endpoints.tab('Workers');
    const id = endpoints.inspector.getByRole('region', { name: 'Workers now' }).getByTitle(/^w-/);
    await expect(id.first()).toBeVisible();
    const isWhole = () => id.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    await expect.poll(isWhole).toBe(true);
  });
  await test.step('the limits have room between their switch and their table', async () => {
    await shell.open('#/settings/limits');
    const room = async () => {
      const [, end] = await heightOf(page.getByText('When off, no rate limits apply.'));
      const [begin] = await heightOf(page.getByRole('columnheader', { name: 'Operation' }));
      return begin - end;
    };
    await expect.poll(room).toBeGreaterThanOrEqual(10);
  });
  await test.step('a field of several values has one ring of focus', async () => {
    await shell.open('#/machine');
    const field = page.getByRole('combobox', { name: 'Pause while any of these programs is running' });
    await field.focus();
    await expect(field).toHaveCSS('outline-style', 'none');
    await expect(page.locator('.mantine-TagsInput-input').filter({ has: field })).toHaveCSS('outline-style', 'solid');
  });
  await test.step('a notice is a box with round corners within its card', () => noticeIsBox(page));
  await test.step('the buttons above files stand in one row', async () => {
    const body = { name: 'narrow', size: 1, dataCenterId: 'LOCAL-1' };
    const { id } = await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', body);
    await shell.open(`#/resources/volumes/${id}`);
    await expectOneRow(page.getByRole('button', { name: /^(New folder|Upload)$/ }), 'the buttons above files');
    await call(host, 'DELETE', `/v1/networkvolumes/${id}`);
  });
  await test.step('long names of templates give way at 640 px', async () => {
    const name = 'stable-diffusion-xl-turbo-with-refiner-and-upscaler';
    const imageName = 'registry.example/stable-diffusion/xl-turbo:1';
    const template = await call<Template>(host, 'POST', '/v1/templates', { name, imageName, isServerless: true });
    const used = await call<Endpoint>(host, 'POST', '/v1/endpoints', { name, templateId: template.id, workersMax: 0 });
    await page.setViewportSize({ width: 640, height: 800 });
    await shell.open('#/resources');
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
    await expect(async () => expect(await wideParts(page)).toEqual([])).toPass();
    await call(host, 'DELETE', `/v1/endpoints/${used.id}`);
    await call(host, 'DELETE', `/v1/templates/${template.id}`);
  });
});

test('in high contrast, a line around a state leaves room for its word', async ({ page, shell }) => {
  await page.emulateMedia({ contrast: 'more' });
  for (const hash of ['#/accounts/this-machine', '#/endpoints', '#/jobs']) {
    await shell.open(hash);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const states = page.locator('main [data-tone]:has(> svg)');
    const tight = () =>
      states.evaluateAll((all) =>
        all
          .filter((state) => {
            const { borderLeftStyle, borderLeftColor, paddingLeft } = getComputedStyle(state);
            return borderLeftStyle !== 'none' && borderLeftColor !== 'rgba(0, 0, 0, 0)' && parseFloat(paddingLeft) < 4;
          })
          .map((state) => state.textContent),
      );
    if (hash !== '#/jobs') await expect(states.first()).toBeVisible();
    await expect.poll(tight, hash).toEqual([]);
  }
});

test('a list that goes on below fades at its end, and its page keeps room for it in a low window', async ({
  page,
  shell,
  host,
}) => {
  const { id } = await endpointNamed(host, 'stream-words');
  for (let job = 0; job < 8; job += 1) await call(host, 'POST', `/v2/${id}/run`, { input: { text: `job ${job}` } });
  // 1280 by 800 at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  await shell.open('#/jobs');
  await expectOneRow(
    page.getByRole('heading', { level: 1 }).or(page.getByRole('button', { name: 'Filter' })),
    'the title and the filters',
  );
  await expectOneRow(
    page.getByLabel('Jobs now').or(page.getByRole('button', { name: 'Export' })),
    'the counts and the button to export',
  );
  const list = page.getByRole('grid', { name: 'Jobs' });
  const fade = () => list.evaluate((grid) => getComputedStyle(grid, '::after').opacity);
  await expect.poll(fade).toBe('1');
  // Rows that come later continue the list.
  await expect(async () => {
    await list.press('End');
    expect(await fade()).toBe('0');
  }).toPass();
});
