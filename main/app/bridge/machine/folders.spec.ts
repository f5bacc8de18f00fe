import { describe, expect, it } from 'vitest';
import type { FoldersApi } from '../../compute/folders.ts';
import type { Directory } from '../../services/directory.ts';
import { foldersOf } from './folders.ts';

const directoryWith = (local: object | null): Directory =>
  ({ compute: () => ({ local }), get: () => ({ name: 'work' }) }) as unknown as Directory;

describe('the folders of an account', () => {
  it('are those of its engine', () => {
    const folders = {} as FoldersApi;
    expect(foldersOf(directoryWith({ folders }), 'a')).toBe(folders);
  });

  it('of a remote service are refused with a sentence that names it', () => {
    expect(() => foldersOf(directoryWith(null), 'a')).toThrow(
      '"work" is not a Hangar engine: it does not run handlers from folders.',
    );
  });
});
