/**
 * The changes of this engine for its readers. Some facts change outside of it, such as a container engine that is started or
 * a handler's file that is deleted: nobody reports those, so they are compared while somebody follows.
 */
import type { Machine } from '#contract/local/machine.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Changes } from './domain/core/changes.ts';
import type { Cancel, Clock, Logger } from './domain/core/ports.ts';

export interface ChangeFeedParts {
  clock: Pick<Clock, 'after'>;
  logger: Pick<Logger, 'debug'>;
  changes: Changes;
  readiness(): Promise<EndpointReadiness[]>;
  containers(): Promise<Machine['containers']>;
  /** By the id of each endpoint: a text that differs once the tests of the folder have changed. */
  folderTests(): Promise<ReadonlyMap<string, string>>;
}

/** How often the outer facts are compared, in milliseconds. */
export const COMPARE_MS = 2000;

/** As `follow` of `Changes`, with the outer facts. */
export function createChangeFeed({
  clock,
  logger,
  changes,
  readiness,
  containers,
  folderTests,
}: ChangeFeedParts): Pick<Changes, 'follow'> {
  let followers = 0;
  /** Ends the comparison that is under way or due. */
  let stop: Cancel = () => undefined;

  function startComparing(): Cancel {
    let isOver = false;
    let cancel: Cancel = () => undefined;
    /** By the id of the endpoint; null before the first comparison. */
    let ofEndpoints: Map<string, string> | null = null;
    let ofContainers: string | null = null;
    let ofTests: ReadonlyMap<string, string> | null = null;
    async function compare(): Promise<void> {
      try {
        const [endpoints, engine, tests] = await Promise.all([readiness(), containers(), folderTests()]);
        if (isOver) return;
        // The pool reports its trouble, and the time of the next try is rounded anew each time.
        const now = new Map(endpoints.map((endpoint) => [endpoint.id, JSON.stringify({ ...endpoint, trouble: null })]));
        // A new or deleted endpoint is reported by who makes or deletes it.
        for (const [id, text] of now) if ((ofEndpoints?.get(id) ?? text) !== text) changes.endpoint(id);
        ofEndpoints = now;
        for (const [id, text] of tests) if ((ofTests?.get(id) ?? text) !== text) changes.folder(id);
        ofTests = tests;
        const text = JSON.stringify(engine);
        if ((ofContainers ?? text) !== text) changes.pod(null);
        ofContainers = text;
      } catch (error) {
        // An endpoint that is deleted meanwhile. The next comparison tries again.
        logger.debug({ err: error }, 'the facts for the feed of changes could not be read');
      }
      if (!isOver) cancel = clock.after(COMPARE_MS, () => void compare());
    }
    void compare();
    return () => {
      isOver = true;
      cancel();
    };
  }

  return {
    follow(listener) {
      const leave = changes.follow(listener);
      if (++followers === 1) stop = startComparing();
      let isHere = true;
      return () => {
        if (!isHere) return;
        isHere = false;
        leave();
        if (--followers === 0) stop();
      };
    },
  };
}
