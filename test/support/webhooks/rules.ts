/** The rules of webhooks on a clock that is advanced by hand, with jobs that end as the spec says. */
import type { LimitSettings } from '#contract/local/settings.ts';
import type { Job } from '../../../main/engine/domain/jobs/jobRecord.ts';
import { createWebhooks } from '../../../main/engine/domain/webhooks/deliveryQueue.ts';
import { createFakeClock, createFakeIds, createFakeJobStore, silentLogger } from '../core/fakes.ts';
import { createLoadedJobs } from '../jobs/loadedJobs.ts';
import { createFakePoster, createFakeWebhookStore } from './fakes.ts';

const ENDPOINT = 'ep';
export const RECEIVER = 'http://receiver.test/told';
const nothing = (): void => undefined;

/** `tries`: the settings of webhooks, which a spec may change meanwhile. */
export function setUp({
  clock = createFakeClock(),
  store = createFakeWebhookStore(),
  jobStore = createFakeJobStore(),
  started = true,
  tries = undefined as (() => LimitSettings['webhook']) | undefined,
} = {}) {
  const poster = createFakePoster();
  const ids = createFakeIds();
  const webhooks = createWebhooks({ clock, ids, store, poster, logger: silentLogger, ...(tries && { tries }) });
  const jobs = createLoadedJobs({ clock, ids, store: jobStore, webhooks });
  if (started) webhooks.start();
  const worker = jobs.workers.touch('w', ENDPOINT);
  const commit = (fail?: Error): void => {
    jobStore.commit(fail);
    store.commit(fail);
  };

  /** A job that a worker has. */
  function begun(envelope: object = { webhook: RECEIVER }, body?: string): Job {
    const request = { input: {}, ...envelope };
    let made: Job | null = null;
    jobs.submit(
      { endpointId: ENDPOINT, request, body: body ?? JSON.stringify(request), sync: false, retentionMs: 60_000 },
      (_error, job) => (made = job),
    );
    commit();
    jobs.takeNow(worker, 1, nothing);
    commit();
    return made!;
  }

  function finish(job: Job, result: { output?: string; error?: string } = { output: '1' }): void {
    const { output = null, error = null } = result;
    jobs.result(job, 'w', { progress: false, output, error, stopWorker: false }, nothing);
  }

  /** A job that has ended and is being told of. */
  function completedJob(envelope?: object): Job {
    const job = begun(envelope);
    finish(job);
    commit();
    clock.advance(0);
    return job;
  }

  const only = () => [...store.rows.values()][0]!;
  return { clock, store, jobStore, poster, webhooks, jobs, begun, finish, completedJob, commit, only };
}
