/** `hangar doctor`: checks this machine, and names a remedy for each problem. It works without a running Hangar. */
import type { Command } from 'commander';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cli } from '../cli.ts';
import type { Connection } from '../connection.ts';
import { countPlaces, printPlaces } from '../data/places.ts';
import {
  checkAccounts,
  checkClock,
  checkDisk,
  checkEngine,
  checkKeychain,
  checkKeys,
  checkMachine,
  checkNode,
  ok,
  problem,
  warning,
  type Check,
  type CheckState,
} from '../doctor/checks.ts';
import { checkDataFolder, clockFacts, freeBytesAt, isPortFree } from '../doctor/system.ts';
import { CommandFailure, exitCodes, toFailure } from '../failure.ts';
import type { Style } from '../output/output.ts';

/** The running Hangar, or the reason why there is none. */
async function findHangar(cli: Cli): Promise<Connection | string> {
  try {
    return await cli.connection();
  } catch (thrown) {
    const { exitCode, message } = toFailure(thrown);
    if (exitCode === exitCodes.notRunning) return message;
    throw thrown;
  }
}

/** Runs a check. A check that fails to run is a problem of its own. */
async function attempt(name: string, check: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await check();
  } catch (thrown) {
    return [problem(name, `This could not be checked: ${toFailure(thrown).message}`)];
  }
}

/** The state of the engine now. */
async function engineStatus(client: CommandClient) {
  for await (const status of await client.engine.watch()) return status;
  throw new Error('Hangar does not report the state of its engine.');
}

/** The checks of a running Hangar and of the machine, as its own processes see it. */
function runningChecks(cli: Cli, { client, instance }: Connection): (() => Promise<Check[]>)[] {
  const ref = { accountId: THIS_MACHINE };
  const facts = client.machine.facts(ref).catch(() => null);
  return [
    async () => {
      const { version, kind } = await client.host.info();
      const text = `${version} runs (${kind === 'electron' ? 'on the desktop' : 'headless'}, process ${instance.pid})`;
      if (version === cli.version) return [ok('Hangar', text)];
      return [warning('Hangar', `${text}, and this command is of ${cli.version}. Start Hangar again.`)];
    },
    async () => attempt('Engine', async () => checkEngine(await engineStatus(client), await facts)),
    async () => attempt('Keys', async () => [checkKeys(await client.secrets.check())]),
    async () =>
      attempt('Machine', async () => {
        const { containers, gpus, gpuProblem, python } = await client.machine.get(ref);
        return checkMachine({ containers, gpus, gpuProblem, python });
      }),
    async () =>
      attempt('Accounts', async () => {
        const accounts = await client.accounts.list();
        return checkAccounts(accounts.filter(({ id }) => id !== THIS_MACHINE));
      }),
    async () => [checkDisk(await freeBytesAt(cli.dataDir), (await facts)?.disk.full ?? false)],
  ];
}

const USUAL_PORTS = [
  { flag: '--port', port: limits.usualPorts.api },
  { flag: '--ui-port', port: limits.usualPorts.page },
] as const;

/** Whether the default ports are free for the next start. */
async function checkPorts(cli: Cli): Promise<Check[]> {
  const problems: Check[] = [];
  for (const { flag, port } of USUAL_PORTS) {
    if (!(await isPortFree(port))) problems.push(problem('Ports', await cli.probes.portTaken(port, flag)));
  }
  const ports = USUAL_PORTS.map(({ port }) => port).join(' and ');
  return problems.length > 0 ? problems : [ok('Ports', `${ports} are free`)];
}

/** The checks of this machine, with the probes of app and engine. */
const stoppedChecks = (cli: Cli, reason: string): (() => Promise<Check[]>)[] => [
  async () => [warning('Hangar', reason)],
  async () => attempt('Ports', () => checkPorts(cli)),
  async () => attempt('Keychain', async () => [checkKeychain(await cli.probes.keychain())]),
  async () => attempt('Machine', async () => checkMachine(await cli.probes.machine())),
  async () => [checkDisk(await freeBytesAt(cli.dataDir), false)],
];

const styles: Record<CheckState, Style> = { ok: 'green', warning: 'yellow', problem: 'red' };
const STATE_WIDTH = 9;

async function examine(cli: Cli): Promise<void> {
  const hangar = await findHangar(cli);
  const specific = typeof hangar === 'string' ? stoppedChecks(cli, hangar) : runningChecks(cli, hangar);
  const shared = [
    async () => [checkNode(process.versions.node)],
    async () => [checkDataFolder(cli.dataDir)],
    async () => [checkClock(await clockFacts(cli.dataDir))],
  ];
  const checks = (await Promise.all([...specific, ...shared].map((check) => check()))).flat();
  cli.output.fields(
    checks.map(({ name, state, text }) => ({
      name: state.padEnd(STATE_WIDTH) + name,
      value: text,
      style: (cell) => cli.output.style(styles[state], cell.slice(0, STATE_WIDTH)) + cell.slice(STATE_WIDTH),
    })),
    { version: cli.version, dataDir: cli.dataDir, running: typeof hangar !== 'string', checks },
  );
  const problems = checks.filter(({ state }) => state === 'problem').length;
  if (problems === 0) return;
  const message = `${problems} problem${problems === 1 ? '' : 's'} found.`;
  throw new CommandFailure(exitCodes.failed, cli.output.isForPerson ? message : '');
}

async function listPlaces(cli: Cli): Promise<void> {
  const hangar = await findHangar(cli);
  printPlaces(cli, await countPlaces(cli, typeof hangar === 'string' ? null : hangar));
}

export function addDoctor(program: Command, cli: () => Cli): void {
  program
    .command('doctor')
    .description('check what works on this machine, and say how to fix the rest')
    .option('--paths', 'list every place that has data of Hangar, with its size')
    .addHelpText('after', '\nEach line is ok, a warning, or a problem; the exit code is 1 if there is a problem.')
    .action(({ paths = false }: { paths?: boolean }) => (paths ? listPlaces(cli()) : examine(cli())));
}
