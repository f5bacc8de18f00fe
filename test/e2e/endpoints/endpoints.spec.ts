// The Endpoints page against the built host: real handlers and containers, edited, paused and deleted by hand.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint, Template } from '#contract/api/resources.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import {
  call,
  chatty,
  expectNoFault,
  expectWhileClockRuns,
  makeEndpoint,
  writeFolder,
  writeHandler,
} from '../support/handlers.ts';
import { expectFocusIn } from '../pages/focus.ts';
import { enginePid, expect, startHost, test } from '../support/host.ts';
import { keepNotices } from '../support/notices.ts';
import { visit } from '../support/pictures.ts';

test('an endpoint made from a folder runs, tells its log, takes an edited handler, pauses, resumes and is deleted', async ({
  shell,
  endpoints,
  run,
  host,
}) => {
  // Takes a moment to start, as one that loads a model does.
  const answers = (text: string) => `await new Promise((loaded) => setTimeout(loaded, 600));
    export default (job) => { console.log('asked for ' + job.input.what); return '${text}'; };`;
  const folder = writeHandler('by-hand', answers('the first answer'));
  await shell.open('#/endpoints');
  await endpoints.begin('Folder');
  await endpoints.fill({ Folder: folder });
  await expect(endpoints.sheet.getByText(/Runs handler\.mjs/)).toBeVisible();
  await expect(endpoints.field('Name')).toHaveValue('by-hand');
  await endpoints.fill({ 'Minimum workers': '1', 'Maximum workers': '1' });
  await endpoints.make();
  await expect(endpoints.state).toHaveText('Ready');

  await endpoints.tab('Workers');
  await endpoints.inspector.getByText('1 min', { exact: true }).click();
  const spans = endpoints.lanes.getByRole('button');
  await expect(spans.filter({ visible: true }).and(endpoints.page.getByLabel(/: starting, /))).toHaveCount(1);
  await expect(spans.and(endpoints.page.getByLabel(/: idle, .* to now/))).toHaveCount(1);
  const now = endpoints.inspector.getByRole('region', { name: 'Workers now' }).locator('tbody tr');
  await expect(now).toContainText('Idle');
  const { id } = (await call<Endpoint[]>(host, 'GET', '/v1/endpoints')).find(({ name }) => name === 'by-hand')!;
  // Those of other tests may still be idle.
  const workers = async () =>
    (await call<WorkerRecord[]>(host, 'GET', '/local/v1/workers')).filter(({ endpointId }) => endpointId === id);
  const [first] = await workers();

  await endpoints.inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await run.write('{"input": {"what": "a poem"}}');
  await run.run();
  await run.expectState('Done');
  await expect(run.output).toContainText('the first answer');

  await shell.goTo('Endpoints');
  await endpoints.open('by-hand');
  await expect(endpoints.number('Done')).toHaveText('1');
  await endpoints.tab('Logs');
  await expect(endpoints.lines.filter({ hasText: 'asked for a poem' })).toHaveCount(1);

  writeHandler('by-hand', answers('the second answer'));
  await endpoints.tab('Overview');
  await expect(endpoints.inspector).toContainText('Watching; last just now');
  await endpoints.tab('Workers');
  await expect(now.filter({ hasText: first?.id ?? 'no worker' })).toHaveCount(0);
  await expect(now).toContainText('Idle');

  await shell.command('Pause this computer now');
  await expect(endpoints.state).toHaveText('Paused');
  await endpoints.inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await run.run();
  await run.expectState('Queued');
  await shell.command('Resume this computer');
  await run.expectState('Done');
  await expect(run.output).toContainText('the second answer');

  await shell.goTo('Endpoints');
  await endpoints.open('by-hand');
  await expect(endpoints.state).toHaveText('Ready');
  await endpoints.menu('Delete the endpoint…');
  await expect(endpoints.dialog('Delete the endpoint by-hand?')).toContainText('1 worker, stopped immediately');
  await expectFocusIn(endpoints.dialog('Delete the endpoint by-hand?'));
  await endpoints.page.keyboard.press('Escape');
  await endpoints.remove('by-hand');
  await expect(endpoints.inspector).toBeHidden();
  await expect.poll(workers).toEqual([]);
  const templates = async () => (await call<Template[]>(host, 'GET', '/v1/templates')).map(({ name }) => name);
  await expect.poll(templates).not.toContain('by-hand');
});

