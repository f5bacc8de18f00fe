// State that engines push: the page shows it without questions of its own, also from another Hangar and after a break.
import type { Page } from '@playwright/test';
import { startRelay } from '../support/http/relay.ts';
import { call, makeEndpoint } from './support/handlers.ts';
import { expect, startHost, type Host } from './support/host.ts';
import type { EndpointsPage } from './pages/endpointsPage.ts';
import type { Shell } from './pages/shell.ts';
import { test } from './support/remoteTest.ts';

const NOTHING = 'export default () => null;';
/** Each interval of a poll is shorter. */
const LONG_MS = 120_000;

/** Counts the questions of one kind that the page sends to the app. To be called before the page is opened. */
function countQuestions(page: Page, kind = /endpoints\/now/): () => number {
  let count = 0;
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (kind.test(String(payload))) count += 1;
    }),
  );
  return () => count;
}

interface Parts {
  page: Page;
  host: Host;
  shell: Shell;
  endpoints: EndpointsPage;
  /** How many questions of each kind the page has sent. */
  questions: Record<'endpoints' | 'load' | 'samples' | 'lists', () => number>;
}

/** Lets the clock of the page run far ahead, several times, which makes every poll due: none is there. */
async function expectNoPoll(page: Page, questions: () => number): Promise<void> {
  await expect(async () => {
    const before = questions();
    for (let time = 0; time < 3; time++) {
      await page.clock.fastForward(LONG_MS);
      // What was due is sent by the time that an answer comes over the network.
      await page.evaluate(() => fetch('/', { method: 'HEAD' }).then(() => null));
    }
    expect(questions()).toBe(before);
  }).toPass();
}

const queueJob = (host: Host, endpointId: string): Promise<unknown> =>
  call(host, 'POST', `/v2/${endpointId}/run`, { input: {} });

async function expectEndpointsPushed({ page, host, shell, endpoints, questions }: Parts): Promise<void> {
  const id = await makeEndpoint(host, 'pushed-here', NOTHING, { workersMax: 0 });
  await shell.open('#/endpoints');
  await endpoints.open('pushed-here');
  await expect(endpoints.number('Queue')).toHaveText('0');
  await expectNoPoll(page, questions.endpoints);
  await queueJob(host, id);
  await expect(endpoints.number('Queue')).toHaveText('1');
  expect(questions.endpoints()).toBeGreaterThan(0);
  await makeEndpoint(host, 'pushed-later', NOTHING, { workersMax: 0 });
  await expect(endpoints.row('pushed-later')).toBeVisible();
  await call(host, 'DELETE', `/v1/endpoints/${id}`);
  await expect(endpoints.row('pushed-here')).toHaveCount(0);
  await expectNoPoll(page, questions.endpoints);
}

async function expectLoadPushed({ page, host, shell, endpoints, questions }: Parts): Promise<void> {
  const id = await makeEndpoint(host, 'measured-here', NOTHING, { workersMax: 1, idleTimeout: 600 });
  await queueJob(host, id);
  await shell.open('#/machine');
  await expect(page.getByRole('table', { name: 'Table of workers' })).toContainText('measured-here');
  await expect.poll(questions.samples).toBeGreaterThan(1);
  await expectNoPoll(page, questions.load);
  await shell.goTo('Endpoints');
  await endpoints.open('measured-here');
  await page.getByRole('tab', { name: 'Workers' }).click();
  await expect(page.getByRole('region', { name: 'Workers now' })).toBeVisible();
  await expectNoPoll(page, questions.load);
  await call(host, 'DELETE', `/v1/endpoints/${id}`);
}

async function expectListsPushed({ page, host, shell, questions }: Parts): Promise<void> {
  await shell.open('#/resources');
  await expect(page.getByRole('tab', { name: 'Templates' })).toBeVisible();
  await expectNoPoll(page, questions.lists);
  const template = await call(host, 'POST', '/v1/templates', { name: 'pushed-template', imageName: 'ubuntu:24.04' });
  await expect(page.getByText('pushed-template')).toBeVisible();
  await call(host, 'DELETE', `/v1/templates/${(template as { id: string }).id}`);
  await expect(page.getByText('pushed-template')).toHaveCount(0);
  await expectNoPoll(page, questions.lists);

  await shell.open('#/settings/keys');
  const key = await call(host, 'POST', '/local/v1/api-keys', { name: 'pushed-key', scope: 'read' });
  await expect(page.getByText('pushed-key')).toBeVisible();
  await expectNoPoll(page, questions.lists);
  await call(host, 'DELETE', `/local/v1/api-keys/${(key as { id: string }).id}`);
  await expect(page.getByText('pushed-key')).toHaveCount(0);
}

test('what scripts do on this computer is on the page without a poll: at endpoints, with its load, to resources and keys', async ({
  page,
  host,
  shell,
  endpoints,
}) => {
  const questions = {
    endpoints: countQuestions(page),
    load: countQuestions(page, /machine\/(get|workers)\b/),
    samples: countQuestions(page, /machine\/(machineSamples|workerSamples)\b/),
    lists: countQuestions(page, /(resources\/now|apiKeys\/list|machine\/(settings|engineSettings))\b/),
  };
  await page.clock.install();
  const parts = { page, host, shell, endpoints, questions };
  await test.step('what scripts do at an endpoint', () => expectEndpointsPushed(parts));
  await test.step('the load of the computer and of a worker, on the pages that show it', () => expectLoadPushed(parts));
  await test.step('resources, API keys and settings that scripts change', () => expectListsPushed(parts));
});

test('so is what happens on another Hangar, also what happened while it could not be reached', async ({
  page,
  shell,
  endpoints,
  accounts,
}) => {
  const questions = countQuestions(page);
  const far = await startHost();
  const relay = await startRelay(far.api);
  try {
    const id = await makeEndpoint(far, 'pushed-there', NOTHING, { workersMax: 0 });
    await page.clock.install();
    await shell.open('#/accounts');
    await accounts.add({
      kind: 'An engine on another machine',
      name: 'workshop',
      key: far.apiKey,
      addresses: { Address: relay.address },
    });
    await accounts.switchTo('workshop');
    await shell.goTo('Endpoints');
    await endpoints.open('pushed-there');
    await expectNoPoll(page, questions);
    await queueJob(far, id);
    await expect(endpoints.number('Queue')).toHaveText('1');

    const away = page.getByRole('alert').filter({ hasText: 'workshop cannot be reached.' });
    await relay.cut();
    await expect(away).toBeVisible();
    await queueJob(far, id);
    await expect(endpoints.number('Queue')).toHaveText('1');
    await relay.join();
    await expect(away).toBeHidden();
    await expect(endpoints.number('Queue')).toHaveText('2');
    await expectNoPoll(page, questions);
    await queueJob(far, id);
    await expect(endpoints.number('Queue')).toHaveText('3');
  } finally {
    await relay.cut();
    await far.stop();
  }
});
