// Another Hangar in a network of its own, reached by its address there: paired, worked with, lost and found again.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Pod } from '#contract/api/pod.ts';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { makeLinkedNetwork, whyNoLinkedNetwork } from '../../support/containers/linkedNetwork.ts';
import { AccountsPage } from '../pages/accountsPage.ts';
import { PodsPage } from '../pages/podsPage.ts';
import { Shell } from '../pages/shell.ts';
import { openTab } from '../pages/tabs.ts';
import { call, expectNoFault, makeEndpoint, writeFolder } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

const none = whyNoLinkedNetwork();
const SERVES = `/bin/sh -c "trap 'exit 0' TERM; mkdir -p /www; echo hello from $RUNPOD_POD_ID > /www/index.html; httpd -p 8888 -h /www; while :; do sleep 0.2; done"`;
/**
 * What the loss of a connection that says nothing may take to be noticed: the silence of a stream of events, and one
 * try.
 */
const NOTICED = { timeout: 120_000 };
/** Streams a word, and the other one once a file tells it to. */
const STEPS = `import { existsSync } from 'node:fs';
import { join } from 'node:path';
export default async function* (job) {
  yield 'first of ' + job.input.name + '\\n';
  while (!existsSync(join(import.meta.dirname, '..', 'other-network', 'go'))) await new Promise((done) => setTimeout(done, 20));
  yield 'second of ' + job.input.name + '\\n';
}`;

/** Asks for a page of a Pod at an address, as a browser asks that takes its name for this address. */
async function askPod(at: URL, host: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const asking = request({ hostname: at.hostname, port: at.port, headers: { host, ...headers } });
  asking.end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return [answer.statusCode ?? 0, await text(answer)];
}

/** The same from a program in the other network. Prints the status before the text. */
const ASKS = `require('node:http').get({ host: '127.0.0.1', port: process.argv[1], headers: { host: process.argv[2] } }, (answer) => {
  process.stdout.write(answer.statusCode + ' ');
  answer.pipe(process.stdout);
});`;