test(
  'changed settings are shown as old and new before they are saved, without values of variables, and a log is followed',
  { tag: '@journey' },
  async ({ page, shell, endpoints, host }) => {
    const id = await makeEndpoint(host, 'to-change', chatty);
    await shell.open(`#/endpoints/${id}/settings`);
    const review = endpoints.inspector.getByRole('button', { name: 'Review and save…' });
    await expect(review).toBeDisabled();
    const most = endpoints.inspector.getByLabel('Maximum workers');
    await most.fill('-1');
    await expect(endpoints.inspector).toContainText('Correct the marked fields first');
    await expect(review).toBeDisabled();
    await endpoints.inspector.getByRole('button', { name: 'Discard' }).click();
    await expect(most).toHaveValue('3');

    await most.fill('7');
    await endpoints.inspector.getByRole('button', { name: 'Add a variable' }).click();
    await endpoints.inspector.getByLabel('Name of variable 1').fill('TOKEN');
    await endpoints.inspector.getByLabel('Value of variable 1').fill('not-for-eyes');
    await review.click();
    const dialog = endpoints.dialog('Change to-change?');
    await expect(dialog.getByRole('row', { name: 'Maximum workers' }).locator('del')).toHaveText('3');
    await expect(dialog.getByRole('row', { name: 'Maximum workers' }).locator('ins')).toHaveText('7');
    await expect(dialog.getByRole('row', { name: 'Variables' })).toContainText('TOKEN');
    await expect(dialog).not.toContainText('not-for-eyes');
    await expect(dialog).toContainText('Workers are replaced one by one');
    await dialog.getByRole('button', { name: 'Save 2 changes' }).click();
    await expect(dialog).toBeHidden();
    await expect(endpoints.inspector).toContainText('No changes');
    const { workersMax, templateId } = await call<Endpoint>(host, 'GET', `/v1/endpoints/${id}`);
    const { env } = await call<Template>(host, 'GET', `/v1/templates/${templateId}`);
    expect({ workersMax, env }).toEqual({ workersMax: 7, env: { TOKEN: 'not-for-eyes' } });
    await test.step('a log is followed until the person scrolls up', async () => {
      const say = (steps: number) => call(host, 'POST', `/v2/${id}/runsync`, { input: { steps } });
      await say(120);
      await endpoints.tab('Logs');
      const log = endpoints.inspector.getByRole('region', { name: 'Log of to-change' });
      await expect(endpoints.lines.filter({ hasText: 'ERROR: the cache' })).toBeInViewport();
      await log.hover();
      await page.mouse.wheel(0, -600);
      await expect(endpoints.inspector.getByRole('button', { name: 'Follow' })).toBeVisible();
      await say(30);
      await endpoints.inspector.getByRole('button', { name: /^\d+ new lines$/ }).click();
      await expect(endpoints.lines.filter({ hasText: 'step 29' }).last()).toBeInViewport();
    });
  },
);

/** What pages say while there is nothing to show, but for those whose page specs have it. */
const emptyPages: Readonly<Record<string, string>> = {
  '#/run': 'No endpoints on this computer yet',
  '#/machine': 'There is no endpoint with a queue yet.',
  '#/terminals': 'Terminals also open in Pods',
  '#/accounts': 'Only this computer so far',
};

test('an endpoint is paused and resumed, its queue waits meanwhile, and its copy has its settings', async ({
  shell,
  endpoints,
  run,
  host,
  page,
}) => {
  // A job ends once the test has written this file.
  const done = join(writeFolder('gate', { empty: '' }), 'done');
  const waits = `import { existsSync } from 'node:fs';
    export default async (job) => {
      while (job.input.waits && !existsSync(${JSON.stringify(done)})) await new Promise((next) => setTimeout(next, 20));
      return 'it is ' + process.env.MOOD;
    };`;
  const id = await makeEndpoint(host, 'patient', waits, { workersMax: 2, executionTimeoutMs: 900_000 });
  const { templateId } = await call<Endpoint>(host, 'GET', `/v1/endpoints/${id}`);
  await call(host, 'PATCH', `/v1/templates/${templateId}`, { env: { MOOD: 'calm' } });
  const job = (body: object) => call<{ id: string }>(host, 'POST', `/v2/${id}/run`, { input: body });
  const statusOf = async ({ id: jobId }: { id: string }) =>
    (await call<{ status: string }>(host, 'GET', `/v2/${id}/status/${jobId}`)).status;
  const first = await job({ waits: true });
  await expect.poll(() => statusOf(first)).toBe('IN_PROGRESS');
  await keepNotices(page);
  await shell.open('#/endpoints');
  await endpoints.open('patient');
  await endpoints.menu('Pause');
  const pausedNotice = page.getByRole('alert').filter({ hasText: 'Paused patient. 1 job still runs.' });
  await expect(pausedNotice).toBeVisible();
  await pausedNotice.getByRole('button', { name: 'Close' }).click();
  await expect(endpoints.state).toHaveText('Paused');
  await expect(endpoints.row('patient')).toContainText('Paused');
  await expect(endpoints.inspector.getByRole('status')).toContainText('The endpoint is paused.');
  writeFileSync(done, '');
  await expect.poll(() => statusOf(first)).toBe('COMPLETED');

  await endpoints.inspector.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('A job that you send now waits in its queue until you resume it.')).toBeVisible();
  await run.write('{"input": {}}');
  await run.run();
  await run.expectState('Queued');
  const notice = page.getByRole('main').getByRole('status').filter({ hasText: 'The endpoint is paused.' });
  await expect(notice).toContainText('1 job waits in the queue.');
  await notice.getByRole('button', { name: 'Resume' }).click();
  await run.expectState('Done');
  await expect(run.output).toContainText('it is calm');
  expect(await call<Endpoint>(host, 'GET', `/v1/endpoints/${id}`)).toMatchObject({ workersMin: 0, workersMax: 2 });

  await shell.goTo('Endpoints');
  await endpoints.open('patient');
  await shell.command('Pause patient');
  await expect(endpoints.state).toHaveText('Paused');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(endpoints.state).toHaveText('Ready');
  await endpoints.menu('Duplicate…');
  await expect(endpoints.field('Name')).toHaveValue('patient-2');
  await endpoints.make();
  await expect(endpoints.inspector.getByRole('heading', { level: 2, name: 'patient-2' })).toBeVisible();
  const all = await call<Endpoint[]>(host, 'GET', '/v1/endpoints');
  const copy = all.find(({ name }) => name === 'patient-2')!;
  expect(copy).toMatchObject({ workersMin: 0, workersMax: 2, executionTimeoutMs: 900_000 });
  expect(copy.templateId).not.toBe(templateId);
  const { output } = await call<{ output: string }>(host, 'POST', `/v2/${copy.id}/runsync`, { input: {} });
  expect(output).toBe('it is calm');
});

