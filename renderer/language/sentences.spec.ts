import { expect, it } from 'vitest';
import { joinFacts, joinSentences } from './sentences.ts';

it('Sentences and facts stand after each other, without those that do not apply', () => {
  expect(joinSentences('It is ready.', false, null, undefined, '', 'Quit Hangar.')).toBe('It is ready. Quit Hangar.');
  expect(joinFacts('3 of 4 free', null, 'stock Medium')).toBe('3 of 4 free, stock Medium');
  expect(joinFacts(null, 'stock Medium')).toBe('stock Medium');
  expect(joinSentences(null)).toBe('');
});
