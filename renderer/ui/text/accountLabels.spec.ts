import { expect, it } from 'vitest';
import { reasonWords, retryWords } from './accountLabels.ts';

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

it('A refused key of an engine is explained from this side, whatever the engine calls it', () => {
  const reason = 'This API key is not known here, or it is disabled.';
  expect(reasonWords({ reason, state: 'refused', kind: 'engine' })).toMatch(/^The other computer refused the key\./);
  expect(reasonWords({ reason: 'expired', state: 'refused', kind: 'cloud' })).toBe('It answered: "expired".');
});

it.each([
  [null, null],
  [2400, 'Next try in 3 s.'],
  [0, 'Trying again now.'],
])('a try in %j ms is said as %j', (ms, words) => {
  expect(retryWords({ nextTryAt: ms === null ? null : 1000 + ms }, 1000)).toBe(words);
});
