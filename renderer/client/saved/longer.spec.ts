import { expect, it } from 'vitest';
import { longerOf } from './longer.ts';

const talk = (...texts: string[]): string =>
  JSON.stringify({ updatedAt: Math.random(), messages: texts.map((text) => ({ role: 'user', text })) });

it.each([
  ['the other has more', talk('a'), talk('a', 'b'), 'other'],
  ['the first has more', talk('a', 'b'), talk('a'), 'one'],
  ['both are the same', talk('a'), talk('a'), 'other'],
  ['both went on', talk('a', 'b'), talk('a', 'c'), 'both'],
  ['an earlier message was changed', talk('b', 'c'), talk('a'), 'both'],
  ['one is empty', talk(), talk('a'), 'other'],
  ['one cannot be read', '{"messages":', talk('a'), 'both'],
  ['one is of a later version', '{"turns":[]}', talk('a'), 'both'],
])('%s', (_, one, other, longer) => expect(longerOf(one, other)).toBe(longer));
