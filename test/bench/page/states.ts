/** How soon the page shows what has changed in the engine: from the answer to another client until a row says so. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pod } from '#contract/api/pod.ts';
import type { Page } from '@playwright/test';
import { EndpointsPage } from '../../e2e/pages/endpointsPage.ts';
import { JobsPage } from '../../e2e/pages/jobsPage.ts';
import { PodsPage } from '../../e2e/pages/podsPage.ts';
import { call, makeEndpoint } from '../../e2e/support/handlers.ts';
import type { Host } from '../../e2e/support/host.ts';
import { startContainerEngine, whyNoContainers } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { interleave } from '../measuring/rounds.ts';
import { quantile } from '../measuring/statistics.ts';
import { atMost } from '../report.ts';
import type { PageBench } from './goals.ts';
import { onPage, startHostPage } from './hostPage.ts';

/** Milliseconds from the end of `change` until a row shows `text`; both clocks are those of this machine. */
async function shownAfter(page: Page, text: string, change: () => Promise<unknown>): Promise<number> {
  const watch = await page.evaluateHandle((wanted) => {
    const isShown = (): boolean => document.querySelector('[role=grid]')?.textContent.includes(wanted) === true;
    return {
      at: new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!isShown()) return;
          observer.disconnect();
          resolve(Date.now());
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    };
  }, text);
  await change();
  const changedAt = Date.now();
  return Math.max(0, (await watch.evaluate(({ at }) => at)) - changedAt);
}

/** So many that the slowest one alone does not decide. */
const CHANGES = 40;
/** Milliseconds until a change is shown. */
const LIMIT = atMost(150);

async function delaysOf(work: (index: number) => Promise<number>): Promise<number> {
  const delays: number[] = [];
  for (let index = 0; index < CHANGES; index++) delays.push(await work(index));
  return quantile(delays, 0.95);
}

/**
 * Reads as often as it can until the container of a Pod runs, or has ended: a start takes the time of its container.
 */
async function untilRuns(host: Host, podId: string, runs: boolean): Promise<void> {
  const isRight = async () => {
    const facts = await call<{ runtime: unknown; preparing: unknown }>(host, 'GET', `/local/v1/pods/${podId}`);
    return (facts.runtime !== null) === runs && facts.preparing === null;
  };
  while (!(await isRight())) await delay(5);
}

/** The delays of a job that a script sent, of an endpoint's new name, and of a Pod that is stopped and started. */
export async function stateChanges(bench: PageBench): Promise<void> {
  await jobsAndNames(bench);
  await podStates(bench);
}

async function jobsAndNames({ board, rounds, hostPage, bare }: PageBench): Promise<void> {
  const { host } = hostPage;
  const endpoint = await makeEndpoint(host, 'told', 'export default (job) => job.input.prompt;');
  // The list of jobs has no rows to watch before the first one.
  await call(host, 'POST', `/v2/${endpoint}/run`, { input: { prompt: 'the first one' } });
  let round = 0;
  const { jobs, peer, names } = await interleave('STATE', rounds, {
    jobs: () =>
      onPage(hostPage.newContext(), '/#/jobs', async (page) => {
        round += 1;
        await new JobsPage(page).rows.first().waitFor();
        return delaysOf((index) => {
          const prompt = `mark ${round}-${index}.`;
          return shownAfter(page, prompt, () => call(host, 'POST', `/v2/${endpoint}/run`, { input: { prompt } }));
        });
      }),
    peer: () =>
      onPage(hostPage.browser.newContext(), `${bare.address}/events`, async (page) => {
        await page.getByText('ready').waitFor();
        return delaysOf((index) => {
          const text = `mark-${round}-${index}.`;
          return shownAfter(page, text, () => fetch(`${bare.address}/tell?text=${text}`, { method: 'POST' }));
        });
      }),
    names: () =>
      onPage(hostPage.newContext(), '/#/endpoints', async (page) => {
        await new EndpointsPage(page).rows.first().waitFor();
        return delaysOf((index) => {
          const name = `told-${round}-${index}.`;
          return shownAfter(page, name, () => call(host, 'PATCH', `/v1/endpoints/${endpoint}`, { name }));
        });
      }),
  });
  const what = 'a job of a script in the list, p95';
  board.add({ goal: 'STATE', what, unit: 'ms', engine: jobs, floor: LIMIT });
  board.add({
    goal: 'STATE',
    what: `${what}, beside a bare event`,
    unit: 'ms',
    engine: jobs,
    peer: { name: 'event', values: peer },
  });
  board.add({ goal: 'STATE', what: 'the new name of an endpoint, p95', unit: 'ms', engine: names, floor: LIMIT });
}

const IMAGE = 'hangar-bench:1';
/** Ends as soon as it is asked to. */
const QUIET = ['/bin/sh', '-c', "trap 'exit 0' TERM; sleep 100000 & wait"];

/** On a host of its own, with a container engine of its own. */
async function podStates({ board, rounds }: PageBench): Promise<void> {
  const why = whyNoContainers();
  if (why !== null) {
    board.skip('STATE of Pods', why);
    return;
  }
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, IMAGE);
  await using hostPage = await startHostPage({ dockerHost: containers.host });
  const { host } = hostPage;
  const pod = await call<Pod>(host, 'POST', '/v1/pods', {
    name: 'told',
    imageName: IMAGE,
    dockerStartCmd: QUIET,
    computeType: 'CPU',
  });
  const { pods } = await interleave('STATE of Pods', rounds, {
    pods: () =>
      onPage(hostPage.newContext(), '/#/pods', async (page) => {
        await new PodsPage(page).row('told').filter({ hasText: 'Running' }).waitFor();
        return delaysOf((index) => {
          const [action, state] = index % 2 === 0 ? (['stop', 'Stopped'] as const) : (['start', 'Running'] as const);
          return shownAfter(page, state, async () => {
            await call(host, 'POST', `/v1/pods/${pod.id}/${action}`);
            await untilRuns(host, pod.id, action === 'start');
          });
        });
      }),
  });
  await call(host, 'DELETE', `/v1/pods/${pod.id}`);
  board.add({ goal: 'STATE', what: 'a Pod that is stopped or started, p95', unit: 'ms', engine: pods, floor: LIMIT });
}
