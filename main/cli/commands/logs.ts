/** `hangar logs`: the logs of workers and Pods. */
import { Option, type Command } from 'commander';
import { limits } from '#contract/core/limits.ts';
import { logLevels, type LogLevel, type LogLine, type PodLogFilter } from '#contract/local/log.ts';
import type { CommandClient } from '#contract/command/index.ts';
import type { Cli } from '../cli.ts';
import { usage } from '../failure.ts';
import { printLogLine } from '../output/log.ts';
import { findAccount, findEndpoint, findJob, findPod } from '../targets.ts';
import { countOf } from './jobs.ts';
import { ACCOUNT, type AccountOption } from './shared.ts';

interface LogOptions extends AccountOption {
  follow?: boolean;
  job?: string;
  pod?: string;
  text?: string;
  level?: LogLevel;
  lines: number;
}

interface Question {
  accountId: string;
  filter: PodLogFilter;
}

async function questionOf(client: CommandClient, endpoint: string | undefined, options: LogOptions): Promise<Question> {
  const { job, pod, text, level, account: name } = options;
  const shared = { ...(text !== undefined && { text }), ...(level !== undefined && { level }) };
  if (job !== undefined) {
    if (endpoint !== undefined || pod !== undefined) throw usage('With --job, name no endpoint and no Pod.');
    const { accountId, endpointId, jobId } = await findJob(client, job);
    if (jobId === null) throw usage('The service did not accept this job, so it has no log.');
    return { accountId, filter: { ...shared, endpointId, jobId } };
  }
  const account = await findAccount(client, name);
  if (pod !== undefined) {
    if (endpoint !== undefined) throw usage('Name an endpoint or a Pod, not both.');
    const { pod: target } = await findPod(client, account, pod);
    return { accountId: account.id, filter: { ...shared, podId: target.id } };
  }
  if (endpoint === undefined) return { accountId: account.id, filter: shared };
  const { id } = await findEndpoint(client, account, endpoint);
  return { accountId: account.id, filter: { ...shared, endpointId: id } };
}

/** The newest matching lines, oldest first, at most `wanted`. */
async function newest(client: CommandClient, question: Question, wanted: number): Promise<LogLine[]> {
  let lines: LogLine[] = [];
  for (let before: number | undefined; lines.length < wanted;) {
    const page = await client.logs.page({
      ...question,
      limit: Math.min(limits.page.logLines, wanted - lines.length),
      ...(before !== undefined && { before }),
    });
    lines = [...page.lines, ...lines];
    if (page.next === null) break;
    before = page.next;
  }
  return lines;
}

async function logs(cli: Cli, endpoint: string | undefined, options: LogOptions): Promise<void> {
  const client = await cli.client();
  const question = await questionOf(client, endpoint, options);
  const names = await namesOf(client, question);
  const print = (line: LogLine): void => {
    if (!cli.output.isForPerson) cli.output.json(line);
    else printLogLine(cli.output, line, names?.get(line.endpointId) ?? null);
  };
  const lines = await newest(client, question, options.lines);
  if (!options.follow && !cli.output.isForPerson) return cli.output.json(lines);
  for (const line of lines) print(line);
  if (!options.follow) {
    if (lines.length === 0) cli.output.note('Nothing was written.');
    return;
  }
  for await (const batch of await client.logs.follow({ ...question, after: lines.at(-1)?.n ?? 0 })) {
    for (const line of batch.lines) print(line);
  }
}

/** Endpoint names by id, if lines of several endpoints are shown; otherwise null. */
async function namesOf(client: CommandClient, { accountId, filter }: Question): Promise<Map<string, string> | null> {
  if (filter.endpointId !== undefined || filter.podId !== undefined) return null;
  return new Map((await client.endpoints.list({ accountId })).map(({ id, name }) => [id, name]));
}

export function addLogs(program: Command, cli: () => Cli): void {
  program
    .command('logs')
    .description('what workers and Pods write')
    .argument('[endpoint]', 'id or name of the endpoint (default: all)')
    .option('-f, --follow', 'follow new lines; Ctrl+C ends it')
    .option('-j, --job <job>', 'only lines of this job')
    .option('-p, --pod <pod>', 'lines of a Pod')
    .option('-t, --text <words>', 'only lines with these words')
    .addOption(new Option('-l, --level <level>', 'only lines of this level or a more severe one').choices(logLevels))
    .option('-n, --lines <number>', 'how many of the newest lines', countOf, 100)
    .option(...ACCOUNT)
    .addHelpText('after', '\nIn a pipe, the output is one JSON document; with --follow, one JSON object a line.')
    .action((endpoint: string | undefined, options: LogOptions) => logs(cli(), endpoint, options));
}
