import { describe, expect, it } from 'vitest';
import { completed, entryPath, matches, withoutEnd } from './completion.ts';

const folder = (name: string) => ({ name, isFolder: true });
const file = (name: string) => ({ name, isFolder: false });
const listing = (rest: string, path = '/home/ann') => ({
  path,
  rest,
  entries: [folder('.config'), folder('Project-a'), folder('project-b'), folder('tmp'), file('notes.txt')],
});

describe('a typed path', () => {
  it('is completed as far as all matches agree, whatever their case', () => {
    expect(completed(listing('pro'), false)).toBe('/home/ann/Project-');
    expect(completed(listing('project-b'), false)).toBe('/home/ann/project-b/');
    expect(completed(listing('x'), false)).toBeNull();
    expect(completed(listing(''), false)).toBeNull();
  });

  it('has files among its matches only where a file is wanted', () => {
    expect(completed(listing('not'), false)).toBeNull();
    expect(completed(listing('not'), true)).toBe('/home/ann/notes.txt');
  });

  it('has names with a dot among its matches once the dot is typed', () => {
    expect(matches(listing(''), true).map(({ name }) => name)).not.toContain('.config');
    expect(matches(listing('.'), true).map(({ name }) => name)).toEqual(['.config']);
  });

  it('is written as its system does', () => {
    expect(entryPath('C:\\Users', folder('ann'))).toBe('C:\\Users\\ann\\');
    expect(entryPath('C:\\', file('a.txt'))).toBe('C:\\a.txt');
    expect(entryPath('/', folder('home'))).toBe('/home/');
    expect([withoutEnd('/home/ann/'), withoutEnd('/'), withoutEnd('C:\\')]).toEqual(['/home/ann', '/', 'C:\\']);
  });
});
