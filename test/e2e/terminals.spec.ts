// The page of terminals against the built host where nothing can run a container; shells in real Pods are in containers/.
import { expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

test(
  'with nothing to open a terminal into the page says so, and leads to the Pods',
  { tag: '@journey' },
  async ({ page, shell }) => {
    await shell.open('#/run');
    await shell.goTo('Terminals');
    await expect(page.getByText('No running Pods or containers')).toBeVisible();
    await expect(page.getByRole('button', { name: 'New terminal' })).toBeDisabled();
    await expectNoFault(page, 'no terminal', 'main');
    await page.getByRole('button', { name: 'Show Pods' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Pods' })).toBeVisible();
  },
);
