import { expect, it } from 'vitest';
import { createSessionIds } from './sessionIds.ts';

it('a terminal that is gone ended in this run of the program, or with an earlier one', () => {
  const byte = (value: string) => (bytes: number) => value.repeat(bytes * 2);
  const [earlier, now] = [createSessionIds('h', byte('a')), createSessionIds('h', byte('b'))];
  expect(now.gone(now.next())).toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringMatching(/^This shell has ended/),
  });
  expect(now.gone(earlier.next())).toMatchObject({
    code: 'NOT_FOUND',
    message: 'Hangar was restarted, and this shell ended with it.',
  });
});
