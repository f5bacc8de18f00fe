// Pods by the gallery, several at once, duplicated, and in a crash loop, against the built host and a real container
// engine.
import type { Pod } from '#contract/api/pod.ts';
import { limits } from '#contract/core/limits.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { containersOf } from '../../support/pods/pods.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, test } from './containerHost.ts';

/** The image of the card "Python", made here: nothing is pulled. */
const PYTHON = 'python:3.14.7-slim';
/** The longest wait between two starts of a Pod that crashes. */
const AGAIN_MS = limits.pod.again.mostMs;
const CRASHES = ['/bin/sh', '-c', 'echo weights are missing; exit 137'];

test('Pods are made from the gallery and from another Pod, stopped, started and deleted together, and one in a crash loop says why', async ({
  page,
  shell,
  pods,
  host,
  containers,
}) => {
  await makeShellImage(containers.docker, PYTHON);
  const podNamed = async (name: string): Promise<Pod> =>
    (await call<Pod[]>(host, 'GET', '/v1/pods')).find((pod) => pod.name === name)!;
  const chosen = page.getByRole('toolbar', { name: 'Selected Pods' });
  const results = page.getByRole('list', { name: 'Result' }).getByRole('listitem');
  const choose = async (...names: string[]): Promise<void> => {
    for (const name of names) await pods.list.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
  };

  await shell.open('#/pods');
  await test.step('a card of the gallery fills the form, and another one replaces what it filled', async () => {
    await pods.begin();
    const cards = pods.sheet.getByRole('list', { name: 'Start from' });
    const ports = pods.sheet.getByRole('group').or(pods.sheet).getByText('8080/http', { exact: true });
    await cards.getByRole('button', { name: /^code-server/ }).click();
    await expect(pods.field('Image')).toHaveValue(/^codercom\/code-server:\d/);
    await expect(pods.field('Name')).toHaveValue('code-server');
    await expect(ports.first()).toBeVisible();
    await expect(pods.field('Command')).toHaveValue('');
    await expect(pods.field('Name of variable 1')).toHaveValue('PASSWORD');
    await expect(pods.sheet).toContainText('Its first page, at port 8080: VS Code, after the password in PASSWORD.');
    await expectNoFault(page, 'the gallery', '[role=dialog]');
    await cards.getByRole('button', { name: /^Python/ }).click();
    await expect(pods.field('Image')).toHaveValue(PYTHON);
    await expect(pods.field('Name')).toHaveValue('python');
    await expect(ports).toHaveCount(0);
    await expect(pods.field('Command')).toHaveValue('sh -c "trap exit TERM; sleep infinity & wait"');
    await expect(pods.field('Name of variable 1')).toHaveCount(0);
    await expect(pods.sheet).toContainText('Already on the machine');
    await pods.deploy();
    await expect(pods.sheet).toBeHidden();
    await expect(pods.state).toHaveText('Running');
  });

  await test.step('a Pod is duplicated with its settings under a name of its own', async () => {
    await pods.inspector.getByRole('button', { name: 'More for python' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
    await expect(pods.field('Image')).toHaveValue(PYTHON);
    await expect(pods.field('Name')).toHaveValue('python-2');
    await pods.deploy();
    await expect(pods.sheet).toBeHidden();
    await expect(pods.inspector.getByRole('heading', { level: 2, name: 'python-2' })).toBeVisible();
    await expect(pods.state).toHaveText('Running');
    const [first, second] = [await podNamed('python'), await podNamed('python-2')];
    expect(second).toMatchObject({ dockerStartCmd: first.dockerStartCmd, volumeInGb: first.volumeInGb });
  });

  await test.step('two are stopped together, and started again, with a result for each', async () => {
    await choose('python', 'python-2');
    await chosen.getByRole('button', { name: 'Stop 2…' }).click();
    const question = page.getByRole('dialog', { name: 'Stop 2 Pods?' });
    await expect(question.getByRole('listitem')).toHaveText(['python-2', 'python']);
    await expectNoFault(page, 'two Pods to stop', '[role=dialog]');
    await question.getByRole('button', { name: 'Stop 2 Pods' }).click();
    await expect(results).toHaveText([/^Stopped python/, /^Stopped python/]);
    for (const name of ['python', 'python-2']) {
      const [container] = await containersOf(containers, (await podNamed(name)).id);
      expect(container).toMatchObject({ State: 'exited' });
    }
    await expectNoFault(page, 'two Pods that were stopped');
    await chosen.getByRole('button', { name: /^Start 2/ }).click();
    await expect(results).toHaveText([/^Started python/, /^Started python/]);
    await expect(pods.rows.filter({ hasText: 'Running' })).toHaveCount(2);
  });

  await test.step('a Pod whose container ends again and again has one state, with the count, the code and the last lines', async () => {
    await call(host, 'POST', '/v1/pods', {
      name: 'crasher',
      imageName: PYTHON,
      computeType: 'CPU',
      dockerStartCmd: CRASHES,
    });
    await pods.open('crasher');
    await expect(pods.state).toHaveText('Crash loop');
    const notice = pods.inspector.getByText(/^Its container ended/);
    await expect(notice).toContainText(/\(\d+ times so far\)/);
    // It stays so while the container is started again, which takes twice as long each time: so this comes first.
    const times = async (): Promise<number> => Number(/\((\d+) times/.exec(await notice.innerText())?.[1]);
    const before = await times();
    await expect.poll(times, { timeout: AGAIN_MS }).toBeGreaterThan(before);
    await expect(pods.state).toHaveText('Crash loop');
    await expect(notice).toContainText('code 137');
    await expect(notice).toContainText(/killed/i);
    await expect(pods.inspector.getByRole('region', { name: 'The last lines of crasher' })).toHaveText(
      'weights are missing',
    );
    await expectNoFault(page, 'a crash loop');
  });

  await test.step('those that may be deleted are deleted together, and a locked one stays', async () => {
    await call(host, 'PATCH', `/v1/pods/${(await podNamed('python-2')).id}`, { locked: true });
    await choose('crasher');
    await expect(chosen.getByRole('button', { name: 'Delete 2…' })).toBeEnabled();
    await chosen.getByRole('button', { name: 'Delete 2…' }).click();
    const question = page.getByRole('dialog', { name: 'Delete 2 Pods?' });
    await expect(question.getByRole('listitem')).toHaveText(['crasher', 'python']);
    await expectNoFault(page, 'two Pods to delete', '[role=dialog]');
    await question.getByRole('textbox').fill('delete');
    await question.getByRole('button', { name: 'Delete 2 Pods' }).click();
    await expect(pods.rows).toHaveCount(1);
    await expect(pods.row('python-2')).toContainText('Running');
    await expect(results).toHaveText([/^Deleted /, /^Deleted /]);
    await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(1);
  });
});
