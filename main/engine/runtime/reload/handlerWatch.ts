/** Hot reload: the folders of handlers that are in use are watched, and a change makes new workers. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { WorkerWatch } from '../../domain/autoscaling/workerEvents.ts';
import { isFolderTemplate } from '../folders/workerFolder.ts';
import { watchFolder, type FolderWatch } from './folderWatch.ts';

export interface HandlerWatch extends Pick<WorkerWatch, 'changed'> {
  /** The endpoint has another template, or its template another folder; nothing happens where it was not in use. */
  check(endpointId: string): void;
  forget(endpointId: string): void;
  /** Null where there is no folder. */
  stateOf(endpointId: string): EndpointReadiness['reload'];
  stop(): Promise<void>;
}

export interface HandlerWatchOptions {
  clock: Clock;
  logger: Logger;
  endpoints: Endpoints;
  templates: Templates;
  jobs: Pick<Jobs, 'workers'>;
  /** The endpoint has a new version. */
  onChange(endpointId: string): void;
}

/** A worker that has just ended a job may still be writing. */
const REST_MS = 2000;

/** A folder that is watched, for all endpoints that run it. */
interface Watched {
  readonly watch: FolderWatch;
  readonly users: Set<string>;
}

/** The folder of a template; null where it has none, or one that cannot be. */
function folderOf(template: WorkerTemplate | null): string | null {
  if (!template || !isFolderTemplate(template)) return null;
  try {
    return path.resolve(fileURLToPath(template.imageName));
  } catch {
    // Its readiness says what is wrong with it.
    return null;
  }
}

export function createHandlerWatch(options: HandlerWatchOptions): HandlerWatch {
  const { clock, logger, endpoints, templates, jobs } = options;
  const folders = new Map<string, Watched>();
  /** Which folder each endpoint in use has. */
  const inUse = new Map<string, string | null>();
  /** By the image that names it: asked for with every job. */
  const named = new Map<string, { imageName: string; folder: string | null }>();
  const changedAt = new Map<string, number>();
  const closing = new Set<Promise<void>>();

  function templateOf(endpointId: string): WorkerTemplate | null {
    const endpoint = endpoints.find(endpointId);
    return endpoint ? templates.get(endpoint.templateId) : null;
  }

  const isQuiet = (endpointId: string): boolean =>
    jobs.workers
      .of(endpointId)
      .every(
        ({ own, asked: hasAsked, jobs: running, lastBusyElapsed }) =>
          (hasAsked || !own) && running.size === 0 && clock.elapsed() - lastBusyElapsed >= REST_MS,
      );

  function renew(endpointId: string, files: readonly string[]): void {
    const endpoint = endpoints.find(endpointId);
    if (!endpoint) return;
    changedAt.set(endpointId, clock.now());
    endpoints.bumpVersion(endpoint);
    logger.info({ endpointId, files: files.slice(0, 10) }, 'the files of a handler have changed');
    options.onChange(endpointId);
  }

  function join(endpointId: string, folder: string): void {
    let watched = folders.get(folder);
    if (!watched) {
      const users = new Set<string>();
      const mentioned = (): ReadonlySet<string> =>
        new Set(
          [...users].flatMap((id) => {
            const template = templateOf(id);
            const words = template ? [...template.dockerEntrypoint, ...template.dockerStartCmd] : [];
            return words
              .filter((word) => word.length > 0 && word.length < 1000)
              .map((word) => path.resolve(folder, word));
          }),
        );
      const watch = watchFolder({
        clock,
        folder,
        named: mentioned,
        isQuiet: () => [...users].every(isQuiet),
        onChange(files) {
          for (const id of users) renew(id, files);
        },
      });
      watched = { watch, users };
      folders.set(folder, watched);
    }
    watched.users.add(endpointId);
  }

  function leave(endpointId: string): void {
    const folder = inUse.get(endpointId);
    if (folder == null) return;
    const watched = folders.get(folder);
    if (!watched) return;
    watched.users.delete(endpointId);
    if (watched.users.size > 0) return;
    folders.delete(folder);
    const closed: Promise<void> = watched.watch.stop().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function folderNow(endpointId: string): string | null {
    const template = templateOf(endpointId);
    const cached = named.get(endpointId);
    if (cached && cached.imageName === template?.imageName) return cached.folder;
    const folder = folderOf(template);
    if (template) named.set(endpointId, { imageName: template.imageName, folder });
    return folder;
  }

  function use(endpointId: string): void {
    const folder = folderNow(endpointId);
    if (inUse.has(endpointId) && inUse.get(endpointId) === folder) return;
    leave(endpointId);
    inUse.set(endpointId, folder);
    if (folder !== null) join(endpointId, folder);
  }

  return {
    changed({ endpointId }) {
      if (endpoints.find(endpointId)) use(endpointId);
    },
    check(endpointId) {
      if (inUse.has(endpointId)) use(endpointId);
    },
    forget(endpointId) {
      leave(endpointId);
      inUse.delete(endpointId);
      named.delete(endpointId);
      changedAt.delete(endpointId);
    },
    stateOf(endpointId) {
      const folder = folderNow(endpointId);
      if (folder === null) return null;
      const watched = inUse.get(endpointId) === folder ? folders.get(folder) : undefined;
      const at = changedAt.get(endpointId);
      return {
        ...(watched?.watch.state() ?? { watching: false, problem: null }),
        lastAt: at === undefined ? null : new Date(at).toISOString(),
      };
    },
    async stop() {
      for (const { watch } of folders.values()) closing.add(watch.stop());
      folders.clear();
      inUse.clear();
      await Promise.all(closing);
    },
  };
}
