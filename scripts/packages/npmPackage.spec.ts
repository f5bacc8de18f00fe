/** Rules of the manifest of the npm package. */
import { expect, test } from 'vitest';
import { npmManifest } from './npmPackage.mjs';

test('a package of the workflow names the repository that built it, for its provenance; one of a clone does not', () => {
  expect(npmManifest('1.2.3', { GITHUB_REPOSITORY: 'me/hangar' })).toMatchObject({
    version: '1.2.3',
    homepage: 'https://github.com/me/hangar',
    repository: { type: 'git', url: 'git+https://github.com/me/hangar.git' },
  });
  expect(npmManifest('1.2.3', {})).not.toHaveProperty('repository');
});
