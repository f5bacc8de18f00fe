// The cost of a job against the built host: the price of its time counts, not a later one.
import { call, expectNoFault, makeEndpoint, setPrice } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const SLOW = `export default async ({ input }) => {
  await new Promise((next) => setTimeout(next, 40));
  return input.name;
};`;

test('a job that ran before a price was set costs nothing, and one after it has its cost at once', async ({
  page,
  shell,
  host,
}) => {
  try {
    await setPrice(host, null);
    const id = await makeEndpoint(host, 'priced-later', SLOW);
    const runNow = (name: string) => call(host, 'POST', `/v2/${id}/runsync`, { input: { name } });
    await runNow('before the price');
    await setPrice(host, 3600);
    await runNow('after the price');
    await shell.open('#/jobs');
    const grid = page.getByRole('grid', { name: 'Jobs, newest first' });
    await grid.getByRole('row', { name: /after the price/ }).click();
    const job = page.getByRole('region', { name: 'Job' });
    const basis = /^≈ \$.*, the price when it began\. Idle time of workers is not part of it\. Costs of the endpoint$/;
    await expect(job.getByText(basis)).toBeVisible();
    await expectNoFault(page, 'the cost of a job');
    await grid.getByRole('row', { name: /before the price/ }).click();
    await expect(job.getByText('No price was set when it ran.')).toBeVisible();
    await job.getByRole('link', { name: 'Set a price' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'GPU prices' })).toBeVisible();
  } finally {
    await setPrice(host, null);
  }
});
