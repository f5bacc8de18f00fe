/** `hangar run`: sends a job, follows it, and prints its results. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import { isOver } from '#contract/app/jobs/times.ts';
import type { JobEvent, LedgerEntry } from '#contract/app/ledger.ts';
import type { CommandClient } from '#contract/command/index.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes, toFailure, usage, type ExitCode } from '../failure.ts';
import { errorText, jobLine } from '../output/job.ts';
import { ChunkPrinter, printOutput } from '../output/jobOutput.ts';
import { createProgress, type Progress } from '../output/progress.ts';
import { readInput } from '../output/prompts.ts';
import { duration } from '../output/units.ts';
import { findAccount, findEndpoint } from '../targets.ts';
import { ACCOUNT, type AccountOption } from './shared.ts';

interface RunOptions extends AccountOption {
  input?: string;
  stream?: boolean;
  sync?: boolean;
  detach?: boolean;
}

async function textOf(source: string): Promise<string> {
  if (source === '-') return readInput();
  if (source.trimStart().startsWith('{')) return source;
  try {
    return await readFile(source, 'utf8');
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw usage(`The file of the input cannot be read: ${reason}.`);
  }
}

/** The request body. A text with "input" is a whole body and is sent unchanged; any other object is the input. */
export async function bodyOf(source: string | undefined): Promise<string> {
  if (source === undefined) return '{"input":{}}';
  const text = await textOf(source);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw usage(`The input is not valid JSON. ${thrown instanceof Error ? thrown.message : ''}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usage('The input must be a JSON object, such as {"prompt": "a cat"}.');
  }
  return 'input' in value ? text : `{"input":${text}}`;
}

const sentences: Partial<Record<LedgerEntry['status'], string>> = {
  FAILED: 'The job failed',
  TIMED_OUT: 'The job timed out',
  CANCELLED: 'The job was cancelled',
  REFUSED: 'The job was refused',
  UNANSWERED: 'No answer came',
  GONE: 'The service does not know the job any more',
};

/** The exit code of a refusal: unknown endpoint, refused key, or unreachable account. */
async function codeOfRefusal(client: CommandClient, { entryId }: LedgerEntry): Promise<ExitCode> {
  const status = (await client.jobs.requests({ entryId })).at(-1)?.status ?? null;
  if (status === 404) return exitCodes.notFound;
  const isAccount = status === null || status === 401 || status === 403 || status === 429 || status >= 500;
  return isAccount ? exitCodes.account : exitCodes.failed;
}

/** Throws CommandFailure if the job did not complete. */
async function requireCompleted(client: CommandClient, entry: LedgerEntry): Promise<void> {
  const { status, error } = entry;
  if (status === 'COMPLETED') return;
  const code = status === 'REFUSED' ? await codeOfRefusal(client, entry) : null;
  const message = `${sentences[status] ?? `The job is ${status}`}${error === null ? '.' : `: ${errorText(error, true)}`}`;
  throw new CommandFailure(code ?? (status === 'UNANSWERED' ? exitCodes.account : exitCodes.failed), message);
}

/** Shows the state of the job, its duration, and the reason of a wait. */
function showState(progress: Progress, entry: LedgerEntry): void {
  const since = entry.startedAt ?? entry.sentAt;
  progress.show(() => jobLine(entry, wholeSeconds(Date.now() - since)));
}

const wholeSeconds = (ms: number): string => (ms < 1000 ? '' : duration(ms - (ms % 1000)));

interface Followed {
  entry: LedgerEntry;
  output: string | null;
}

/** Follows the job to its end. `onEvent` runs before an event is shown. */
async function follow(
  client: CommandClient,
  sent: LedgerEntry,
  progress: Progress,
  onEvent: (event: JobEvent) => void,
): Promise<Followed> {
  let latest: Followed = { entry: sent, output: null };
  for await (const event of await client.jobs.watch({ entryId: sent.entryId })) {
    if (event.type !== 'chunks') latest = { entry: event.entry, output: event.output };
    progress.clear();
    onEvent(event);
    if (!isOver(latest.entry)) showState(progress, latest.entry);
  }
  return latest;
}

/** Ctrl+C cancels the job, after the service has answered with its id. */
function cancelAtInterrupt(cli: Cli, client: CommandClient, entryId: string, progress: Progress) {
  let isInterrupted = false;
  const cancel = async (): Promise<void> => {
    try {
      await client.jobs.cancel({ entryId });
    } catch (thrown) {
      progress.clear();
      cli.output.note(`The job was not cancelled: ${toFailure(thrown).message}`);
      process.exit(exitCodes.interrupted);
    }
  };
  let canCancel = false;
  cli.onInterrupt(() => {
    isInterrupted = true;
    progress.clear();
    cli.output.note('Cancelling the job. Press Ctrl+C again to leave immediately; the job may then continue.');
    if (canCancel) void cancel();
  });
  return {
    get isInterrupted() {
      return isInterrupted;
    },
    /** Called after the answer of the service. */
    ready() {
      canCancel = true;
      if (isInterrupted) void cancel();
    },
  };
}

async function run(cli: Cli, wanted: string, options: RunOptions): Promise<void> {
  const body = await bodyOf(options.input);
  const client = await cli.client();
  const account = await findAccount(client, options.account);
  const endpoint = await findEndpoint(client, account, wanted);
  const progress = createProgress();
  const entryId = randomUUID();
  const interrupt = options.detach ? null : cancelAtInterrupt(cli, client, entryId, progress);
  const startedAt = Date.now();
  progress.show(() => `Sending to ${endpoint.name}  ${wholeSeconds(Date.now() - startedAt)}`);
  try {
    const sent = await client.jobs.submit({
      entryId,
      accountId: account.id,
      endpointId: endpoint.id,
      endpointName: endpoint.name || endpoint.id,
      source: 'command',
      mode: options.sync ? 'runsync' : 'run',
      body,
    });
    if (isOver(sent)) return await requireCompleted(client, sent);
    if (options.detach) {
      progress.stop();
      cli.output.answer(`Job ${sent.jobId ?? entryId} was sent to ${endpoint.name}.`, sent);
      return;
    }
    interrupt?.ready();
    const chunks = new ChunkPrinter(cli.output);
    const { entry, output } = await follow(client, sent, progress, (event) => {
      if (!options.stream) return;
      chunks.take(event);
      // Output and progress line would share the terminal.
      if (chunks.hasPrinted && process.stdout.isTTY) progress.stop();
    });
    chunks.endLine();
    progress.stop();
    if (interrupt?.isInterrupted) {
      const ended = entry.status === 'CANCELLED' ? 'was cancelled' : `had ended before (${entry.status})`;
      throw new CommandFailure(exitCodes.interrupted, `The job ${ended}.`);
    }
    await requireCompleted(client, entry);
    if (!chunks.hasPrinted) await printOutput(client, cli.output, entry, output);
  } finally {
    progress.stop();
    cli.onInterrupt(null);
  }
}

export function addRun(program: Command, cli: () => Cli): void {
  program
    .command('run')
    .description('send a job and print its output')
    .argument('<endpoint>', 'id or name of the endpoint')
    .option(
      '-i, --input <file>',
      'file with the input, or with a whole body that has "input"; - reads standard input; JSON as text',
    )
    .addOption(new Option('--stream', 'print each chunk as it comes').conflicts('sync'))
    .option('--sync', 'send it by /runsync')
    .addOption(new Option('--detach', 'send it, print its id, and leave').conflicts('stream'))
    .option(...ACCOUNT)
    .addHelpText(
      'after',
      `
Ctrl+C cancels the job.

Examples:
  $ hangar run greet --input '{"name": "Ada"}'
  $ hangar run greet --input request.json --stream
  $ jq -n '{prompt: "a cat"}' | hangar run sdxl --input - --account cloud > answer.json`,
    )
    .action((endpoint: string, options: RunOptions) => run(cli(), endpoint, options));
}
