/** The command line from its arguments to its exit code: the tree of commands, and the message of a failure. */
import { Command, CommanderError } from 'commander';
import { Cli, type SharedOptions } from './cli.ts';
import { addAccounts } from './commands/accounts.ts';
import { addCompletion } from './commands/completion.ts';
import { addData } from './commands/data.ts';
import { addDeploy } from './commands/deploy.ts';
import { addDoctor } from './commands/doctor.ts';
import { addEndpoints } from './commands/endpoints.ts';
import { addJobs } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addLogs } from './commands/logs.ts';
import { addPods } from './commands/pods/pods.ts';
import { addRun } from './commands/run.ts';
import { addSsh } from './commands/ssh.ts';
import { complete, typedDataDir } from './completion/complete.ts';
import { COMPLETE } from './completion/scripts.ts';
import type { Probes } from './doctor/probes.ts';
import { exitCodes, toFailure, usage, type ExitCode } from './failure.ts';
import { harmless } from './output/text.ts';

/** Adds a command to the tree. `cli` may be called only after the arguments are parsed. */
export type AddCommand = (program: Command, cli: () => Cli) => void;

const COMMANDS: readonly AddCommand[] = [
  addDeploy,
  addRun,
  addJobs,
  addEndpoints,
  addLogs,
  addPods,
  addSsh,
  addKeys,
  addAccounts,
  addData,
  addDoctor,
  addCompletion,
];

const EXAMPLES = `
Examples:
  $ hangar serve --no-ui
  $ hangar deploy ./greet --watch
  $ hangar run stream-words --input '{"text": "one two"}' --stream
  $ hangar jobs --status FAILED --json | jq -r '.[].jobId'

Exit codes: 0 done, 1 the job or operation failed, 2 wrong usage, 3 no Hangar runs, 4 not found,
5 the account could not be reached or refused, 130 interrupted.`;

/** The complete tree. */
export function createProgram(version: string, cli: () => Cli, add: readonly AddCommand[] = COMMANDS): Command {
  const program = new Command('hangar')
    .description('Runs GPU work on this computer and on remote accounts. It uses the Hangar that runs here.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .helpCommand(false)
    .option('--json', 'print JSON, also on a terminal (the default in a pipe)')
    .option('--table', 'print a table, also in a pipe')
    .option(
      '--data-dir <folder>',
      'the data folder of the Hangar to use (default: HANGAR_HOME, or the folder of your system)',
    )
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  program
    .command('serve')
    .description('run Hangar without a window, until a signal ends it')
    .usage('[flags]')
    .allowUnknownOption()
    .addHelpText('after', '\n"hangar serve --help" prints its flags.');
  for (const addCommand of add) addCommand(program, cli);
  return program;
}

const SECRET_FLAG = /^--(?:api-?key|key|token|secret|password|passphrase)(?:=|$)/;

/** Refuses secrets in arguments: other programs can read them, and shells store them. */
function refuseSecrets(args: readonly string[]): void {
  const end = args.indexOf('--');
  const flag = args.slice(0, end === -1 ? undefined : end).find((argument) => SECRET_FLAG.test(argument));
  if (flag === undefined) return;
  throw usage(
    `${flag.split('=')[0]}: a secret cannot be an argument, because every program of this machine can read arguments. ` +
      'Type it at the prompt, or pipe it to standard input.',
  );
}

function complain(message: string): void {
  if (message !== '') process.stderr.write(`hangar: ${harmless(message)}\n`);
}

/** Turns `error: unknown command 'jbos'\n(Did you mean jobs?)` into a sentence. */
const sentenceOf = (message: string): string =>
  `${message
    .replace(/^error: /, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/[.?]?(\)?)$/, '$1')}. See --help.`;

/** The fault that commander reports; its own lines begin with "error: ". */
function usageOf({ code, exitCode, message }: CommanderError): { code: ExitCode; message: string } {
  if (exitCode === 0) return { code: exitCodes.done, message: '' };
  if (code === 'commander.help') return { code: exitCodes.usage, message: 'Name a command; see hangar --help.' };
  return { code: exitCodes.usage, message: sentenceOf(message) };
}

async function execute(args: readonly string[], version: string, probes: Probes): Promise<number> {
  let cli: Cli | null = null;
  const open = (): Cli => (cli ??= new Cli(program.opts<SharedOptions>(), version, probes));
  const program = createProgram(version, open);
  try {
    if (args[0] === COMPLETE) {
      const words = args.slice(1);
      cli = new Cli({ dataDir: typedDataDir(words) }, version, probes);
      await complete(program, cli, words);
      return exitCodes.done;
    }
    refuseSecrets(args);
    if (args.length === 0) {
      process.stdout.write(program.helpInformation());
      return exitCodes.usage;
    }
    const lost = new Promise<never>((_resolve, reject) => {
      program.hook('preAction', () => {
        open().lost.catch(reject);
      });
    });
    await Promise.race([program.parseAsync([...args], { from: 'user' }), lost]);
    return exitCodes.done;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      const { code, message } = usageOf(thrown);
      complain(message);
      return code;
    }
    const failure = toFailure(thrown);
    complain(failure.message);
    return failure.exitCode;
  } finally {
    await cli?.close();
  }
}

/** Runs the command of `args`, which begin after the program name; sets the exit code of the process. */
export async function runCli(args: readonly string[], version: string, probes: Probes): Promise<void> {
  process.exitCode = await execute(args, version, probes);
}
