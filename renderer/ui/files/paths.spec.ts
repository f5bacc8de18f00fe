import { describe, expect, it } from 'vitest';
import { crumbsOf, join, nameProblem } from './paths.ts';

describe('paths inside a volume', () => {
  it('are put together with one slash, and begin without one', () => {
    expect([join('', 'a'), join('a', 'b c')]).toEqual(['a', 'a/b c']);
  });

  it('lead back through every folder above', () => {
    expect(crumbsOf('')).toEqual([]);
    expect(crumbsOf('models/flux/v1').map(({ path }) => path)).toEqual(['models', 'models/flux', 'models/flux/v1']);
  });

  it('are made of names that are free and name one thing', () => {
    expect(nameProblem('model.bin', ['other'])).toBeNull();
    for (const wrong of ['', '.', '..', 'a/b', 'taken']) expect(nameProblem(wrong, ['taken']), wrong).not.toBeNull();
  });
});
