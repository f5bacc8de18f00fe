/**
 * Logs of Pods and workers as REST v2 of the fake streams them: events that never end by themselves, taken up again by
 * their id.
 */
import { until } from '../../core/until.ts';
import type { RemoteAccount, RemoteLogLine } from '../records.ts';
import { Refusal, type RemoteCall } from '../wire.ts';

/** So often a comment shows that the stream lives. */
const PULSE_MS = 15_000;

const idOf = ({ at }: RemoteLogLine, index: number): string =>
  `${new Date(at).toISOString()}/${String(index).padStart(12, '0')}`;

export async function streamLogs(
  account: RemoteAccount,
  of: string,
  request: RemoteCall,
  stopping: AbortSignal,
): Promise<void> {
  const { query, response, headers } = request;
  const source = query.get('source');
  const tail = Number(query.get('tail') ?? 100);
  if (!Number.isInteger(tail) || tail < 0 || tail > 5000) throw new Refusal(400, 'tail must be between 0 and 5000');
  const lines = account.logs.get(of) ?? [];
  account.logs.set(of, lines);
  const fits = (line: RemoteLogLine): boolean => source === null || line.source === source;
  const since = query.get('since');
  const lastId = headers['last-event-id'];

  let next = 0;
  if (typeof lastId === 'string') {
    const place = lines.findIndex((line, index) => idOf(line, index) === lastId);
    next = place + 1;
  } else if (since !== null) {
    const index = lines.findIndex(({ at }) => at >= Date.parse(since));
    next = index < 0 ? lines.length : index;
  } else {
    const fitting = lines.map((line, index) => ({ line, index })).filter(({ line }) => fits(line));
    next = tail === 0 ? lines.length : (fitting.at(-tail)?.index ?? 0);
  }

  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  response.flushHeaders();
  const pulse = setInterval(() => response.write(': alive\n\n'), PULSE_MS);
  const over = AbortSignal.any([request.gone, stopping]);
  try {
    while (!over.aborted) {
      for (; next < lines.length; next++) {
        const line = lines[next]!;
        if (!fits(line)) continue;
        const data = JSON.stringify({ ts: new Date(line.at).toISOString(), source: line.source, line: line.line });
        response.write(`id: ${idOf(line, next)}\ndata: ${data}\n\n`);
      }
      const lineCount = lines.length;
      await until('a line, or the end', () => over.aborted || lines.length > lineCount);
    }
  } finally {
    clearInterval(pulse);
    response.end();
  }
}
