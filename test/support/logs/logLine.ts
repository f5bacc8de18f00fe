/** Lines of logs that specs need. */
import type { LogLine } from '#contract/local/log.ts';

/** A line that a worker wrote to its standard output, with other values in `fields`. */
export const logLineOf = (fields: Partial<LogLine> = {}): LogLine => ({
  n: 1,
  at: '2026-01-01T00:00:00.000Z',
  endpointId: 'e',
  workerId: 'w',
  jobId: null,
  stream: 'stdout',
  level: null,
  text: 'a line',
  ...fields,
});
