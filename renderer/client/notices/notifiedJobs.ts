/**
 * Which jobs a page of this browser has notified already. The next page that shows the notices reads it, so that each
 * job is notified once, also one that ends while no page shows them.
 */
import * as z from 'zod';
import { RECENT_MS } from '#contract/notices/notices.ts';

const NAME = 'hangar.notifiedJobs';
/** How many are remembered; the oldest ones are forgotten first. */
const REMEMBERED = 1000;
/** `since`: when the first page of this browser began to show notices, milliseconds since the epoch. */
const storedSchema = z.object({ since: z.number(), ids: z.array(z.string()) });

/** Null if no page of this browser has shown notices yet, or if the browser stores nothing. */
function stored(): z.infer<typeof storedSchema> | null {
  try {
    const text = localStorage.getItem(NAME);
    return text === null ? null : storedSchema.parse(JSON.parse(text));
  } catch {
    // Another version wrote it, or the storage is disabled.
    return null;
  }
}

export interface NotifiedJobs {
  /**
   * Jobs that ended from then on may not have been notified, milliseconds since the epoch. Before any page has shown
   * notices, no earlier job is notified.
   */
  endedSince(): number;
  /** Whether the job was not notified yet. From now on it was. */
  take(entryId: string): boolean;
}

/** To be made by the page that has just begun to show the notices: only one page shows them at a time. */
export function createNotifiedJobs(): NotifiedJobs {
  const earlier = stored();
  const since = earlier?.since ?? Date.now();
  const ids = new Set(earlier?.ids);
  const save = (): void => {
    try {
      localStorage.setItem(NAME, JSON.stringify({ since, ids: [...ids] }));
    } catch {
      // The browser stores nothing: this page still notifies each job once.
    }
  };
  if (earlier === null) save();
  return {
    endedSince: () => Math.max(since, Date.now() - RECENT_MS),
    take(entryId) {
      if (ids.has(entryId)) return false;
      ids.add(entryId);
      for (const oldest of ids) {
        if (ids.size <= REMEMBERED) break;
        ids.delete(oldest);
      }
      save();
      return true;
    },
  };
}
