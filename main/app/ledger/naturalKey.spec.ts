import { expect, it } from 'vitest';
import { naturalKey } from './naturalKey.ts';

const byKey = (a: string, b: string): number => {
  const [one, other] = [naturalKey(a), naturalKey(b)];
  return one < other ? -1 : Number(one > other);
};

it.each([
  [['{"n":2}', '{"n":10}', '{"n":100}']],
  [['{"n":-10}', '{"n":-2.5}', '{"n":-2}', '{"n":0}', '{"n":0.5}', '{"n":1.25}', '{"n":1.5}']],
  [['{"name":"card 2"}', '{"name":"Card 10"}', '{"name":"Émile"}', '{"name":"zebra"}']],
  [['2024-2', '2024-11', '2025-1']],
])('The keys of texts are in the order of a person: %j', (texts) => {
  expect(texts.toReversed().toSorted(byKey)).toEqual(texts);
});