test('another Hangar is paired by its link, works as this one does, and comes back by itself after its cable was out', async ({
  page,
  shell,
  run,
  pods,
  browser,
}) => {
  test.skip(none !== null, none ?? '');
  await using network = await makeLinkedNetwork();
  // Its containers, their bridge and their ports are in the other network, too.
  await using containers = await startContainerEngine({ network });
  await makeShellImage(containers.docker, 'hangar-pod:1');
  const flags = ['--host', network.address, '--allow-lan'];
  const remote = await startHost({ under: network.under, dockerHost: containers.host, flags });
  await using _remote = { [Symbol.asyncDispose]: remote.stop };
  const host = await startHost();
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const accounts = new AccountsPage(page);
  await page.goto(host.link);
  await shell.ready();

  await test.step('paired by its link', async () => {
    expect(new URL(remote.api).hostname).toBe(network.address);
    const { code } = await call<{ code: string }>(remote, 'POST', '/local/v1/pairing-codes');
    await shell.goTo('Accounts');
    await accounts.pair('box', `${remote.api}/#${code}`);
    const keys = await call<{ name: string }[]>(remote, 'GET', '/local/v1/api-keys');
    expect(keys.map(({ name }) => name)).toContain(`Hangar on ${hostname()}`);
    await accounts.switchTo('box');
  });

  await test.step('a job runs there, and its chunks come while it does', async () => {
    await makeEndpoint(remote, 'stepwise-there', STEPS);
    await shell.goTo('Run');
    await run.choose('stepwise-there');
    await run.write('{"input": {"name": "a job"}}');
    await run.run();
    await expect(run.output).toContainText('first of a job');
    await run.expectState('Running');
    writeFolder('other-network', { go: '' });
    await expect(run.output).toContainText('second of a job');
    await run.expectState('Done');
  });

  const terminal = pods.inspector.getByRole('region', { name: 'Terminal in trainer' });
  const type = async (line: string): Promise<void> => {
    await terminal.locator('.xterm-screen').click();
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  };
  await test.step('a Pod is deployed there, and reached in a terminal and at its link', async () => {
    await shell.goTo('Pods');
    await pods.begin();
    await pods.fill({ Image: 'hangar-pod:1', Name: 'trainer', Command: SERVES });
    await pods.deploy();
    await expect(pods.sheet).toBeHidden();
    await expect(pods.state).toHaveText('Running');
    const [pod] = await call<Pod[]>(remote, 'GET', '/v1/pods');
    const host = `${pod!.id}-8888.localhost`;
    // Its server listens a moment after its container runs.
    await expect
      .poll(() => askPod(new URL(remote.api), host, { 'x-hangar-key': remote.apiKey }))
      .toEqual([200, `hello from ${pod!.id}\n`]);
    await pods.tab('Overview');
    const link = pods.inspector.getByRole('link', { name: /-8888\.localhost:/ });
    const [popup] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await expect(popup.locator('body')).toHaveText(`hello from ${pod!.id}`);
    expect(new URL(popup.url()).port).not.toBe(new URL(remote.api).port);
    await popup.close();

    // Without the key of the account, this machine does not reach it.
    const [status, answer] = await askPod(new URL(remote.api), host);
    expect([status, answer]).toEqual([401, expect.stringContaining('send it in the header')]);
    expect((await askPod(new URL(remote.api), host, { 'x-forwarded-for': '127.0.0.1' }))[0]).toBe(401);
    await pods.tab('Terminal');
    await type('echo there-$((40+2))');
    await expect(terminal.locator('.xterm-rows')).toContainText('there-42');
  });

  await test.step('a key that may no longer use Pods is a page that says what to do', async () => {
    const keys = await call<{ id: string; name: string }[]>(remote, 'GET', '/local/v1/api-keys');
    const { id } = keys.find(({ name }) => name === `Hangar on ${hostname()}`)!;
    await pods.tab('Overview');
    const link = pods.inspector.getByRole('link', { name: /-8888\.localhost:/ });
    const address = await link.getAttribute('href');
    await call(remote, 'PATCH', `/local/v1/api-keys/${id}`, { scope: 'read' });
    const tab = await page.context().newPage();
    await tab.goto(address!);
    await expect(tab.getByRole('heading', { name: '“box” refuses the key' })).toBeVisible();
    await expect(tab.locator('p')).toContainText('Enter another key on the page Accounts');
    await call(remote, 'PATCH', `/local/v1/api-keys/${id}`, { scope: 'all' });
    await tab.reload();
    await expect(tab.locator('body')).toHaveText(/^hello from /);
    await tab.close();
  });

  await test.step('the page of that Hangar, open on this computer, says how its Pod is reached', async () => {
    const context = await browser.newContext();
    const other = await context.newPage();
    await other.goto(remote.link);
    await new Shell(other).ready();
    await new Shell(other).goTo('Pods');
    const there = new PodsPage(other);
    await there.open('trainer');
    await there.tab('Overview');
    const ports = there.inspector.getByRole('region', { name: 'Ports', exact: true });
    const command = ports.getByText(/^ssh -N /);
    await expect(command).toHaveText(/^ssh -N -L (\d+):127\.0\.0\.1:\1 [\d.]+$/);
    expect(await command.innerText()).toMatch(new RegExp(` ${network.address.replaceAll('.', '\\.')}$`));
    await expect(ports.getByRole('button', { name: 'Copy command that forwards the ports' })).toBeVisible();
    // The address that it shows is served there, on loopback, where that engine itself does not listen.
    const { host, port } = new URL((await ports.getByRole('link').getAttribute('href'))!);
    const [enter, ...into] = network.under;
    const { stdout } = spawnSync(enter, [...into, process.execPath, '-e', ASKS, port, host], { encoding: 'utf8' });
    expect(stdout).toMatch(/^200 hello from /);
    await context.close();
  });

  await test.step('a file goes up and comes down as it was', async () => {
    const bytes = randomBytes(3_000_000);
    const file = join(host.dataDir, 'weights.bin');
    await writeFile(file, bytes);
    await openTab(pods.inspector, 'Files');
    await pods.inspector.getByLabel('Files to upload').setInputFiles(file);
    await expect(pods.inspector.getByRole('list', { name: 'Transfers' })).toContainText('Done');
    const row = pods.inspector.getByRole('row', { name: /weights\.bin/ });
    await expect(row).toContainText('2.9 MB');
    const coming = page.waitForEvent('download');
    await row.getByRole('button', { name: /^More/ }).click();
    await page.getByRole('menuitem', { name: 'Download' }).click();
    const chunks: Buffer[] = [];
    for await (const chunk of await (await coming).createReadStream()) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });

  const away = page.getByText('box cannot be reached.');
  /** The last number that the shell has printed; 0 before the first. */
  const lastTick = async (): Promise<number> => {
    const text = await terminal.locator('.xterm-rows').innerText();
    return Number([...text.matchAll(/tick-(\d+)\./g)].at(-1)?.[1] ?? 0);
  };
  await test.step('its cable is out: the page says so once and keeps what it knows', async () => {
    await pods.tab('Terminal');
    await type('n=0; while sleep 1; do n=$((n+1)); echo tick-$n.; done');
    await expect.poll(lastTick).toBeGreaterThan(0);
    network.plug(false);
    await expect(away).toBeVisible(NOTICED);
    await expect(page.getByText('cannot be reached')).toHaveCount(1);
    await expect(pods.row('trainer')).toBeVisible();
    await expect(terminal).toContainText('Not connected. What you type is not sent.', NOTICED);
    expect(await lastTick()).toBeGreaterThan(0);
    await expectNoFault(page, 'another Hangar that is away');
  });

  await test.step('its cable is in again: everything is back without a click', async () => {
    const before = await lastTick();
    network.plug(true);
    await expect(away).toBeHidden(NOTICED);
    await expect(pods.state).toHaveText('Running');
    await expect.poll(lastTick, NOTICED).toBeGreaterThan(before);
    await terminal.locator('.xterm-screen').click();
    await page.keyboard.press('Control+c');
    await type('echo again-$((40+2))');
    await expect(terminal.locator('.xterm-rows')).toContainText('again-42');
  });
  await pods.remove('trainer');
});
