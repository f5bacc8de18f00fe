/**
 * The changes of this engine for its readers. Some facts change outside of it, such as a container engine that is
 * started, a handler's file that is deleted or the free space of the disk: nobody reports those, so they are compared
 * while somebody follows. The container engine reports its images.
 */
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import type { EngineFacts } from '#contract/local/engine.ts';
import type { Changes } from './domain/core/changes.ts';
import type { Cancel, Clock, Logger } from './domain/core/ports.ts';
import type { Execution } from './execution/execution.ts';
import { followImages } from './runtime/containers/images/imageEvents.ts';

export interface ChangeFeedParts {
  clock: Pick<Clock, 'after'>;
  logger: Pick<Logger, 'debug' | 'warn'>;
  changes: Changes;
  execution: Pick<Execution, 'readiness' | 'containers' | 'folders'>;
  /** About the engine itself. */
  facts(): Promise<Pick<EngineFacts, 'notices' | 'disk' | 'backup'>>;
}

interface Comparing {
  /** Ends the comparison that is under way or due. */
  stop: Cancel;
  /** Resolves after the first comparison. */
  compared: Promise<void>;
}

/** How often the outer facts are compared, in milliseconds. */
export const COMPARE_MS = 2000;
/** So many failures in a row of one comparison are a fault that a person should know. */
const FAILURES_TO_WARN = 2;

/**
 * A text that differs once the facts have changed. The free space changes all the time: it counts by steps of about 1
 * %.
 */
function versionOf({ notices, disk, backup }: Pick<EngineFacts, 'notices' | 'disk' | 'backup'>): string {
  const free = disk.freeBytes === null ? null : Math.round(100 * Math.log(Math.max(1, disk.freeBytes)));
  return JSON.stringify([notices, disk.full, free, backup]);
}

export interface ChangeFeed {
  /**
   * As `follow` of `Changes`, with the outer facts. A change of these is reported if it comes after `compared` has
   * resolved: before that, there is nothing to compare with. `compared` never rejects.
   */
  follow(listener: (changes: readonly StateChange[]) => void): { leave: Cancel; compared: Promise<void> };
}

export function createChangeFeed({ clock, logger, changes, execution, facts }: ChangeFeedParts): ChangeFeed {
  const { readiness, containers, folders } = execution;
  let followers = 0;
  let comparing: Comparing = { stop: () => undefined, compared: Promise.resolve() };

  function startComparing(): Comparing {
    let isOver = false;
    let cancel: Cancel = () => undefined;
    /** By the id of the endpoint; null before the first comparison. */
    let ofEndpoints: Map<string, string> | null = null;
    let ofContainers: string | null = null;
    let ofTests: ReadonlyMap<string, string> | null = null;
    let ofService: string | null = null;
    const leaveImages = followImages({ finder: containers, clock, logger }, changes.image);
    /** Each reads one thing and reports what differs. */
    const comparisons = [
      createComparison(
        'the readiness of the endpoints',
        () => readiness.all(),
        (endpoints) => {
          // The pool reports its trouble, and the time of the next try is rounded anew each time.
          const now = new Map(
            endpoints.map((endpoint) => [endpoint.id, JSON.stringify({ ...endpoint, trouble: null })]),
          );
          // A new or deleted endpoint is reported by who makes or deletes it.
          for (const [id, text] of now) if ((ofEndpoints?.get(id) ?? text) !== text) changes.endpoint(id);
          ofEndpoints = now;
        },
      ),
      createComparison(
        'the tests in the folders',
        () => folders.testsVersions(),
        (tests) => {
          for (const [id, text] of tests) if ((ofTests?.get(id) ?? text) !== text) changes.folder(id);
          ofTests = tests;
        },
      ),
      createComparison(
        'the declared inputs',
        () => folders.changedInputs(),
        (ids) => {
          for (const id of ids) changes.input(id);
        },
      ),
      createComparison(
        'the state of the container engine',
        () => containers.facts(),
        (engine) => {
          const text = JSON.stringify(engine);
          if ((ofContainers ?? text) !== text) changes.pod(null);
          ofContainers = text;
        },
      ),
      createComparison('the facts of the engine', facts, (service) => {
        const text = versionOf(service);
        if ((ofService ?? text) !== text) changes.service();
        ofService = text;
      }),
    ];
    /** A comparison that goes on by itself when others fail. It warns once, and again only after it has worked. */
    function createComparison<T>(what: string, read: () => T | Promise<T>, report: (value: T) => void) {
      let failures = 0;
      return async (): Promise<void> => {
        try {
          const value = await read();
          if (isOver) return;
          report(value);
          failures = 0;
        } catch (error) {
          if (isOver) return;
          failures += 1;
          // An endpoint may be deleted while it is read: the next comparison works then.
          if (failures === FAILURES_TO_WARN) logger.warn({ err: error }, `changes of ${what} cannot be read`);
        }
      };
    }
    async function compare(): Promise<void> {
      await Promise.all(comparisons.map((one) => one()));
      if (!isOver) cancel = clock.after(COMPARE_MS, () => void compare());
    }
    const compared = compare();
    function stop(): void {
      isOver = true;
      cancel();
      leaveImages();
    }
    return { stop, compared };
  }

  return {
    follow(listener) {
      const leave = changes.follow(listener);
      if (++followers === 1) comparing = startComparing();
      let isHere = true;
      return {
        compared: comparing.compared,
        leave() {
          if (!isHere) return;
          isHere = false;
          leave();
          if (--followers === 0) comparing.stop();
        },
      };
    },
  };
}
