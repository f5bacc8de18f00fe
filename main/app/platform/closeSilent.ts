/** Finds connections whose other side is gone without a word. */
import type { WebSocket } from 'ws';
import { systemClock, type Clock } from './clock.ts';

/**
 * Pings the other side every `everyMs` milliseconds, and closes the connection if neither a message nor an answer came
 * since the last ping: nobody reports a cable that was pulled out. A message counts too, because an answer comes behind
 * all data that the other side has yet to read.
 */
export function closeSilent(socket: WebSocket, everyMs: number, clock: Clock = systemClock): void {
  let isAlive = true;
  const noteLife = (): void => void (isAlive = true);
  const check = (): void => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
    cancel = clock.after(everyMs, check);
  };
  let cancel = clock.after(everyMs, check);
  socket.on('pong', noteLife);
  socket.on('message', noteLife);
  socket.on('close', () => cancel());
}
