/** A server-sent event stream: texts go out as they are, values as events, and a slow reader is waited for. */
import type { ServerResponse } from 'node:http';

export interface EventStream {
  /** Whether the headers are out, so that an error can only be told as an event. */
  begun(): boolean;
  /** Sends text of the stream as it is. Half of a surrogate pair waits for its other half. */
  text(text: string): void;
  /** Sends one event: `data:` and a JSON text. */
  event(json: string): void;
  /** Sends a comment, which clients skip, where that can harm nothing. */
  pulse(): void;
  /** Whether the reader must catch up before anything more is sent. */
  isFull(): boolean;
  /** Whether what was sent last was an event of ours, not text. */
  lastWasEvent(): boolean;
  end(): void;
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  // A proxy must not collect what is meant to be seen as it is written.
  'x-accel-buffering': 'no',
};

const isHighSurrogate = (code: number): boolean => (code & 0xfc00) === 0xd800;

/** Nothing is sent before the first call: until then an error can have its own HTTP status. */
export function createEventStream(response: ServerResponse): EventStream {
  let heldBack = '';
  /** The last characters sent: whether an event is open depends on them. */
  let tail = '';
  let ours = true;

  function send(text: string): void {
    if (text === '') return;
    if (!response.headersSent) response.writeHead(200, HEADERS);
    tail = (tail + text.slice(-4)).slice(-4);
    response.write(text);
  }

  function sendHeldBack(): void {
    const text = heldBack;
    heldBack = '';
    send(text);
  }

  const betweenEvents = (): boolean => heldBack === '' && (tail === '' || /\n\r?\n$|\r\r$/.test(tail));

  return {
    begun: () => response.headersSent,
    text(text) {
      const whole = heldBack + text;
      const split = isHighSurrogate(whole.charCodeAt(whole.length - 1));
      heldBack = split ? whole.slice(-1) : '';
      send(split ? whole.slice(0, -1) : whole);
      ours = false;
    },
    event(json) {
      sendHeldBack();
      // Line breaks in JSON text are mere layout; in an event they would end the line.
      send(`${betweenEvents() ? '' : '\n\n'}data: ${json.replace(/[\r\n]+/g, ' ')}\n\n`);
      ours = true;
    },
    pulse() {
      if (betweenEvents() && !response.writableNeedDrain) send(': waiting\n\n');
    },
    isFull: () => response.writableNeedDrain,
    lastWasEvent: () => ours,
    end() {
      sendHeldBack();
      response.end();
    },
  };
}
