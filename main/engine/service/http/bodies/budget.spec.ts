/** Who may read a large body into memory, and who waits. */
import { describe, expect, test } from 'vitest';
import { createBodyBudget } from './budget.ts';

function setUp() {
  const budget = createBodyBudget(100);
  const granted: string[] = [];
  const claim = (name: string, bytes: number) => budget.claim(bytes, () => void granted.push(name));
  return { granted, claim };
}

describe('the room for large bodies', () => {
  test('is given at once while there is enough, and then in the order of asking', () => {
    const { granted, claim } = setUp();
    const first = claim('first', 60);
    const second = claim('second', 40);
    claim('large', 90);
    claim('small', 10);
    expect(granted).toEqual(['first', 'second']);
    second();
    expect(granted).toEqual(['first', 'second']);
    first();
    expect(granted).toEqual(['first', 'second', 'large', 'small']);
  });

  test('is given back once, however often that is said', () => {
    const { granted, claim } = setUp();
    const first = claim('first', 60);
    claim('second', 60);
    first();
    first();
    claim('third', 60);
    expect(granted).toEqual(['first', 'second']);
  });

  test('is not held up by one who left the line', () => {
    const { granted, claim } = setUp();
    claim('first', 60);
    const gone = claim('gone', 60);
    claim('third', 40);
    expect(granted).toEqual(['first']);
    gone();
    expect(granted).toEqual(['first', 'third']);
  });

  test('is given alone to one who asks for more than there is', () => {
    const { granted, claim } = setUp();
    const first = claim('first', 1);
    const huge = claim('huge', 1000);
    claim('third', 1);
    first();
    expect(granted).toEqual(['first', 'huge']);
    huge();
    expect(granted).toEqual(['first', 'huge', 'third']);
  });
});
