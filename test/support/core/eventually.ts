import { expect } from 'vitest';
import { DEADLINE_MS } from './until.ts';

/**
 * Reads again until the assertion holds, at most until the shared deadline; a failure shows the value that was read
 * last beside the one that was expected. For values that only a matcher can compare; `until` is for all others.
 */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 10, timeout: DEADLINE_MS });
