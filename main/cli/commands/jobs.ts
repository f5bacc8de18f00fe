/** `hangar jobs`: the jobs of the ledger, which were sent from this computer or ran on it. */
import { InvalidArgumentError, type Command } from 'commander';
import {
  ledgerStatuses,
  type JobOutcome,
  type LedgerEntry,
  type LedgerFilter,
  type LedgerStatus,
} from '#contract/app/ledger.ts';
import { timesOf } from '#contract/app/jobs/times.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes } from '../failure.ts';
import { errorText, LAST_KNOWN, outputText, statusCell } from '../output/job.ts';
import { printOutput } from '../output/jobOutput.ts';
import type { Column } from '../output/table.ts';
import { ago, bytes, duration } from '../output/units.ts';
import { findAccount, findEndpoint, findJob } from '../targets.ts';
import { addGroup } from './shared.ts';

interface ListOptions {
  status?: LedgerStatus[];
  endpoint?: string;
  account?: string;
  text?: string;
  since?: number;
  limit: number;
}

/** Most entries of one request to the ledger. */
const PAGE = 500;

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function spanOf(text: string): number {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be a number with s, m, h or d, such as 30m.');
  return Number(amount) * (UNITS_MS[unit] ?? 0);
}

export function countOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
}

function statusOf(text: string, before: LedgerStatus[] = []): LedgerStatus[] {
  const statuses = text.split(',').map((word) => {
    const status = ledgerStatuses.find((one) => one === word.trim().toUpperCase().replaceAll('-', '_'));
    if (status === undefined) throw new InvalidArgumentError(`It must be one of ${ledgerStatuses.join(', ')}.`);
    return status;
  });
  return [...before, ...statuses];
}

const idOf = ({ jobId, entryId }: LedgerEntry): string => jobId ?? entryId;

/** A job that nobody can be asked about has no time that goes on. */
const timesNow = (entry: LedgerEntry) => timesOf(entry, entry.trouble === null ? Date.now() : null);
const durationOf = (ms: number | null): string => (ms === null ? '' : duration(ms));

/** Why it failed, is not followed now, or waits. `whole`: with a stack trace. */
const whyOf = ({ error, waiting, trouble, status }: LedgerEntry, whole: boolean): string => {
  if (error !== null) return errorText(error, whole);
  if (trouble !== null) return `${LAST_KNOWN} ${trouble}`;
  return whole || status === 'IN_QUEUE' ? (waiting ?? '') : '';
};

const columnsFor = (cli: Cli): Column<LedgerEntry>[] => [
  { title: 'JOB', value: idOf, whole: true },
  {
    title: 'STATE',
    value: ({ status }) => status,
    whole: true,
    style: (cell, { status }) => statusCell(cli.output, status, cell),
  },
  { title: 'ENDPOINT', value: ({ endpointName }) => endpointName },
  { title: 'ACCOUNT', value: ({ accountName }) => accountName, drop: 3 },
  { title: 'SENT', value: ({ sentAt }) => ago(sentAt), whole: true, drop: 1 },
  { title: 'RAN', value: (entry) => durationOf(timesNow(entry).ran), whole: true, align: 'right', drop: 2 },
  {
    title: 'WHY',
    value: (entry) => whyOf(entry, false),
    drop: 4,
  },
];

async function list(
  cli: Cli,
  { status, endpoint, account: accountName, text, since, limit }: ListOptions,
): Promise<void> {
  const client = await cli.client();
  const account = accountName === undefined && endpoint === undefined ? null : await findAccount(client, accountName);
  const chosen = account !== null && endpoint !== undefined ? await findEndpoint(client, account, endpoint) : null;
  const filter: LedgerFilter = {
    ...(status !== undefined && { statuses: status }),
    ...(account !== null && { accountId: account.id }),
    ...(chosen !== null && { endpointId: chosen.id }),
    ...(text !== undefined && { text }),
    ...(since !== undefined && { sentAfter: Date.now() - since }),
  };
  const entries: LedgerEntry[] = [];
  for (let isOver = false; !isOver;) {
    const wanted = Math.min(PAGE, limit - entries.length);
    const page = await client.jobs.list({ filter, offset: entries.length, limit: wanted });
    entries.push(...page.entries);
    // A search continues where the last request stopped.
    isOver = entries.length >= limit || (page.complete && entries.length >= page.matching);
  }
  cli.output.rows(columnsFor(cli), entries, 'No jobs match.');
}

