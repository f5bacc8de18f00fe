/** Hot reload: watches the folders of handlers in use, and replaces workers after a change. */
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
  /**
   * Checks the folder again after a change of the endpoint or its template. Does nothing for an endpoint that is not in
   * use.
   */
  check(endpointId: string): void;
  forget(endpointId: string): void;
  /** Null without a folder. */
  stateOf(endpointId: string): EndpointReadiness['reload'];
  /**
   * Whether its workers run the files as they are. A change of a file that is not compared yet makes it false: then the
   * files are compared at once, and `onCurrent` follows.
   */
  isCurrent(endpointId: string): boolean;
  stop(): Promise<void>;
}

export interface HandlerWatchOptions {
  clock: Clock;
  logger: Logger;
  endpoints: Endpoints;
  templates: Templates;
  jobs: Pick<Jobs, 'workers'>;
  /** Called when an endpoint gets a new version. */
  onChange(endpointId: string): void;
  /** Called when `isCurrent` becomes true again. */
  onCurrent(endpointId: string): void;
}

/** How long after a job a worker may still write files, milliseconds. */
const REST_MS = 2000;

/** Watches each folder once for all its endpoints. */
interface SharedWatches {
  join(folder: string, endpointId: string): void;
  /** Removes an endpoint from a folder. The last one ends the watch. */
  leave(folder: string, endpointId: string): void;
  /** Undefined for a folder without endpoints. */
  of(folder: string): FolderWatch | undefined;
  stop(): Promise<void>;
}

/** `open`: watches a folder. The set of its endpoints changes during the watch. */
function createSharedWatches(open: (folder: string, users: ReadonlySet<string>) => FolderWatch): SharedWatches {
  const shared = new Map<string, { readonly watch: FolderWatch; readonly users: Set<string> }>();
  const closing = new Set<Promise<void>>();

  function close(folder: string, watch: FolderWatch): void {
    shared.delete(folder);
    const closed: Promise<void> = watch.stop().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    join(folder, endpointId) {
      const present = shared.get(folder);
      if (present) {
        present.users.add(endpointId);
        return;
      }
      const users = new Set([endpointId]);
      shared.set(folder, { watch: open(folder, users), users });
    },
    leave(folder, endpointId) {
      const present = shared.get(folder);
      if (!present) return;
      present.users.delete(endpointId);
      if (present.users.size === 0) close(folder, present.watch);
    },
    of: (folder) => shared.get(folder)?.watch,
    async stop() {
      for (const [folder, { watch }] of [...shared]) close(folder, watch);
      await Promise.all(closing);
    },
  };
}

/** The folder of a template; null without a valid one. */
function folderOf(template: WorkerTemplate | null): string | null {
  if (!template || !isFolderTemplate(template)) return null;
  try {
    return path.resolve(fileURLToPath(template.imageName));
  } catch {
    // The readiness of the endpoint reports the problem.
    return null;
  }
}

export function createHandlerWatch(options: HandlerWatchOptions): HandlerWatch {
  const { clock, logger, endpoints, templates, jobs } = options;
  const watches = createSharedWatches((folder, users) =>
    watchFolder({
      clock,
      folder,
      named: () => filesOfCommands(folder, users),
      isQuiet: () => [...users].every(isQuiet),
      onChange(files) {
        for (const id of users) renew(id, files);
      },
      onSettled() {
        for (const id of users) options.onCurrent(id);
      },
    }),
  );
  /** The folder of each endpoint in use. */
  const inUse = new Map<string, string | null>();
  /** A cache of the folder for the image name of each endpoint, because each job needs it. */
  const named = new Map<string, { imageName: string; folder: string | null }>();
  const changedAt = new Map<string, number>();

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

  /** The files of a folder that the commands of these endpoints name. */
  function filesOfCommands(folder: string, endpointIds: ReadonlySet<string>): ReadonlySet<string> {
    const words = [...endpointIds].flatMap((id) => {
      const template = templateOf(id);
      return template ? [...template.dockerEntrypoint, ...template.dockerStartCmd] : [];
    });
    const names = words.filter((word) => word.length > 0 && word.length < 1000);
    return new Set(names.map((word) => path.resolve(folder, word)));
  }

  function leave(endpointId: string): void {
    const folder = inUse.get(endpointId) ?? null;
    if (folder !== null) watches.leave(folder, endpointId);
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
    if (folder !== null) watches.join(folder, endpointId);
    options.onCurrent(endpointId);
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
      const state = inUse.get(endpointId) === folder ? watches.of(folder)?.state() : undefined;
      const at = changedAt.get(endpointId);
      return {
        ...(state ?? { watching: false, problem: null }),
        lastAt: at === undefined ? null : new Date(at).toISOString(),
        version: endpoints.find(endpointId)?.version,
      };
    },
    isCurrent(endpointId) {
      const folder = inUse.get(endpointId) ?? null;
      const watch = folder === null ? undefined : watches.of(folder);
      if (watch === undefined || watch.isSettled()) return true;
      watch.settleNow();
      return false;
    },
    async stop() {
      inUse.clear();
      await watches.stop();
    },
  };
}
