/**
 * Job ids: time-ordered, unguessable, in the shape of a UUID (version 7) with a region suffix, as clients of the cloud
 * expect.
 */
import type { Clock, Ids } from '../core/ports.ts';

/** This machine, where the cloud names a region. */
const SUFFIX = '-l1';
/** The cloud marks jobs of /runsync by their id. */
const SYNC_PREFIX = 'sync-';
/** Jobs that nobody needs once their caller is gone. */
const CANCEL_ON_DISCONNECT_PREFIX = 'sync-openai-';

export const wasSentSync = (jobId: string): boolean => jobId.startsWith(SYNC_PREFIX);
export const cancelsOnDisconnect = (jobId: string): boolean => jobId.startsWith(CANCEL_ON_DISCONNECT_PREFIX);

/** Ids sort by submission within a process, even when the clock is set, and differ in 62 random bits. */
export function createJobIds(clock: Clock, ids: Ids): (sync: boolean, cancelOnDisconnect?: boolean) => string {
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
  let lastAt = 0;
  // Ids of one millisecond count up, as RFC 9562 suggests; more than fit borrow from the next.
  let count = 0;
  return (sync, cancelOnDisconnect) => {
    const now = clock.now();
    if (now > lastAt) {
      lastAt = now;
      count = 0;
    } else if (++count > 0xfff) {
      lastAt++;
      count = 0;
    }
    const time = lastAt.toString(16).padStart(12, '0');
    const random = take(16);
    const variant = '89ab'.charAt(Number.parseInt(random.charAt(0), 16) & 3);
    const uuid =
      `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}-` +
      `${variant}${random.slice(1, 4)}-${random.slice(4, 16)}`;
    return `${cancelOnDisconnect ? CANCEL_ON_DISCONNECT_PREFIX : sync ? SYNC_PREFIX : ''}${uuid}${SUFFIX}`;
  };
}
