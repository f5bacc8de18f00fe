/** PROMPT: from the click on Deploy to the prompt of the new Pod, beside the start of its container. */
import type { Page } from '@playwright/test';
import type { Pod } from '#contract/api/pod.ts';
import { PodsPage } from '../../e2e/pages/podsPage.ts';
import { call } from '../../e2e/support/handlers.ts';
import { startContainerEngine, whyNoContainers } from '../../support/containers/engine.ts';
import { startEngineProxy, type EngineProxy } from '../../support/containers/engineProxy.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { until } from '../../support/core/until.ts';
import { interleave } from '../measuring/rounds.ts';
import { atMost } from '../report.ts';
import type { PageBench } from './goals.ts';
import { onPage, startHostPage } from './hostPage.ts';

/** What may be added to the start of the container, in milliseconds. */
const LIMIT = atMost(500);
const IMAGE = 'hangar-prompt:1';
const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;

interface Deployed {
  /** From the click to the prompt on the screen, in milliseconds. */
  readonly promptMs: number;
  /** From the request that makes the container to the answer that it runs, in milliseconds. */
  readonly startMs: number;
}

/**
 * The times of the next click and of the prompt after it, in milliseconds since the epoch. The tab Terminal of the new
 * Pod is chosen in the frame that shows it: what the driver of the browser waits for is not the program's.
 */
const watchPrompt = (page: Page) =>
  page.evaluateHandle(() => ({
    times: new Promise<{ clickedAt: number; promptAt: number }>((resolve) => {
      let clickedAt = 0;
      addEventListener('click', () => (clickedAt ||= Date.now()), { capture: true });
      let isChosen = false;
      const check = (): void => {
        const tab = [...document.querySelectorAll<HTMLElement>('[role=tab]')].find(
          (one) => one.textContent === 'Terminal',
        );
        if (clickedAt > 0 && !isChosen && tab !== undefined) {
          isChosen = true;
          tab.click();
        }
        const rows = document.querySelector('.xterm-rows')?.textContent.trimEnd() ?? '';
        if (clickedAt > 0 && /[#$]$/.test(rows)) resolve({ clickedAt, promptAt: Date.now() });
        else requestAnimationFrame(check);
      };
      check();
    }),
  }));

async function deploy(page: Page, engine: EngineProxy, name: string): Promise<Deployed> {
  const pods = new PodsPage(page);
  await pods.begin();
  await pods.fill({ Image: IMAGE, Name: name, Command: STAYS });
  const requestsBefore = engine.requests.length;
  const startsBefore = engine.started.length;
  const watch = await watchPrompt(page);
  await pods.deploy();
  const { clickedAt, promptAt } = await watch.evaluate(({ times }) => times);
  const created = engine.requests.slice(requestsBefore).find(({ what }) => what === 'POST /containers/create');
  const startedAt = engine.started[startsBefore];
  if (created === undefined || startedAt === undefined) throw new Error('No container was made for the Pod.');
  return { promptMs: promptAt - clickedAt, startMs: startedAt - created.at };
}

/** Milliseconds from the click on Deploy to the prompt, and what of it the container does not take. */
export async function firstPrompt({ board, rounds }: PageBench): Promise<void> {
  const noContainers = whyNoContainers();
  if (noContainers !== null) {
    board.skip('PROMPT', noContainers);
    return;
  }
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, IMAGE);
  await using engine = await startEngineProxy(containers.host);
  await using hostPage = await startHostPage({ dockerHost: engine.host });
  const { host } = hostPage;
  let count = 0;
  const { deployed } = await interleave('PROMPT', rounds, {
    deployed: async () => {
      const times = await onPage(hostPage.newContext(), '/#/pods', (page) =>
        deploy(page, engine, `pod-${(count += 1)}`),
      );
      for (const { id } of await call<Pod[]>(host, 'GET', '/v1/pods')) await call(host, 'DELETE', `/v1/pods/${id}`);
      await until('the containers to be gone', async () => (await containers.ours()).length === 0);
      return times;
    },
  });
  const what = 'from the click on Deploy to the prompt of a Pod';
  const startMs = deployed.map((one) => one.startMs);
  const promptMs = deployed.map((one) => one.promptMs);
  board.add({ goal: 'PROMPT', what, unit: 'ms', engine: promptMs });
  board.add({ goal: 'PROMPT', what: 'of it the start of its container', unit: 'ms', engine: startMs });
  board.add({
    goal: 'PROMPT',
    what: 'of it all else',
    unit: 'ms',
    engine: deployed.map((one) => one.promptMs - one.startMs),
    floor: LIMIT,
  });
}