async function show(cli: Cli, wanted: string): Promise<void> {
  const client = await cli.client();
  const { entryId } = await findJob(client, wanted);
  const { entry, body, output } = await client.jobs.get({ entryId });
  const time = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  const input = outputText(body);
  cli.output.fields(
    [
      { name: 'Job', value: idOf(entry) },
      { name: 'State', value: entry.status },
      { name: 'Why', value: whyOf(entry, true) || null },
      { name: 'Endpoint', value: `${entry.endpointName} (${entry.endpointId})` },
      { name: 'Account', value: entry.accountName },
      { name: 'Worker', value: entry.workerId },
      { name: 'Sent', value: time(entry.sentAt) },
      { name: 'Started', value: time(entry.startedAt) },
      { name: 'Ended', value: time(entry.finishedAt) },
      { name: 'Waited', value: durationOf(timesNow(entry).waited) || null },
      { name: 'Ran', value: durationOf(timesNow(entry).ran) },
      { name: 'Retries', value: entry.retries === 0 ? null : String(entry.retries) },
      { name: 'Chunks', value: entry.chunkCount === 0 ? null : String(entry.chunkCount) },
      { name: 'Size', value: `${bytes(entry.inputBytes)} in, ${bytes(entry.outputBytes)} out` },
      { name: 'Entry', value: entry.entryId },
      { name: 'Request', value: input },
      { name: 'Output', value: output === null ? null : outputText(output) },
    ],
    { ...entry, request: parsed(body), output: output === null ? null : parsed(output) },
  );
}

/** Parses raw JSON; a text that is not JSON stays a text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The text is not JSON: it stays a text.
    return text;
  }
}

/** Throws CommandFailure if the job has neither an output nor chunks. */
async function showOutput(cli: Cli, wanted: string): Promise<void> {
  const client = await cli.client();
  const { entryId } = await findJob(client, wanted);
  const { entry, output } = await client.jobs.get({ entryId });
  if (await printOutput(client, cli.output, entry, output)) return;
  throw new CommandFailure(
    exitCodes.failed,
    entry.error === null ? `The job has no output: it is ${entry.status}.` : errorText(entry.error, true),
  );
}

type Many = (client: Awaited<ReturnType<Cli['client']>>, entryIds: string[]) => Promise<AsyncIterable<JobOutcome>>;

/** Applies an operation to each job; throws CommandFailure if one failed. `verb`: the operation, in the past tense. */
async function toAll(cli: Cli, wanted: readonly string[], verb: string, act: Many): Promise<void> {
  const client = await cli.client();
  const entries: LedgerEntry[] = [];
  for (const id of wanted) entries.push(await findJob(client, id));
  const outcomes: JobOutcome[] = [];
  for await (const outcome of await act(
    client,
    entries.map(({ entryId }) => entryId),
  )) {
    outcomes.push(outcome);
    if (!cli.output.isForPerson) continue;
    const before = entries.find(({ entryId }) => entryId === outcome.entryId);
    const id = before === undefined ? outcome.entryId : idOf(before);
    if (outcome.problem !== null) cli.output.note(`Job ${id}: ${outcome.problem}`);
    else cli.output.line(`Job ${id} ${verb} (${outcome.entry?.status ?? 'unknown'}).`);
  }
  if (!cli.output.isForPerson) cli.output.json(outcomes);
  const failed = outcomes.filter(({ problem }) => problem !== null);
  if (failed.length === 0) return;
  const message = cli.output.isForPerson ? '' : failed.map(({ problem }) => problem).join('\n');
  throw new CommandFailure(exitCodes.failed, message);
}

export function addJobs(program: Command, cli: () => Cli): void {
  const jobs = addGroup(program, 'jobs', 'jobs that were sent from this computer or ran on it');
  jobs
    .command('list', { isDefault: true })
    .description('the newest jobs')
    .option('-s, --status <states>', `only jobs in these states: ${ledgerStatuses.join(', ')}`, statusOf)
    .option('-e, --endpoint <endpoint>', 'only jobs of this endpoint')
    .option('-a, --account <name>', 'only jobs of this account; for --endpoint: where it is (default: this computer)')
    .option('-t, --text <text>', 'only jobs whose id, endpoint, error, request or output has this text')
    .option('--since <time>', 'only jobs sent in this time, such as 30m, 12h or 7d', spanOf)
    .option('-n, --limit <number>', 'the maximum number of jobs', countOf, 20)
    .addHelpText(
      'after',
      `
Examples:
  $ hangar jobs --status FAILED,TIMED_OUT --since 1d
  $ hangar jobs --endpoint greet -n 100 --json | jq -r '.[].jobId'`,
    )
    .action((options: ListOptions) => list(cli(), options));
  jobs
    .command('show')
    .description('one job with its request and its output')
    .argument('<job>', 'id of the job')
    .action((job: string) => show(cli(), job));
  jobs
    .command('output')
    .description('the output of a job, or its chunks if it only streamed')
    .argument('<job>', 'id of the job')
    .action((job: string) => showOutput(cli(), job));
  jobs
    .command('cancel')
    .description('cancel jobs')
    .argument('<jobs...>', 'ids of the jobs')
    .action((ids: string[]) =>
      toAll(cli(), ids, 'was cancelled', (client, entryIds) => client.jobs.cancelMany({ entryIds })),
    );
  jobs
    .command('retry')
    .description('run failed or timed-out jobs again')
    .argument('<jobs...>', 'ids of the jobs')
    .action((ids: string[]) =>
      toAll(cli(), ids, 'is queued again', (client, entryIds) => client.jobs.retryMany({ entryIds })),
    );
}
