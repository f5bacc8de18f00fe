import { expect, it } from 'vitest';
import { problemOfName, pulledName, typedName } from './typedName.ts';

it.each([
  [' ubuntu:24.04 ', 'ubuntu:24.04'],
  ['docker pull ubuntu', 'ubuntu'],
  ['sudo podman image pull ghcr.io/me/model:1', 'ghcr.io/me/model:1'],
  ['https://ghcr.io/me/model', 'ghcr.io/me/model'],
])('%j is read as %j', (text, name) => {
  expect(typedName(text)).toBe(name);
});

it('a name without a tag or a digest means the tag "latest"', () => {
  expect(['ubuntu', 'localhost:5000/me', 'a:1', 'a@sha256:00'].map(pulledName)).toEqual([
    'ubuntu:latest',
    'localhost:5000/me:latest',
    'a:1',
    'a@sha256:00',
  ]);
});

it.each(['', 'ubuntu', 'ghcr.io/me/model:V1', 'localhost:5000/me/model', `a@sha256:${'0'.repeat(64)}`])(
  'nothing is wrong with %j',
  (name) => {
    expect(problemOfName(name)).toBe(null);
  },
);

it.each([
  ['ubuntu debian', /no spaces/],
  ['ghcr.io/Me/Model:V1', /lowercase: ghcr.io\/me\/model\./],
  ['ubuntu:', /tag is missing/],
  ['0'.repeat(64), /id of an image/],
  ['me/model:1:2', /as in ubuntu:24.04/],
  ['-', /as in ubuntu:24.04/],
])('%j is told of in words', (name, words) => {
  expect(problemOfName(name)).toMatch(words);
});
