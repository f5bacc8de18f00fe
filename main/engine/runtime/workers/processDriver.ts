/**
 * Runs the workers of `file://` templates: child processes in the template's folder, with Hangar's harness or their own
 * command.
 */
import path from 'node:path';
import type { Logger } from '../../domain/core/ports.ts';
import type { WorkerDriver, WorkerProcess, WorkerStart, WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { inherited } from '../process/envAllowlist.ts';
import { neverStarted, startChild, type Launch } from '../process/childProcess.ts';
import { withEnvironment } from '../folders/choosePython.ts';
import { isOwnEnvironment, type EnvironmentSource } from '#contract/local/folder.ts';
import { installedSourceOf, sourceOf } from '../folders/environments.ts';
import { createHandlerPythons, OF_MACHINE, type PythonHandler } from '../folders/handlerPython.ts';
import { ownPorts } from '../process/freePorts.ts';
import type { WorkerLogs } from '../logs/workerLogs.ts';
import { createProcessRecords, workerMark } from '../process/pidRegistry.ts';
import { createPythonFinder, type PythonFinder } from '../folders/python.ts';
import { createTreeUsage } from '../usage/treeUsage.ts';
import { visibleDevices, workerDefaults } from './env.ts';
import { clearSdkState, readFolder, runtimeOf, type WorkerFolder } from '../folders/workerFolder.ts';

export interface ProcessDriverOptions {
  /** The folder with the Node and Python harnesses. */
  workerKitDir: string;
  dataDir: string;
  logger: Logger;
  logs: Pick<WorkerLogs, 'open'>;
  /** The base address of the engine. */
  address(): string;
  /** Whether this machine has GPUs: then workers without a GPU must see none. */
  hasGpus?(): boolean;
  /** The Node or Electron program for the Node harness. */
  nodePath?: string;
  /** The umask of workers. */
  mask?: number | undefined;
  /** The environment of the engine. */
  env?: NodeJS.ProcessEnv;
  /** A Python finder that is shared with others. */
  python?: PythonFinder;
}

/** The launch parameters of a worker, and the lines about them in its log. */
interface Plan extends Launch {
  about?: string;
  python?: string;
}

type HandlerFolder = Exclude<WorkerFolder, { runtime: 'command' }>;

/** What to do about modules that the Python of a handler does not have. `isThere`: it runs in its own environment. */
const environmentAdvice = (source: EnvironmentSource, isThere: boolean): string =>
  (isThere ? `The packages of its ${source} can be installed` : `An environment can be made from its ${source}`) +
  `. If it does not list what is missing, ` +
  (source === 'uv.lock' ? 'add it first with "uv add".' : 'add it there first.');

const handlerOf = ({ folder, file }: HandlerFolder, { env }: WorkerTemplate): PythonHandler => ({ folder, file, env });

export function createProcessDriver(options: ProcessDriverOptions): WorkerDriver {
  const { workerKitDir, dataDir, logger, logs, nodePath = process.execPath, env = process.env } = options;
  const { python: ofMachine = createPythonFinder(env) } = options;
  const pythons = createHandlerPythons({ env, ofMachine, workerKitDir });
  const usageOf = createTreeUsage(workerMark('').name);
  const records = createProcessRecords(path.join(dataDir, 'workers'), logger);

  /** Plans the start of a worker, or explains why it cannot start. */
  function plan({ template, env: protocol, gpus, mounts }: WorkerStart, ports: Record<string, string>): Plan | string {
    const folder = readFolder(template);
    if (typeof folder === 'string') return folder;
    // Output must appear at once, and with the right encoding.
    const pythonEnv = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
    const electronEnv = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
    const devices = visibleDevices(gpus, options.hasGpus?.() ?? false);
    // A process has no mounts of its own: it gets the path of the folder.
    const volume: Record<string, string> = mounts[0] ? { HANGAR_VOLUME: mounts[0].folder } : {};
    const variables = {
      ...workerDefaults(gpus),
      ...template.env,
      ...volume,
      ...devices,
      ...protocol(options.address()),
      ...ports,
    };
    const own = { ...inherited(env), ...pythonEnv, ...variables };
    switch (folder.runtime) {
      case 'command':
        return { command: folder.command, folder: folder.folder, env: own };
      case 'node': {
        const harness = path.join(workerKitDir, 'node', 'harness.mjs');
        return { command: [nodePath, harness], folder: folder.folder, env: { ...own, ...electronEnv } };
      }
      case 'python': {
        const python = pythons.latest(handlerOf(folder, template));
        if (python === null) return 'The Python of this handler has not been looked for.';
        const harness = path.join(workerKitDir, 'python', 'harness.py');
        return {
          command: [python.program, harness, folder.file, ...folder.args],
          folder: folder.folder,
          env: python.from === OF_MACHINE ? own : withEnvironment(python.program, own),
          about: `It runs ${folder.file} with Python ${python.version} of ${python.program} (${python.from}).`,
          python: python.program,
        };
      }
    }
  }

  return {
    runtimeOf,

    async unavailable(template) {
      const folder = readFolder(template);
      if (typeof folder === 'string') return folder;
      if (folder.runtime !== 'python') return null;
      const python = await pythons.find(handlerOf(folder, template));
      return typeof python === 'string' ? python : null;
    },

    async inspect(template) {
      const folder = readFolder(template);
      if (typeof folder === 'string') return null;
      const file = folder.runtime === 'command' ? null : folder.file;
      const facts = { file, python: null, environmentSource: null, notices: [] };
      if (folder.runtime !== 'python') return facts;
      const handler = handlerOf(folder, template);
      const python = await pythons.find(handler);
      const source = sourceOf(folder.folder);
      if (typeof python === 'string') return { ...facts, environmentSource: source };
      const { problem, missingModules, hasRequirements } = await pythons.needs(handler, python);
      const isInFolder = isOwnEnvironment(python);
      const lacking = isInFolder && missingModules.length > 0 ? installedSourceOf(folder.folder) : null;
      const wanted = source ?? lacking;
      const environmentSource = wanted === 'requirements.txt' && hasRequirements ? null : wanted;
      // A file that is no Python lacks no package.
      const hasAdvice = missingModules.length > 0 && environmentSource !== null;
      const notices = [problem, hasAdvice ? environmentAdvice(environmentSource, isInFolder) : null].filter(
        (one) => one !== null,
      );
      return { ...facts, python, environmentSource, missingModules, notices };
    },

    /** A Python worker can only start after `unavailable` has found Python. */
    start(worker): WorkerProcess {
      const own = ownPorts(worker.ports);
      const launch = plan(worker, own.env);
      if (typeof launch === 'string') return neverStarted(launch);
      const leftState = clearSdkState(launch.folder);
      if (leftState !== null) return neverStarted(leftState);
      const child = startChild(
        { ...launch, mask: options.mask },
        {
          mark: workerMark(worker.workerId),
          log: logs.open(worker),
          onStarted: (pid) => void records.add(worker.workerId, pid),
          onGone: (pid) => records.remove(pid),
        },
      );
      const { about, python } = launch;
      return {
        ...child,
        reach: own.reach,
        ...(about !== undefined && { about }),
        ...(python !== undefined && { python }),
        ...(child.pid !== null && { usage: usageOf(child.pid, worker.workerId) }),
      };
    },

    sweep: () => records.sweep(),
  };
}
