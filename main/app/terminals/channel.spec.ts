import { EventEmitter } from 'node:events';
import type { ClientChannel } from 'ssh2';
import { expect, it } from 'vitest';
import { openChannel } from './channel.ts';
import type { Connection } from './connection.ts';

it('a program that has ended as soon as its terminal is open has its exit code', async () => {
  const channel = new EventEmitter();
  // One packet can bring the answer, the exit code and the end of a short program.
  const client = {
    exec(_command: string, _options: object, done: (error: undefined, channel: EventEmitter) => void) {
      done(undefined, channel);
      channel.emit('exit', 3);
      channel.emit('close');
    },
  };
  const program = { id: 't', command: ['exit', '3'], tmux: null };
  const size = { columns: 80, rows: 24 };
  const opened = await openChannel({ client } as unknown as Connection, 'direct', program, size);
  await opened.closed;
  expect(opened.exit()).toEqual({ code: 3, signal: null });
  expect(opened.channel).toBe(channel as unknown as ClientChannel);
});
