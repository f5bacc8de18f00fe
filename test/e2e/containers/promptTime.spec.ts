// From the start of a Pod's container to its prompt: what is asked in between, of this Hangar's engine and of another
// one's.
import type { Page } from '@playwright/test';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { startEngineProxy, type EngineProxy } from '../../support/containers/engineProxy.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { until } from '../../support/core/until.ts';
import { AccountsPage } from '../pages/accountsPage.ts';
import type { PodsPage } from '../pages/podsPage.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;
/** What the engine asks about containers again and again, whatever a terminal does. */
const USUAL = /\/(?:stats|events|json|logs|_ping|version|info|resize)$/;

/** Times in milliseconds since the epoch; null before. */
interface WatchedPage {
  /** When the page asked for a terminal. */
  attachedAt: () => number | null;
  /** When the first output of a terminal came. */
  outputAt: () => number | null;
}

/** Called before the page is loaded. */
function watchPage(page: Page): WatchedPage {
  let attached: number | null = null;
  let output: number | null = null;
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      if (attached === null && String(payload).includes('terminals/attach')) attached = Date.now();
    });
    socket.on('framereceived', ({ payload }) => {
      if (attached !== null && output === null && /"type":"output"/.test(String(payload))) output = Date.now();
    });
  });
  return { attachedAt: () => attached, outputAt: () => output };
}

/** Deploys a Pod, opens its terminal while its container is not started yet, and lets it start. */
async function deploy(page: Page, watched: WatchedPage, pods: PodsPage, engine: EngineProxy, name: string) {
  await pods.begin();
  await pods.fill({ Image: 'hangar-pod:1', Name: name, Command: STAYS });
  engine.hold();
  const before = engine.started.length;
  const chunks: string[] = [];
  await expect
    .poll(() =>
      page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .map(({ name: url }) => url)
            .filter((url) => url.includes('/TerminalTab')).length,
      ),
    )
    .toBeGreaterThan(0);
  await pods.deploy();
  await expect(pods.sheet).toBeHidden();
  await pods.tab('Terminal');
  const terminal = pods.inspector.getByRole('region', { name: `Terminal in ${name}` });
  await expect(terminal).toContainText('Its container is not running yet.');
  await expectNoFault(page, 'a terminal that waits', '[aria-label=Pod]');
  await until('the page to ask for the terminal', watched.attachedAt);
  await terminal.locator('.xterm-screen').click();
  await page.keyboard.insertText('echo early-$((40+2))');
  await page.keyboard.press('Enter');
  const countBefore = engine.requests.length;
  page.on('request', (request) => {
    if (request.resourceType() === 'script' && watched.outputAt() === null) chunks.push(request.url());
  });
  engine.release();
  await expect(terminal.locator('.xterm-rows')).toContainText('early-42');
  await expect(terminal).not.toContainText('Its container is not running yet.');
  const startedAt = engine.started[before]!;
  const outputAt = watched.outputAt()!;
  const requests = engine.requests.slice(countBefore).filter(({ at }) => at <= outputAt);
  return {
    startedAt,
    outputAt,
    chunks,
    requests: requests.map(({ what }) => what).filter((what) => !USUAL.test(what)),
  };
}

function expectFew({ requests, chunks }: Awaited<ReturnType<typeof deploy>>): void {
  // The shell is one program of the container, made and started; no list is read first, and no part of the page is
  // loaded.
  expect(requests.map((what) => what.replace(/[0-9a-f]{64}/, 'ID'))).toEqual([
    expect.stringMatching(/^POST \/containers\/[^/]+\/exec$/),
    expect.stringMatching(/^POST \/exec\/[^/]+\/start$/),
  ]);
  expect(chunks).toEqual([]);
}

test('the prompt of a new Pod comes with its container: the terminal waits in the engine, and nothing is loaded or listed', async ({
  page,
  shell,
  pods,
}) => {
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-pod:1');
  await using engine = await startEngineProxy(containers.host);
  const host = await startHost({ dockerHost: engine.host });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const watched = watchPage(page);
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Pods');
  const local = await deploy(page, watched, pods, engine, 'here');
  test
    .info()
    .annotations.push({ type: 'ms from start to output', description: `local ${local.outputAt - local.startedAt}` });
  expectFew(local);
  await shell.ready();
  for (const pod of await call<{ id: string }[]>(host, 'GET', '/v1/pods'))
    await call(host, 'DELETE', `/v1/pods/${pod.id}`);
  await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(0);
});

test('the same of another Hangar', async ({ page, shell, pods }) => {
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-pod:1');
  await using engine = await startEngineProxy(containers.host);
  const remote = await startHost({ dockerHost: engine.host });
  await using _remote = { [Symbol.asyncDispose]: remote.stop };
  const host = await startHost();
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const accounts = new AccountsPage(page);
  const watched = watchPage(page);
  await page.goto(host.link);
  await shell.ready();
  const { code } = await call<{ code: string }>(remote, 'POST', '/local/v1/pairing-codes');
  await shell.goTo('Accounts');
  await accounts.pair('box', `${remote.api}/#${code}`);
  await accounts.switchTo('box');
  await shell.goTo('Pods');
  const there = await deploy(page, watched, pods, engine, 'there');
  test
    .info()
    .annotations.push({ type: 'ms from start to output', description: `remote ${there.outputAt - there.startedAt}` });
  expectFew(there);
  for (const pod of await call<{ id: string }[]>(remote, 'GET', '/v1/pods'))
    await call(remote, 'DELETE', `/v1/pods/${pod.id}`);
  await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(0);
});
