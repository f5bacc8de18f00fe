/**
 * The work that the end of Hangar would interrupt: jobs and pulls of images on this computer, file transfers, and
 * terminals.
 */
import type { Logger } from 'pino';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { EngineProcess } from './engine/engineProcess.ts';
import type { Shells } from './terminals/shells.ts';
import type { Directory } from './services/directory.ts';
import type { Transfers } from './services/transfers.ts';

export interface OpenWork {
  /**
   * Each type of work as a phrase, such as "2 jobs"; empty if nothing runs. Never rejects: unknown work counts as work.
   */
  list(): Promise<string[]>;
}

export interface OpenWorkOptions {
  engine: Pick<EngineProcess, 'status'>;
  directory: Pick<Directory, 'compute'>;
  transfers: Pick<Transfers, 'list'>;
  terminals: Pick<Shells, 'count'>;
  logger: Logger;
}

const phrase = (count: number, one: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${one}s`];

export function createOpenWork({ engine, directory, transfers, terminals, logger }: OpenWorkOptions): OpenWork {
  /**
   * Only jobs of the engine: jobs of remote accounts continue at their service, and the next start follows them again.
   */
  async function ofEngine(): Promise<{ jobs: number; pulls: number; terminals: number } | string> {
    const { state } = engine.status;
    if (state === 'failed' || state === 'stopped') return { jobs: 0, pulls: 0, terminals: 0 };
    if (state !== 'ready') return 'the engine, which is starting';
    try {
      const { management, jobs, machine, terminals: shells } = directory.compute(THIS_MACHINE);
      const [endpoints, pulls, sessions] = await Promise.all([
        management.endpoints(),
        machine?.pullsNow() ?? [],
        shells?.list() ?? [],
      ]);
      const running = await Promise.all(endpoints.map(async ({ id }) => (await jobs.health(id)).jobs.inProgress));
      return {
        jobs: running.reduce((sum, count) => sum + count, 0),
        pulls: pulls.filter(({ state: now }) => now === 'PULLING').length,
        terminals: sessions.length,
      };
    } catch (err) {
      logger.warn({ err }, 'the work of the engine could not be listed');
      return 'the engine, which does not answer';
    }
  }

  return {
    async list() {
      const local = await ofEngine();
      const isUnknown = typeof local === 'string';
      return [
        ...(isUnknown ? [local] : [...phrase(local.jobs, 'job'), ...phrase(local.pulls, 'image pull')]),
        ...phrase(transfers.list().length, 'file transfer'),
        ...phrase(terminals.count() + (isUnknown ? 0 : local.terminals), 'terminal'),
      ];
    },
  };
}
