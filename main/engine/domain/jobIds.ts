/** Job ids: time-ordered, unguessable, in the shape of a UUID (version 7) with a region suffix, as clients of the cloud expect. */
import type { Clock, Ids } from './ports.ts';

/** This machine, where the cloud names a region. */
const SUFFIX = '-l1';
/** The cloud marks jobs of /runsync by their id. */
const SYNC_PREFIX = 'sync-';

/** Ids sort by submission within a process and differ in 74 random bits. */
export function createJobIds(clock: Clock, ids: Ids): (sync: boolean) => string {
  // Random bytes are fetched in blocks: one system call for many ids.
  let pool = '';
  let used = 0;
  const take = (hexDigits: number): string => {
    if (used + hexDigits > pool.length) {
      pool = ids.random(2048);
      used = 0;
    }
    return pool.slice(used, (used += hexDigits));
  };
  return (sync) => {
    const time = clock.now().toString(16).padStart(12, '0');
    const random = take(18);
    const variant = '89ab'[Number.parseInt(random[3]!, 16) & 3]!;
    const uuid =
      `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-` +
      `${variant}${random.slice(4, 7)}-${random.slice(6, 18)}`;
    return `${sync ? SYNC_PREFIX : ''}${uuid}${SUFFIX}`;
  };
}
