/** Log lines of workers for a person. */
import type { LogLine } from '#contract/local/log.ts';
import type { Output } from './output.ts';
import { harmless } from './text.ts';

/** The local time of day, to the millisecond. */
function timeOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const two = (value: number): string => String(value).padStart(2, '0');
  const millis = String(date.getMilliseconds()).padStart(3, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${millis}`;
}

/** `endpointName`: null if all lines belong to one endpoint. */
export function printLogLine(output: Output, line: LogLine, endpointName: string | null): void {
  const origin = [endpointName, line.workerId].filter(Boolean).join(' ');
  const head = output.style('dim', `${timeOf(line.at)} ${origin} |`);
  const text = harmless(line.text);
  const isBad = line.level === 'error' || (line.level === null && line.stream === 'stderr');
  const shown =
    line.stream === 'engine'
      ? output.style('cyan', text)
      : isBad
        ? output.style('red', text)
        : line.level === 'warn'
          ? output.style('yellow', text)
          : text;
  output.line(`${head} ${shown}`);
}