test('without any endpoint pages say so and what to do, and a sample is ready at once', async ({
  page,
  shell,
  endpoints,
}) => {
  const host = await startHost({ dockerHost: 'unix:///nowhere/docker.sock' });
  try {
    for (const { id } of await call<Endpoint[]>(host, 'GET', '/v1/endpoints')) {
      await call(host, 'DELETE', `/v1/endpoints/${id}`);
    }
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Endpoints');
    await expect(page.getByText('No endpoints on this computer yet')).toBeVisible();
    await expectNoFault(page, 'empty', 'main');
    for (const [hash, text] of Object.entries(emptyPages)) {
      await visit(page, hash);
      await expect(page.getByRole('main').getByText(text)).toBeVisible();
    }
    await shell.goTo('Endpoints');
    await page.getByRole('button', { name: /^From a sample/ }).click();
    await endpoints.sheet.getByRole('button', { name: 'Use fail-halfway' }).click();
    await expect(endpoints.sheet).toBeHidden();
    await expect(endpoints.inspector.getByRole('heading', { level: 2 })).toHaveText('fail-halfway');
    await expect(endpoints.state).toHaveText('Ready');

    await endpoints.begin('Container image');
    await endpoints.fill({ Image: 'me/worker:1', Name: 'no-engine' });
    await endpoints.make();
    await expect(endpoints.state).toHaveText('Cannot run');
    await expect(endpoints.inspector.getByRole('alert')).toContainText('which DOCKER_HOST names');

    await host.stop();
    await expect(endpoints.notice.filter({ hasText: /^Last known, .*offline/ })).toBeVisible();
    await expect(endpoints.row('no-engine')).toBeVisible();
  } finally {
    await host.stop();
  }
});

test('an engine that does not answer is told, beside the last numbers or in their place', async ({
  page,
  shell,
  endpoints,
  host,
}) => {
  const pid = enginePid(host);
  test.skip(pid === null, 'this system does not tell which process is the engine');
  await page.clock.install();
  await shell.open('#/endpoints');
  await expect(endpoints.rows.first()).toBeVisible();
  process.kill(pid ?? 0, 'SIGSTOP');
  try {
    await expect(shell.banner).toHaveText('The engine does not answer.');
    await expectWhileClockRuns(page, page.getByText(/^Last known, .* · offline$/));
    await expect(endpoints.rows.first()).toBeVisible();
    await page.reload();
    await expectWhileClockRuns(page, page.getByText('Available again when the engine is back'));
    await expect(shell.banner).toHaveText('The engine does not answer.');
    // Its process is there, and the shell says nevertheless that nobody is served.
    await expect(page.getByTestId('engine-status')).toContainText('does not answer');
    await expect(page.getByTestId('engine-status').locator('[data-tone="bad"]')).toBeVisible();
  } finally {
    process.kill(pid ?? 0, 'SIGCONT');
  }
  await expect(endpoints.rows.first()).toBeVisible();
  await expect(shell.banner).toBeHidden();
  await expect(page.getByTestId('engine-status').locator('[data-tone="ok"]')).toBeVisible();
});
