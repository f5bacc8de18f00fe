/** A stream of server-sent events: texts go out unchanged, values as events, at the speed of the reader. */
import type { ServerResponse } from 'node:http';

export interface EventStream {
  /** Whether anything was sent or collected: an error is then an event, not a status. */
  begun(): boolean;
  /** Adds raw text of the stream. Half of a surrogate pair waits for its other half. */
  text(text: string): void;
  /** Adds one event: `data:` and a JSON text. */
  event(json: string): void;
  /** Sends the collected texts and events. */
  flush(): void;
  /** Sends a comment, which clients skip; only between events, and only to a reader that keeps up. */
  pulse(): void;
  /** Whether the reader is behind, so that the sender has to wait. */
  isFull(): boolean;
  /** Whether the last part was an event, not text. */
  lastWasEvent(): boolean;
  /** Whether the last part was the event `[DONE]`: after it clients stop reading and disconnect. */
  saidDone(): boolean;
  end(): void;
}

/** Above this size the collected text is sent. */
const COLLECTED_CHARACTERS = 32 * 1024;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // A proxy must not buffer the stream.
  'x-accel-buffering': 'no',
};

/** Characters of the end that are remembered: enough for the event `[DONE]` with its line breaks. */
const TAIL_CHARACTERS = 16;

const DONE = /^data: ?\[DONE\](?:\n\n|\r\n\r\n|\r\r)$/m;

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800;

/** Sends the head with the first bytes: until then an error can have its own HTTP status. */
export function createEventStream(response: ServerResponse): EventStream {
  let pendingText = '';
  /** The last characters of the stream; they show whether an event is open, and which one was the last. */
  let tail = '';
  let ours = true;

  /** Small pieces that wait to be sent together. */
  let collected = '';

  function flush(): void {
    if (collected === '') return;
    if (!response.headersSent) response.writeHead(200, HEADERS);
    response.write(collected);
    collected = '';
  }

  function send(text: string): void {
    tail = (tail + text.slice(-TAIL_CHARACTERS)).slice(-TAIL_CHARACTERS);
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
      // Line breaks between values of JSON are layout; in an event they would end the line.
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
    saidDone: () => DONE.test(tail),
    end() {
      sendPending();
      flush();
      response.end();
    },
  };
}
