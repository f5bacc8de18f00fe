/** Quickly excludes lines on disk that cannot match a filter, without parsing them. */
import { logLevels, type LogFilter } from '#contract/local/log.ts';

/** Whether JSON writes this text without escapes. */
const plain = (text: string): boolean => /^[ !#-[\]-~]*$/.test(text);

export interface Prefilter {
  /** Whether a block may contain matching lines. */
  block(block: Buffer): boolean;
  /** Whether a line may match. */
  line(line: string): boolean;
}

/** Searches for texts that a matching line must contain. Lines that pass need the full filter. */
export function createPrefilter(filter: LogFilter): Prefilter {
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
