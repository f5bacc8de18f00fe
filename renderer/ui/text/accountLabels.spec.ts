import { expect, it } from 'vitest';
import { reasonWords } from './accountLabels.ts';

it.each([
  ['Cannot reach work (ECONNREFUSED).', 'Nothing answers at its address.'],
  ['Cannot reach my lab (2) (EAI_AGAIN).', 'Its address was not found. Is this computer online?'],
  ['Cannot reach work (EPROTO).', 'Cannot reach work (EPROTO).'],
  ['work did not answer in time.', 'work did not answer in time.'],
  ['invalid api key', 'It answered: "invalid api key".'],
  [null, null],
])('%j is said as %j', (reason, words) => {
  expect(reasonWords({ reason })).toBe(words);
});
