/** Runs the workers of `file://` templates: child processes in the template's folder, under our harnesses or its own command. */
import path from 'node:path';
import type { Logger, WorkerDriver, WorkerProcess, WorkerStart } from '../domain/ports.ts';
import { inherited } from './childEnvironment.ts';
import { neverStarted, startChild, type Launch } from './childProcess.ts';
import { ownPorts } from './freePorts.ts';
import type { WorkerLogs } from './logs/workerLogs.ts';
import { createProcessRecords, workerMark } from './processRecords.ts';
import { createPythonFinder, type PythonFinder } from './python.ts';
import { createTreeUsage } from './usage/treeUsage.ts';
import { visibleDevices, workerDefaults } from './workerEnv.ts';
import { readFolder, runtimeOf } from './workerFolder.ts';

export interface ProcessDriverOptions {
  /** Folder with the Node and Python harnesses. */
  workerKitDir: string;
  dataDir: string;
  logger: Logger;
  logs: Pick<WorkerLogs, 'open'>;
  /** Base address of the engine. */
  address(): string;
  /** Whether this machine has GPUs: workers that were given none of them see none. */
  hasGpus?(): boolean;
  /** The Node, or Electron, that runs the Node harness. */
  nodePath?: string;
  /** The permissions that files of workers are not given (umask). */
  mask?: number | undefined;
  /** The engine's own environment. */
  env?: NodeJS.ProcessEnv;
  /** Where somebody else asks for Python too. */
  python?: PythonFinder;
}

export function createProcessDriver(options: ProcessDriverOptions): WorkerDriver {
  const { workerKitDir, dataDir, logger, logs, nodePath = process.execPath, env = process.env } = options;
  const { python = createPythonFinder(env) } = options;
  const usageOf = createTreeUsage(workerMark('').name);
  const records = createProcessRecords(path.join(dataDir, 'workers'), logger);

  /** How to start a worker, or why it cannot be started. */
  function plan(
    { template, env: protocol, gpus, mounts }: WorkerStart,
    ports: Record<string, string>,
  ): Launch | string {
    const folder = readFolder(template);
    if (typeof folder === 'string') return folder;
    // Output must be seen when it is written, and read as what it is.
    const pythonEnv = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
    const electronEnv = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
    const devices = visibleDevices(gpus, options.hasGpus?.() ?? false);
    // A process sees the folder where it is: nothing can be mounted for it alone.
    const volume: Record<string, string> = mounts[0] ? { HANGAR_VOLUME: mounts[0].folder } : {};
    const given = {
      ...workerDefaults(gpus),
      ...{ ...template.env, ...volume, ...devices, ...protocol(options.address()), ...ports },
    };
    const own = { ...inherited(env), ...pythonEnv, ...given };
    switch (folder.runtime) {
      case 'command':
        return { command: folder.command as Launch['command'], folder: folder.folder, env: own };
      case 'node': {
        const harness = path.join(workerKitDir, 'node', 'harness.mjs');
        return { command: [nodePath, harness], folder: folder.folder, env: { ...own, ...electronEnv } };
      }
      case 'python': {
        const program = python.known();
        if (program === null) return 'Python has not been found on this machine.';
        const harness = path.join(workerKitDir, 'python', 'harness.py');
        return { command: [program, harness, folder.file!, ...folder.args], folder: folder.folder, env: own };
      }
    }
  }

  return {
    runtimeOf,

    async unavailable(template) {
      const folder = readFolder(template);
      if (typeof folder === 'string') return folder;
      return folder.runtime === 'python' ? (await python.find()).reason : null;
    },

    /** A Python worker can be started once `unavailable` has found Python. */
    start(worker): WorkerProcess {
      const own = ownPorts(worker.ports);
      const launch = plan(worker, own.env);
      if (typeof launch === 'string') return neverStarted(launch);
      const child = startChild(
        { ...launch, mask: options.mask },
        {
          mark: workerMark(worker.workerId),
          log: logs.open(worker),
          onStarted: (pid) => void records.add(worker.workerId, pid),
          onGone: (pid) => records.remove(pid),
        },
      );
      const { reach } = own;
      return child.pid === null ? { ...child, reach } : { ...child, reach, usage: usageOf(child.pid, worker.workerId) };
    },

    sweep: () => records.sweep(),
  };
}
