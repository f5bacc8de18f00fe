// What the computer does, on its page: workers, their logs and handlers, a queue put in order, a pause, crashes.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JobTimeline, WorkerRecord } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { MachinePage } from '../pages/machinePage.ts';
import type { RunPage } from '../pages/runPage.ts';
import type { Shell } from '../pages/shell.ts';
import { enginePid, startHost, type Host } from '../support/host.ts';
import { call, endpointNamed, expect, slow, test } from '../support/machineTest.ts';
import { expectNoFault } from '../support/handlers.ts';

interface Parts {
  shell: Shell;
  run: RunPage;
  machine: MachinePage;
  host: Host;
}

async function tellPublicSdk({ shell, run, machine, host }: Parts): Promise<void> {
  const program = join(import.meta.dirname, '../../support/workers/publicWorker/worker.mjs');
  const template = await call<{ id: string }>(host, 'POST', '/v1/templates', {
    name: 'with-public-sdk',
    imageName: pathToFileURL(host.dataDir).href,
    isServerless: true,
    dockerStartCmd: [process.execPath, program],
    env: { CALLS: join(host.dataDir, 'calls') },
  });
  const { id } = await call<Endpoint>(host, 'POST', '/v1/endpoints', {
    name: 'with-public-sdk',
    templateId: template.id,
    // It is looked at after its job.
    idleTimeout: 300,
  });
  await shell.open(`#/run/${id}`);
  await expect(run.page.getByText("Runs in the handler's own command")).toBeVisible();
  await run.write('{"input": {"echo": "hello"}}');
  await run.run();
  await run.expectState('Done');
  await run.page.getByRole('button', { name: 'Up to 1 s between jobs' }).click();
  await expect(
    run.page.getByText('the worker of the public SDK 1.12.0: it sleeps up to 1 s between jobs'),
  ).toBeVisible();
  await shell.goTo('This computer');
  await expect(machine.workers.getByRole('row').filter({ hasText: 'with-public-sdk' })).toContainText('public SDK');
  await call(host, 'DELETE', `/v1/endpoints/${id}`);
  // Run shows it until it hears that it is gone: only then another one can be chosen.
  await shell.goTo('Run');
  await expect(run.page.getByRole('region', { name: 'This endpoint does not exist' })).toBeVisible();
}

async function orderQueue({ shell, machine, host }: Omit<Parts, 'run'>): Promise<void> {
  const sample = await endpointNamed(host, 'stream-words');
  const { id } = await call<Endpoint>(host, 'POST', '/v1/endpoints', {
    name: 'one-after-another',
    templateId: sample.templateId,
    workersMax: 1,
  });
  await call(host, 'POST', '/local/v1/pause', { when: 'now' });
  const jobs: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    jobs.push((await call<{ id: string }>(host, 'POST', `/v2/${id}/run`, slow(2, 20))).id);
  }
  const [first, second, third, fourth] = jobs;
  await shell.open('#/machine');
  await machine.chooseQueue('one-after-another');
  await expect.poll(() => machine.order()).toEqual([first, second, third, fourth]);
  // A row says what its job is about, not only its id.
  await expect(machine.waiting.first()).toContainText('word0 word1');

  // By keys, and the focus stays with the job.
  await machine.waiting
    .nth(2)
    .getByRole('button', { name: /place 3$/ })
    .focus();
  await machine.page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => machine.order()).toEqual([first, third, second, fourth]);
  await machine.page.keyboard.press('Alt+ArrowUp');
  await expect.poll(() => machine.order()).toEqual([third, first, second, fourth]);
  await expect(machine.waiting.nth(0).getByRole('button', { name: /place 1$/ })).toBeFocused();
  // By its button, and by dragging.
  await machine.waiting.nth(1).getByRole('button', { name: /down$/ }).click();
  await expect.poll(() => machine.order()).toEqual([third, second, first, fourth]);
  await machine.waiting.nth(3).dragTo(machine.waiting.nth(1));
  await expect.poll(() => machine.order()).toEqual([third, fourth, second, first]);

  await machine.resumeButton.click();
  await expect(machine.waiting).toHaveCount(0);
  const started = async () => {
    const lives = await Promise.all(jobs.map((job) => call<JobTimeline>(host, 'GET', `/local/v1/jobs/${job}`)));
    return lives
      .filter(({ startedAt }) => startedAt !== null)
      .toSorted((one, other) => Date.parse(one.startedAt!) - Date.parse(other.startedAt!))
      .map((life) => life.id);
  };
  await expect.poll(started).toEqual([third, fourth, second, first]);
  await call(host, 'DELETE', `/v1/endpoints/${id}`);
}

