/** The output of a Pod's container, as its container engine keeps it: also what it wrote while Hangar did not run. */
import type { Container } from 'dockerode';
import type { PodDriver } from '../../../domain/pods/podInterfaces.ts';
import type { OutputLine, OutputQuery } from '../../../domain/logs/podLog.ts';
import { openBytes } from '../engine/client.ts';

/** The header of each frame: one byte for the stream, three empty bytes, and the length. */
const HEADER_BYTES = 8;
const STDERR = 2;
const US_PER_S = 1e6;
/** A longer line, in characters, is cut. The container engine writes a long line in several frames. */
const LINE_LENGTH = 256 * 1024;

interface Frame {
  stream: 'stdout' | 'stderr';
  text: string;
}

/** The frames of a connection: the container engine sends each message in one. */
async function* framesOf(connection: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const data of connection) {
    waiting = waiting.length === 0 ? data : Buffer.concat([waiting, data]);
    while (waiting.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + waiting.readUInt32BE(4);
      if (waiting.length < end) break;
      const stream = waiting[0] === STDERR ? 'stderr' : 'stdout';
      yield { stream, text: waiting.toString('utf8', HEADER_BYTES, end) };
      waiting = waiting.subarray(end);
    }
  }
}

/** Microseconds since 1970 of a time such as 2026-01-02T03:04:05.123456789Z; NaN for anything else. */
function microseconds(time: string): number {
  const [, seconds, fraction = '', zone] = /^([^.]+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return Date.parse(`${seconds}${zone}`) * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

/**
 * Reads the lines from `sinceUs` on, oldest first; with `follow`, also those that come, until the container ends. The
 * container engine writes the time in front of each message, and a line break behind all but the first parts of a long
 * line.
 */
async function* readContainerLog(
  container: Container,
  { sinceUs, tail, follow }: OutputQuery,
  signal: AbortSignal,
): AsyncGenerator<OutputLine> {
  const options = {
    stdout: true,
    stderr: true,
    timestamps: true,
    follow,
    ...(sinceUs === undefined ? {} : { since: sinceUs / US_PER_S }),
    ...(tail === undefined ? {} : { tail }),
  };
  const connection = await openBytes(container, `/containers/${container.id}/logs`, options, signal);
  const open: Record<Frame['stream'], { at: number; text: string } | null> = { stdout: null, stderr: null };
  for await (const { stream, text } of framesOf(connection)) {
    const space = text.indexOf(' ');
    const line = (open[stream] ??= { at: microseconds(text.slice(0, space)), text: '' });
    const isWhole = text.endsWith('\n');
    const part = text.slice(space + 1, isWhole ? -1 : undefined);
    line.text += part.slice(0, Math.max(0, LINE_LENGTH - line.text.length));
    if (!isWhole) continue;
    yield { stream, at: line.at, text: line.text };
    open[stream] = null;
  }
}

/**
 * Reads the output of Pods.
 *
 * @param find The container of a Pod; null where it has none.
 */
export function createPodOutput(
  find: (podId: string) => Promise<{ container: Container } | null>,
  onChange: PodDriver['onChange'],
): PodDriver['output'] {
  /** Resolves when the Pod may have another container or another start, or when `signal` aborts. */
  function nextChange(podId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const leave = onChange((changed) => {
        if (changed === null || changed === podId) done();
      });
      const done = (): void => {
        leave();
        signal.removeEventListener('abort', done);
        resolve();
      };
      signal.addEventListener('abort', done);
      if (signal.aborted) done();
    });
  }

  return async function* output(podId, { sinceUs, tail, follow }, signal) {
    let query: OutputQuery = { ...(sinceUs !== undefined && { sinceUs }), ...(tail !== undefined && { tail }), follow };
    while (!signal.aborted) {
      // Before the look at the container: a start in between is not missed.
      const waiting = new AbortController();
      const changed = nextChange(podId, AbortSignal.any([signal, waiting.signal]));
      try {
        const existing = await find(podId);
        if (existing) {
          for await (const line of readContainerLog(existing.container, query, signal)) {
            // A line may come behind a later one of the other output.
            query = { sinceUs: Math.max(query.sinceUs ?? 0, line.at + 1), follow };
            yield line;
          }
        }
        if (!follow) return;
        await changed;
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        waiting.abort();
      }
    }
  };
}
