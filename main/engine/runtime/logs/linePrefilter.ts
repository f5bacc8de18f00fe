/** Tells quickly which lines on disk cannot be wanted, without taking them apart. */
import { logLevels, type LogFilter } from '#contract/local/log.ts';

/** Text that JSON writes as it is. */
const plain = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

export interface Prefilter {
  /** Whether a block may have lines that are wanted. */
  block(block: Buffer): boolean;
  /** Whether a line of it may be wanted. */
  line(line: string): boolean;
}

/** Looks for what a wanted line must hold. What passes is still to be asked. */
export function createSieve(filter: LogFilter): Prefilter {
  const fields = (['endpointId', 'workerId', 'jobId'] as const).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [`"${name}":${JSON.stringify(value)}`];
  });
  const levels =
    filter.level === undefined
      ? null
      : logLevels.slice(logLevels.indexOf(filter.level)).map((level) => `"level":"${level}"`);
  const text = filter.text !== undefined && plain(filter.text) ? filter.text.toLowerCase() : null;
  return {
    block: (block) =>
      fields.every((field) => block.includes(field)) &&
      (levels === null || levels.some((level) => block.includes(level))),
    line: (line) =>
      fields.every((field) => line.includes(field)) &&
      (levels === null || levels.some((level) => line.includes(level))) &&
      (text === null || line.toLowerCase().includes(text)),
  };
}
