// An account with a long name as the target: its name gives way, and no button, price or count leaves the window for
// it.
import { call } from '../support/handlers.ts';
import { expect } from '../support/host.ts';
import { wideParts } from '../support/layout.ts';
import { visit } from '../support/pictures.ts';
import { cloudV2, test } from '../support/remoteTest.ts';

const LONG = 'Imaging laboratory, the account of the whole research group';

test('a long name of the target moves nothing in the title bar, and pushes nothing out of a window of 420 px', async ({
  page,
  shell,
  accounts,
  remote,
  host,
}) => {
  remote.addEndpoint({ name: 'far' });
  await shell.open('#/accounts');
  await accounts.add(cloudV2(remote, LONG));
  await call(host, 'POST', '/local/v1/pause', { when: 'now' });
  const search = page.getByRole('button', { name: /^Search/ });
  const placesOfSearch = async () => {
    const places = [];
    for (const width of [1280, 820, 640, 420]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
      places.push(await search.boundingBox());
    }
    return places;
  };
  await expect(shell.statusBar).toContainText('Paused by you');
  const places = await placesOfSearch();
  for (const part of ['Paused by you', /^no worker/, /^queue/])
    await expect(shell.statusBar.getByText(part)).toBeInViewport({ ratio: 1 });
  await call(host, 'DELETE', '/local/v1/pause');
  await accounts.switchTo(LONG);
  await expect(shell.target).toHaveAccessibleName(`Target: ${LONG}, costs money`);
  await expect.poll(placesOfSearch).toEqual(places);
  for (const [address, button] of [
    ['#/run', /^Run on .* · costs money/],
    ['#/endpoints', /^New endpoint on /],
    ['#/pods', /^Deploy on .* · costs money/],
  ] as const) {
    await visit(page, address);
    await expect(page.getByRole('button', { name: button }).first()).toBeInViewport({ ratio: 1 });
    for (const part of ['Appearance', 'Keyboard shortcuts', /^Search/] as const)
      await expect(page.getByRole('button', { name: part, exact: true }), address).toBeInViewport({ ratio: 1 });
    await expect(shell.statusBar.getByText(/^queue/), address).toBeInViewport({ ratio: 1 });
    await expect(async () => expect(await wideParts(page), address).toEqual([])).toPass();
  }
  await visit(page, '#/accounts');
  await expect(page.getByRole('row', { name: new RegExp(`^${LONG}`) }).getByText('costs money')).toBeInViewport({
    ratio: 1,
  });
  await visit(page, '#/pods');
  await page.getByRole('button', { name: /^Deploy on/ }).click();
  const sheet = page.getByRole('dialog', { name: `Deploy a Pod on ${LONG}` });
  const deploy = sheet.getByRole('button', { name: /^Deploy on/ });
  await expect(deploy).toBeInViewport({ ratio: 1 });
  // The price behind the name is not what is cut off.
  await expect
    .poll(() =>
      deploy.locator('.mantine-Button-label').evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
    )
    .toBe(true);
});
