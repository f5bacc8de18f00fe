/** A stream of measured values or of changes, as an engine sends them to the page. */
import { act } from '@testing-library/react';

export interface Sampler<Sample> {
  /** Each stream that the page opened, the oldest first. */
  streams: { everyMs: number; isOpen: boolean }[];
  /** Sends a sample on the newest stream, or ends it with an error. */
  say(sample: Sample | Error): Promise<void>;
  /** The answer to the procedure that opens a stream. */
  open(input: { everyMs: number }, signal: AbortSignal): AsyncGenerator<Sample>;
}

export function createSampler<Sample>(): Sampler<Sample> {
  const streams: Sampler<Sample>['streams'] = [];
  let say: (sample: Sample | Error) => void = () => undefined;
  return {
    streams,
    say: (sample) => act(async () => say(sample)),
    async *open({ everyMs }, signal) {
      const stream = { everyMs, isOpen: true };
      streams.push(stream);
      const waiting: (Sample | Error)[] = [];
      let wake = (): void => undefined;
      say = (sample) => {
        waiting.push(sample);
        wake();
      };
      signal.addEventListener('abort', () => {
        stream.isOpen = false;
        wake();
      });
      while (!signal.aborted) {
        const sample = waiting.shift();
        if (sample instanceof Error) throw sample;
        if (sample) yield sample;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
