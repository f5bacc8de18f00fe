/** A server-sent event stream: texts go out as they are, values as events, and a slow reader is waited for. */
import type { ServerResponse } from 'node:http';

export interface EventStream {
  /** Whether anything was sent or collected, so that an error can only be told as an event. */
  begun(): boolean;
  /** Adds text of the stream as it is. Half of a surrogate pair waits for its other half. */
  text(text: string): void;
  /** Adds one event: `data:` and a JSON text. */
  event(json: string): void;
  /** Sends what `text` and `event` have collected. */
  flush(): void;
  /** Sends a comment, which clients skip, where that can harm nothing. */
  pulse(): void;
  /** Whether the reader must catch up before anything more is sent. */
  isFull(): boolean;
  /** Whether what was sent last was an event of ours, not text. */
  lastWasEvent(): boolean;
  end(): void;
}

/** Above this nothing more is collected. */
const COLLECTED_CHARACTERS = 32 * 1024;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // A proxy must not collect what is meant to be seen as it is written.
  'x-accel-buffering': 'no',
};

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800;

/** Nothing is sent before the first call: until then an error can have its own HTTP status. */
export function createEventStream(response: ServerResponse): EventStream {
  let pendingText = '';
  /** The last characters sent: whether an event is open depends on them. */
  let tail = '';
  let ours = true;

  /** Many small pieces that are there together are sent together. */
  let collected = '';

  function flush(): void {
    if (collected === '') return;
    if (!response.headersSent) response.writeHead(200, HEADERS);
    response.write(collected);
    collected = '';
  }

  function send(text: string): void {
    tail = (tail + text.slice(-4)).slice(-4);
    collected += text;
    if (collected.length > COLLECTED_CHARACTERS) flush();
  }

  function sendPending(): void {
    const text = pendingText;
    pendingText = '';
    send(text);
  }

  const betweenEvents = (): boolean => pendingText === '' && (tail === '' || /\n\r?\n$|\r\r$/.test(tail));

  return {
    begun: () => response.headersSent || collected !== '' || pendingText !== '',
    text(text) {
      const whole = pendingText + text;
      const split = isHighSurrogate(whole.charCodeAt(whole.length - 1));
      pendingText = split ? whole.slice(-1) : '';
      send(split ? whole.slice(0, -1) : whole);
      ours = false;
    },
    event(json) {
      sendPending();
      // Line breaks in JSON text are mere layout; in an event they would end the line.
      send(`${betweenEvents() ? '' : '\n\n'}data: ${json.replace(/[\r\n]+/g, ' ')}\n\n`);
      ours = true;
    },
    flush,
    pulse() {
      if (!betweenEvents() || response.writableNeedDrain) return;
      send(': waiting\n\n');
      flush();
    },
    isFull: () => response.writableNeedDrain,
    lastWasEvent: () => ours,
    end() {
      sendPending();
      flush();
      response.end();
    },
  };
}