async function crashTwice({ shell, machine, host }: Omit<Parts, 'run'>): Promise<void> {
  const { id: endpointId } = await endpointNamed(host, 'stream-words');
  // Longer than two crashes take on the slowest machine; it is stopped at the end.
  const { id } = await call<{ id: string }>(host, 'POST', `/v2/${endpointId}/run`, slow(800, 300));
  let before: string | undefined;
  for (let crash = 1; crash <= 2; crash += 1) {
    await expect(async () => {
      const workers = await call<WorkerRecord[]>(host, 'GET', '/local/v1/workers');
      const busy = workers.find(({ jobs }) => jobs.length > 0)?.id;
      expect(busy === undefined || busy === before).toBe(false);
      before = busy;
    }).toPass();
    // Who has it is on disk with the next commit.
    const later = await call<{ id: string }>(host, 'POST', `/v2/${endpointId}/run`, { input: {} });
    await call(host, 'POST', `/v2/${endpointId}/cancel/${later.id}`);
    const killed = enginePid(host);
    process.kill(killed ?? 0, 'SIGKILL');
    await expect.poll(() => enginePid(host) ?? killed, 'the process of the engine').not.toBe(killed);
  }
  await machine.page.goto(host.link);
  await shell.ready();
  await shell.dismissCrash();
  await shell.goTo('This computer');
  const aside = machine.queue.getByRole('region', { name: 'Set aside' });
  await expect(aside).toContainText('It was running during two crashes of the engine');
  await expect(aside.getByRole('listitem')).toContainText('word0 word1');
  await aside.getByRole('button', { name: /^Open job/ }).click();
  const sheet = machine.page.getByRole('dialog', { name: 'Job set aside' });
  await expect(sheet).toContainText('stream-words');
  await expectNoFault(machine.page, 'a job set aside', '[role=dialog]');
  await sheet.getByRole('button', { name: 'Open it in Jobs' }).click();
  await expect(machine.page).toHaveURL(/#\/jobs\//);
  await shell.goTo('This computer');
  await aside.getByRole('button', { name: /^Resume job/ }).click();
  await expect(aside).toBeHidden();
  const job = `/v2/${endpointId}`;
  await expect.poll(() => call(host, 'GET', `${job}/status/${id}`)).toMatchObject({ status: 'IN_PROGRESS' });
  await call(host, 'POST', `${job}/cancel/${id}`);
}

test('workers are listed with what runs them, are stopped by a pause, and take a changed handler', async ({
  shell,
  run,
  machine,
  host,
}) => {
  await shell.open('#/run');
  await run.choose('stream-words');
  await expect(run.page.getByText("Runs in Hangar's Node worker")).toBeVisible();
  // Longer than a worker is given to end by itself, on the slowest machine; it is stopped at the end.
  await run.write(JSON.stringify(slow(800, 300)));
  await run.run();
  await expect(run.output).toContainText('word3');
  await shell.goTo('This computer');
  await test.step('workers are listed with their endpoint and their loop', async () => {
    const row = machine.workers.getByRole('row').filter({ hasText: 'stream-words' }).first();
    await expect(row).toContainText('Node');
    await expect(row.locator('[data-worker-state]')).toHaveText(/Idle|Running|Stopping/);
  });
  await test.step('a pause sends a running job back to its queue, where it says why it waits; resuming ends that', async () => {
    await machine.pauseButton.click();
    await expect(machine.banner).toContainText('Paused by you.');
    await expect(shell.statusBar).toContainText('Paused by you');
    await shell.goTo('Run');
    await run.expectState('Queued');
    await expect(run.page.getByRole('region', { name: 'Job', exact: true })).toContainText(/Waiting:.*paused by you/i);
    await expect(shell.statusBar).toContainText('Paused by you');
    await shell.goTo('This computer');
    await machine.resumeButton.click();
    await expect(machine.banner).toBeHidden();
    await expect(shell.statusBar).not.toContainText('Paused');
    await shell.goTo('Run');
    await run.expectState('Running');
    await run.stopButton.click();
  });
  await test.step('a worker that asks with the loop of the public SDK is told apart, where jobs are sent and where workers are listed', () =>
    tellPublicSdk({ shell, run, machine, host }));
  await test.step('a change of a handler is told, and its new worker writes into the log of the computer', async () => {
    await shell.goTo('Run');
    await run.choose('fail-halfway');
    await run.run();
    await run.expectState('Failed');
    await shell.goTo('This computer');
    const handler = machine.handlers.getByRole('listitem').filter({ hasText: 'fail-halfway' });
    await expect(handler.getByLabel('Watching')).toBeVisible();
    appendFileSync(join(host.dataDir, 'examples/fail-halfway/handler.mjs'), "\nconsole.log('a new line of it');\n");
    await expect(handler).toContainText('changed just now');
    await call(host, 'POST', `/v2/${(await endpointNamed(host, 'fail-halfway')).id}/run`, { input: {} });
    const lines = machine.log.getByRole('region', { name: 'Log of all workers' });
    await expect(lines).toContainText(/fail-halfway\s*a new line of it/);
    await machine.log.getByRole('combobox', { name: 'Endpoint of the log' }).click();
    await machine.page.getByRole('option', { name: 'prime-factors' }).click();
    await expect(machine.log).not.toContainText('a new line of it');
    await handler.getByRole('button', { name: 'Log of fail-halfway' }).click();
    await expect(machine.page.getByRole('region', { name: 'Log of fail-halfway' })).toContainText('a new line of it');
  });
});

test('a queue is put in order, and a job that crashed the engine twice is set aside from it', async ({
  shell,
  machine,
  host,
}) => {
  await test.step('a job that is moved runs in its new place', () => orderQueue({ shell, machine, host }));
  test.skip(enginePid(host) === null, 'this system does not tell which process is the engine');
  await test.step('a job that ran while the engine crashed twice is set aside, can be looked at, and is let go on', async () => {
    // Each later page of such a host says so.
    const mortal = await startHost();
    await using _mortal = { [Symbol.asyncDispose]: mortal.stop };
    await crashTwice({ shell, machine, host: mortal });
  });
});
