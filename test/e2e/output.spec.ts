// Outputs of real handlers, shown by what they are.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Download, Locator, Page } from '@playwright/test';
import { bytesNamed, samples } from '../support/page/mediaSamples.ts';
import { expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const data = JSON.stringify(Object.fromEntries(Object.entries(samples).map(([name, { base64 }]) => [name, base64])));

/** Returns each kind of output, by its name. */
const handler = `const samples = ${data};
const kinds = {
  images: () => ({ images: [samples.png, samples.jpeg, samples.webp, samples.gif], seed: 4711 }),
  files: ({ address }) => ({ speech: samples.wav, clip: samples.webm, document: samples.pdf, image_url: address }),
  markdown: () => '# Report\\n\\n- one\\n- two\\n\\n<img src=x onerror="document.title = 1">',
  table: () => [{ name: 'a', score: 1 }, { name: 'b', score: 2 }],
  chat: () => ({ model: 'small', choices: [{ message: { role: 'assistant', content: 'It is **warm**.' } }] }),
  tree: () => ({ seed: 4711, nested: { list: [1, { deep: true }] } }),
  lines: () => Array.from({ length: 400 }, (_, line) => 'line ' + line).join('\\n'),
  large: () => Object.fromEntries(Array.from({ length: 30_000 }, (_, at) => ['key' + at, { at, text: 'x'.repeat(80) }])),
  remote: ({ address }) => ({ image_url: address }),
};
export default (job) => {
  console.log('this job makes ' + job.input.kind);
  return kinds[job.input.kind](job.input);
};`;

/** With members of each kind that a form has, so that the schema of past inputs has them. */
const bodyOf = (kind: string, more: object = {}): string =>
  JSON.stringify({
    input: { kind, address: 'https://example.com/a.png', steps: 30, hires: true, image_base64: '', ...more },
  });

const outputOf = (page: Page): Locator => page.getByRole('region', { name: 'Output', exact: true });

test.beforeEach(async ({ host, shell, run }, { title }) => {
  const name = `kinds-${title.length}`;
  await makeEndpoint(host, name, handler);
  await shell.open('#/run');
  await run.choose(name);
});

/** Several pictures in a grid: they come as one archive, and each is opened from there. */
async function lookAtPictures(page: Page): Promise<void> {
  const output = outputOf(page);
  const images = output.getByRole('img', { name: /^Image \d of the output$/ });
  await expect(images).toHaveCount(4);
  const widths = () =>
    images.evaluateAll((all) => all.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)));
  await expect.poll(widths).toEqual([8, 8, 8, 1]);
  await expect(output.getByText('[ 4 × media ]')).toBeVisible();
  const zip = page.waitForEvent('download');
  await output.getByRole('button', { name: 'Save all (ZIP)' }).click();
  const archive = await zip;
  expect(archive.suggestedFilename()).toMatch(/\.zip$/);
  // Its names stand in it as they are, and its content is not compressed.
  const bytes = readFileSync(await archive.path());
  expect(bytes.toString('latin1').match(/-[1-4]\.(png|jpe?g|webp|gif)/g)?.length).toBeGreaterThanOrEqual(4);
  expect(bytes.includes(Buffer.from(bytesNamed('jpeg')))).toBe(true);
  await output.getByRole('button', { name: 'Open image 2' }).click();
  await test.step('a picture is shown in full, at its own size, copied and saved, also without motion', () =>
    lookAtPicture(page));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('dialog', { name: 'Image 3 of 4' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

async function lookAtPicture(page: Page): Promise<void> {
  const viewer = page.getByRole('dialog', { name: 'Image 2 of 4' });
  await expect(viewer.getByText(/^JPEG · 8 × 8/)).toBeVisible();
  const widthOf = async () =>
    (await viewer.getByRole('img', { name: 'Image 2 of the output' }).boundingBox())?.width ?? 0;
  // Its picture is small, and larger here.
  await expect.poll(widthOf).toBe(64);
  await expectNoFault(page, 'the viewer of pictures', '[role=dialog]');
  expect(await viewer.evaluate((window) => window.scrollHeight - window.clientHeight)).toBe(0);
  await test.step('at its own size, and fitted again', async () => {
    await viewer.getByRole('button', { name: 'Actual size' }).click();
    const fit = viewer.getByRole('button', { name: 'Fit' });
    await expect(fit).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(widthOf).toBe(8);
    await fit.click();
    await expect(viewer.getByRole('button', { name: 'Actual size' })).toHaveAttribute('aria-pressed', 'false');
  });
  await test.step('the wheel, the keys and the buttons change its size around a place', async () => {
    await viewer.getByRole('img', { name: 'Image 2 of the output' }).hover();
    await page.mouse.wheel(0, -100);
    await expect.poll(widthOf).toBe(80);
    await expect(viewer.getByText('1000 %')).toBeVisible();
    await page.keyboard.press('-');
    await expect.poll(widthOf).toBe(64);
    await page.keyboard.press('1');
    await expect.poll(widthOf).toBe(8);
    await viewer.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(widthOf).toBe(10);
    await page.keyboard.press('0');
    await expect(viewer.getByRole('button', { name: 'Actual size' })).toHaveAttribute('aria-pressed', 'false');
  });
  await test.step('a JPEG is in the clipboard as PNG, with its size', async () => {
    await viewer.getByRole('button', { name: 'Copy' }).click();
    await expect(viewer.getByRole('button', { name: 'Copied' })).toBeVisible();
    const size = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const picture = await createImageBitmap(await item!.getType('image/png'));
      return [picture.width, picture.height];
    });
    expect(size).toEqual([8, 8]);
  });
  await test.step('its bytes are saved as they are', async () => {
    const saved = page.waitForEvent('download');
    await viewer.getByRole('button', { name: 'Save' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/\.jpe?g$/);
    expect(readFileSync(await download.path())).toEqual(Buffer.from(bytesNamed('jpeg')));
  });
  await test.step('nothing moves for a person who asked for that', async () => {
    const moving = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    expect(moving).toBe(0);
  });
}

/** Downloads what a button of the output saves; `place` from 0, where there are several. */
async function save(page: Page, button: string, place = 0): Promise<Download> {
  const saved = page.waitForEvent('download');
  await outputOf(page).getByRole('button', { name: button, exact: true }).nth(place).click();
  return saved;
}

/** What shows that each kind of output is there as what it is. */
const checks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  images: lookAtPictures,
  files: async (page) => {
    await expect(outputOf(page).getByText(/^WAV · 0\.\d s/)).toBeVisible();
    await expect(outputOf(page).getByText(/^WebM · \d\.\d s/)).toBeVisible();
    await expect(outputOf(page).getByText('on example.com')).toBeVisible();
    await expect(outputOf(page).getByText(/PDF · \d+ B/)).toBeVisible();
    expect((await save(page, 'Save', 2)).suggestedFilename()).toMatch(/\.pdf$/);
  },
  markdown: async (page) => {
    await expect(outputOf(page).getByRole('heading', { name: 'Report' })).toBeVisible();
    await expect(outputOf(page).getByRole('listitem')).toHaveCount(2);
    await expect(outputOf(page).getByText('<img src=x')).toBeVisible();
  },
  table: async (page) => {
    await expect(outputOf(page).getByRole('columnheader', { name: 'score' })).toBeVisible();
    const table = await save(page, 'Save as CSV');
    expect(table.suggestedFilename()).toMatch(/\.csv$/);
    const rows = readFileSync(await table.path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(rows).toEqual(['name,score', 'a,1', 'b,2']);
  },
  chat: (page) => expect(outputOf(page).getByRole('article', { name: 'Assistant' })).toHaveText(/It is warm\./),
  tree: (page) => expect(outputOf(page).getByRole('treeitem').filter({ hasText: 'deep: true' })).toBeVisible(),
};

test('each kind of output is shown as what it is and can be saved, and axe finds no fault in it, nor in a form of an input', async ({
  page,
  context,
  run,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  for (const [kind, check] of Object.entries(checks)) {
    await test.step(kind, async () => {
      await run.write(bodyOf(kind));
      await run.run();
      await check(page);
      await run.expectState('Done');
      await expectNoFault(page, kind, '[aria-label=Result]');
    });
  }
  await page.getByRole('tab', { name: 'Form' }).click();
  await expect(page.getByRole('checkbox', { name: 'hires' })).toBeVisible();
  await expectNoFault(page, 'the form', '[aria-label=Request]');
  await page.getByRole('tab', { name: 'Schema' }).click();
  await expect(page.getByText(`Read from the inputs of the last ${Object.keys(checks).length} jobs`)).toBeVisible();
  await expectNoFault(page, 'the schema of past inputs', '[aria-label=Request]');
  await page.getByRole('textbox', { name: 'Schema of the input' }).press('End');
  await page.keyboard.type(' ');
  await expect(page.getByText('Your own schema.')).toBeVisible();
  await expectNoFault(page, 'the schema', '[aria-label=Request]');
});

test('an output opens at its top, whatever its size, and loads from another host after a click only', async ({
  page,
  run,
}) => {
  await test.step('the log of a job is what its worker wrote meanwhile', async () => {
    for (const kind of ['tree', 'table']) {
      await run.write(bodyOf(kind));
      await run.run();
      await run.expectState('Done');
    }
    // The state may still be that of the job before, whose tabs go with it.
    await expect(page.getByRole('region', { name: 'Output', exact: true })).toContainText('2 columns');
    await page.getByRole('tab', { name: 'Log' }).click();
    const log = page.getByRole('region', { name: 'Log of this job' });
    await expect(log).toContainText('this job makes table');
    await expect(log).not.toContainText('this job makes tree');
  });
  await test.step('a finished output opens at its top', async () => {
    // The tab that was chosen stays.
    await page.getByRole('tab', { name: 'Output' }).click();
    await run.write(bodyOf('lines'));
    await run.run();
    await run.expectState('Done');
    await expect(page.getByRole('region', { name: 'Output', exact: true })).toContainText('line 399');
    expect(await run.output.evaluate((view) => view.scrollTop)).toBe(0);
  });
  await test.step('a picture on another host is loaded after a click only, and is what its bytes are', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end(request.url === '/page.png' ? '<script>document.title = "hit"</script>' : bytesNamed('png'));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      for (const name of ['cat.png', 'page.png']) {
        await run.write(bodyOf('remote', { address: `http://${host}/${name}` }));
        await run.run();
        await run.expectState('Done');
        const button = page.getByRole('button', { name: `Load from ${host}` });
        await expect(button).toBeVisible();
        expect(requests).not.toContain(`/${name}`);
        await button.click();
        if (name === 'cat.png')
          await expect(page.getByText(`PNG · 8 × 8 · ${bytesNamed('png').length} B`)).toBeVisible();
        else await expect(page.getByText(/this browser cannot show it/)).toBeVisible();
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
  await test.step('an answer of three megabytes is a tree at once, and unfolds at its end', async () => {
    await run.write(bodyOf('large'));
    await run.run();
    await run.expectState('Done');
    const tree = page.getByRole('tree');
    await expect(tree.getByRole('treeitem').first()).toBeVisible();
    // Its start is shown before the rest is there.
    await expect(run.output).toHaveAttribute('aria-busy', 'false');
    await tree.focus();
    await page.keyboard.press('End');
    const last = tree.getByRole('treeitem').filter({ hasText: 'key29999' });
    await expect(last).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(tree.getByRole('treeitem').filter({ hasText: 'at: 29999' })).toBeVisible();
  });
});
