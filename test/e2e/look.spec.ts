// What everybody must be able to see and reach: names, contrast, narrow windows, less motion.
import type { Endpoint, Template } from '#contract/api/resources.ts';
import type { Locator, Page } from '@playwright/test';
import { call, endpointNamed } from './support/machineTest.ts';
import { expect, test } from './support/host.ts';
import { expectOneRow, wideParts } from './support/layout.ts';

interface Nameless {
  tag: string;
  html: string;
}

/** Controls without a name, which a screen reader could only call "button". */
const namelessControls = (page: Page): Promise<Nameless[]> =>
  page.evaluate(() => {
    const controls = document.querySelectorAll(
      'button, a[href], input:not([type=hidden]), select, textarea, [role=button], [role=tab]',
    );
    const nameOf = (control: Element): string => {
      const by = control.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labelled = by.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
      const label = control instanceof HTMLInputElement ? (control.labels?.[0]?.textContent ?? '') : '';
      return [control.getAttribute('aria-label'), labelled, label, control.textContent].join('').trim();
    };
    return [...controls]
      .filter((control) => control.checkVisibility() && nameOf(control) === '')
      .map((control) => ({
        tag: control.tagName,
        html: control.outerHTML.slice(0, 200),
      }));
  });

/** Texts in sight whose contrast with what lies behind them is below 4.5:1. */
const faintTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgba = (colour: string): number[] => {
      if (!canvas) return [0, 0, 0, 1];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const luminance = ([red = 0, green = 0, blue = 0]: number[]) => {
      const linear = (value: number) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    };
    const behind = (element: Element | null): number[] => {
      for (let at = element; at; at = at.parentElement) {
        const colour = rgba(getComputedStyle(at).backgroundColor);
        if ((colour[3] ?? 0) > 0.95) return colour;
      }
      return [255, 255, 255, 1];
    };
    const faint: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const element = text.parentElement;
      const words = text.textContent?.trim() ?? '';
      if (
        !element ||
        words === '' ||
        !element.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
        })
      )
        continue;
      if (element.closest('[disabled], [data-disabled], [aria-hidden=true]')) continue;
      const [one, other] = [luminance(rgba(getComputedStyle(element).color)), luminance(behind(element))];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${words.slice(0, 40)}`);
    }
    return faint;
  });

for (const theme of ['Light', 'Dark'] as const) {
  test(`in the ${theme.toLowerCase()} theme every text can be read and every control has a name`, async ({
    page,
    shell,
    run,
    jobs,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await shell.open('#/run');
    await shell.chooseTheme(theme);
    await run.choose('fail-halfway');
    await run.run();
    await run.expectState('Failed');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect.poll(() => faintTexts(page)).toEqual([]);
    await expect.poll(() => namelessControls(page)).toEqual([]);
    await shell.goTo('Jobs');
    await jobs.rows.nth(0).click();
    await expect(jobs.inspector).toContainText('OutOfMemoryError');
    await expect.poll(() => faintTexts(page)).toEqual([]);
    await expect.poll(() => namelessControls(page)).toEqual([]);
  });
}

test('in a small window nothing scrolls sideways; in a large one the lists reach the edges of their cards', async ({
  page,
  shell,
  run,
  jobs,
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
    await shell.open('#/run');
    for (const [sample, state] of [
      ['stream-words', 'Done'],
      ['fail-halfway', 'Failed'],
    ] as const) {
      await run.choose(sample);
      await run.run();
      await run.expectState(state);
    }
    for (const name of ['Jobs', 'Endpoints', 'Accounts'] as const) {
      await shell.goTo(name);
      const list = page.getByRole('grid', { name });
      await expect(list.getByRole('gridcell').first()).toBeVisible();
      const { free, chips } = await list.evaluate((grid) => {
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
          chips: [...new Set(chipEdges)],
        };
      });
      // What is left is the line of the card.
      expect(free, name).toBeLessThanOrEqual(1);
      expect(chips, name).toHaveLength(1);
    }
  });
});

test('the focus is always to be seen, and nothing is asked of anybody but the host of the page', async ({
  page,
  shell,
  host,
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
    for (const tab of ['', '/storage', '/keys', '/limits', '/ssh', '/bucket']) {
      await shell.open(`#/settings${tab}`);
      const heads = form.getByRole('tabpanel').getByRole('heading');
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
      expect(await edges('gridcell'), name).toEqual(await edges('columnheader'));
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

test('in a narrow window ids stay whole, buttons lie over no text, and what opens stays within the window', async ({
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
    await expect(page.getByRole('dialog').filter({ hasText: 'import runpod' })).toBeInViewport({ ratio: 1 });
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
    await shell.open('#/endpoints');
    await endpoints.open('stream-words');
    const command = endpoints.inspector.getByRole('region', { name: 'curl' });
    const copy = endpoints.inspector.getByRole('button', { name: 'Copy curl command' });
    await expect(copy).toBeVisible();
    const [text, button] = [await command.boundingBox(), await copy.boundingBox()];
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual(button?.x ?? 0);
    await endpoints.tab('Workers');
    const id = endpoints.inspector.getByRole('region', { name: 'Workers now' }).getByTitle(/^w-/);
    await expect(id.first()).toBeVisible();
    const isWhole = () => id.first().evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    await expect.poll(isWhole).toBe(true);
  });
  await test.step('the limits have room between their switch and their table', async () => {
    await shell.open('#/settings/limits');
    const [, end] = await heightOf(page.getByText('When off, no rate limits apply.'));
    const [begin] = await heightOf(page.getByRole('columnheader', { name: 'Operation' }));
    expect(begin - end).toBeGreaterThanOrEqual(10);
  });
  await test.step('a field of several values has one ring of focus', async () => {
    await shell.open('#/machine');
    const field = page.getByRole('combobox', { name: 'Pause while any of these programs is running' });
    await field.focus();
    await expect(field).toHaveCSS('outline-style', 'none');
    await expect(page.locator('.mantine-TagsInput-input').filter({ has: field })).toHaveCSS('outline-style', 'solid');
  });
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

test('the heads of all pages are on one line, and their first cards begin on one', async ({ page, shell }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const placeOfHead = () =>
    page.getByRole('heading', { level: 1 }).evaluate((heading) => {
      const { left, top, bottom } = heading.getBoundingClientRect();
      const head = heading.closest('header')?.getBoundingClientRect().bottom ?? 0;
      return [left, (top + bottom) / 2, head].map(Math.round).join(' ');
    });
  await shell.open('#/home');
  // What was there before the page was loaded has no place.
  let place = '';
  await expect.poll(async () => (place = await placeOfHead())).not.toMatch(/^0 /);
  const pages = ['run', 'run/~compare', 'jobs', 'endpoints', 'pods', 'terminals', 'machine', 'gpus', 'resources'];
  for (const name of [...pages, 'billing', 'accounts', 'settings']) {
    // A new document, which has no head of the page before.
    await page.goto('about:blank');
    await shell.open(`#/${name}`);
    if (name === 'machine') await expect(page.getByRole('heading', { level: 1 })).toContainText('this computer');
    await expect.poll(placeOfHead, name).toBe(place);
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
  const list = page.getByRole('grid', { name: 'Jobs' });
  const fade = () => list.evaluate((grid) => getComputedStyle(grid, '::after').opacity);
  await expect.poll(fade).toBe('1');
  await list.press('End');
  await expect.poll(fade).toBe('0');
});
