/** Where a package says that it comes from. */
import { expect, it } from 'vitest';
import { originOf } from './origin.mjs';

it('a build of the workflow names the repository that it builds', () => {
  expect(originOf({ GITHUB_REPOSITORY: 'somebody/hangar', GITHUB_SERVER_URL: 'https://github.com' })).toEqual({
    homepage: 'https://github.com/somebody/hangar',
    maintainer: { name: 'Hangar contributors', email: 'somebody@users.noreply.github.com' },
    repository: { owner: 'somebody', repo: 'hangar' },
  });
});

it('a build of a person names no homepage and no address elsewhere', () => {
  expect(originOf({})).toEqual({
    homepage: null,
    maintainer: { name: 'Hangar contributors', email: 'hangar@localhost' },
    repository: null,
  });
});
