import { expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { createInputQueue } from './inputQueue.ts';

it('what is typed waits until the queue is opened, and goes one piece after the other', async () => {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  const queue = createInputQueue((text) => {
    sent.push(text);
    return new Promise<void>((resolve) => answers.push(resolve));
  });
  queue.add('ls');
  expect(sent).toEqual([]);
  queue.setOpen(true);
  queue.add('\r');
  expect(sent).toEqual(['ls']);
  answers[0]?.();
  await expect.poll(() => sent).toEqual(['ls', '\r']);
});

it('a piece has at most as many characters as the engine takes at once', async () => {
  const sent: number[] = [];
  const queue = createInputQueue((text) => Promise.resolve(sent.push(text.length)));
  queue.setOpen(true);
  queue.add('x'.repeat(limits.terminal.inputLength + 1));
  await expect.poll(() => sent).toEqual([limits.terminal.inputLength, 1]);
});

it('what is typed while the queue is closed again waits, and a failed piece stops nothing', async () => {
  const sent: string[] = [];
  const queue = createInputQueue((text) => {
    sent.push(text);
    return Promise.reject(new Error('away'));
  });
  queue.setOpen(true);
  queue.add('a');
  queue.setOpen(false);
  queue.add('b');
  queue.setOpen(true);
  await expect.poll(() => sent).toEqual(['a', 'b']);
});
