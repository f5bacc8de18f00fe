/**
 * Lists the jobs of an account that has only the public job API: what `/requests` of its endpoints answers, while a
 * window shows jobs. It has no input and no time of sending: the time is that of the first look, less what the job is
 * known to have taken.
 */
import { toAppError } from '#contract/core/errors.ts';
import { isTerminal } from '#contract/api/job.ts';
import type { LenientRequest } from '#contract/api/lenient.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { JobNote } from '#contract/local/jobFeed.ts';
import { pause } from '../platform/clock.ts';
import type { FeedReaderOptions, FeedSource } from './feedReader.ts';

export interface RequestsSource extends FeedSource {
  jobs: FeedSource['jobs'] & { requests(endpointId: string, signal: AbortSignal): Promise<LenientRequest[]> };
  management: { endpoints(): Promise<{ id: string; name: string; type?: string | undefined }[]> };
}

export interface RequestsReaderOptions extends Omit<FeedReaderOptions, 'source'> {
  source: () => RequestsSource;
}

/** The rate of `/requests` is 10 in 10 seconds, for each endpoint and all clients. */
const EVERY_MS = 15_000;
const UNWANTED_MS = 500;
const UNREACHABLE_MS = 60_000;
/** Most jobs of an endpoint that are asked about by themselves in one round. */
const UNLISTED = 10;
const FORGOTTEN = 'The service no longer knows this job, and its end was not read.';
/** Endpoints are listed again after so many rounds. */
const ROUNDS_OF_LIST = 8;

function noteOf(job: LenientRequest, endpoint: { id: string; name: string }, now: number): JobNote {
  const ended = isTerminal(job.status);
  const { delayTime = null, executionTime = null } = job;
  const submittedAt = now - (delayTime ?? 0) - (executionTime ?? 0);
  return {
    id: job.id,
    endpointId: endpoint.id,
    endpointName: endpoint.name,
    sync: job.id.startsWith('sync-'),
    sender: { own: false, keyName: null, client: null },
    status: job.status,
    removed: false,
    submittedAt,
    queuedAt: submittedAt,
    workerStartedAt: null,
    pricePerHour: null,
    startedAt: null,
    finishedAt: ended ? now : null,
    delayTime,
    executionTime,
    workerId: job.workerId ?? null,
    retries: job.retries ?? 0,
    error: job.error ?? null,
    waiting: null,
    body: null,
    bodyBytes: null,
    output: null,
    // Its status tells whether it has one.
    outputBytes: ended ? 0 : null,
    chunks: [],
    chunkTotal: 0,
  };
}

/** Runs until the signal is aborted. Never rejects. */
export async function readRequests(options: RequestsReaderOptions): Promise<void> {
  const { account, source, journal, isSending, isWanted, hasRoom, onWritten, clock, logger, signal } = options;
  const place = { accountId: account.id, accountName: account.name };
  /** Endpoints whose service does not list requests. */
  const silent = new Set<string>();
  let endpoints: { id: string; name: string; type?: string | undefined }[] = [];
  let round = 0;

  /** A job that is not among the newest any more. One that its service has forgotten is gone. */
  async function askAbout({ entryId, endpointId, jobId }: LedgerEntry): Promise<LenientRequest[]> {
    try {
      return [(await source().jobs.status(endpointId, jobId ?? '', signal)).view];
    } catch (thrown) {
      if (toAppError(thrown).code !== 'NOT_FOUND') throw thrown;
      await journal.finish(entryId, { status: 'GONE', error: FORGOTTEN, waiting: null, finishedAt: clock.now() }, null);
      return [];
    }
  }

  async function readEndpoint(endpoint: { id: string; name: string }): Promise<void> {
    try {
      const requests = await source().jobs.requests(endpoint.id, signal);
      // A job that this app sends just now is there before its answer names it.
      if (isSending()) return;
      const listed = new Set(requests.map(({ id }) => id));
      const unlisted = journal
        .unfinishedByFeed(account.id)
        .filter(({ endpointId, jobId }) => endpointId === endpoint.id && jobId !== null && !listed.has(jobId));
      for (const entry of unlisted.slice(0, UNLISTED)) requests.push(...(await askAbout(entry)));
      const notes = requests.map((one) => noteOf(one, endpoint, clock.now()));
      const { bytes, large } = journal.record(place, notes, clock.now());
      onWritten(bytes);
      for (const { entryId, note } of large) {
        const { output } = await source().jobs.status(note.endpointId, note.id, signal);
        if (output !== null) journal.addTexts(entryId, null, output);
      }
    } catch (thrown) {
      signal.throwIfAborted();
      const error = toAppError(thrown);
      if (error.code === 'UNAVAILABLE' || error.code === 'TOO_MANY_REQUESTS') throw error;
      silent.add(endpoint.id);
      logger.debug(
        { reason: error.message, endpointId: endpoint.id, ...place },
        'an endpoint does not list its requests',
      );
    }
  }

  async function readAll(): Promise<void> {
    if (round++ % ROUNDS_OF_LIST === 0) endpoints = await source().management.endpoints();
    for (const endpoint of endpoints) {
      if (endpoint.type !== 'LB' && !silent.has(endpoint.id)) await readEndpoint(endpoint);
    }
  }

  while (!signal.aborted) {
    if (!isWanted() || !hasRoom()) {
      await pause(clock, UNWANTED_MS, signal);
      continue;
    }
    try {
      await readAll();
      await pause(clock, EVERY_MS, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.debug({ err: error, ...place }, 'the requests of an account could not be read');
      await pause(clock, UNREACHABLE_MS, signal);
    }
  }
}
