import { expect, it } from 'vitest';
import { isImageName } from './imageName.ts';

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

it.each([
  'ubuntu',
  'ubuntu:24.04',
  'me/worker',
  'me/worker:v1.0_b-2',
  'a__b/c--d.e',
  'localhost/me',
  'localhost:5000/me',
  '127.0.0.1:5000/me/worker:1',
  '[::1]:5000/me',
  'GHCR.io/me/worker',
  `me/worker@${digest}`,
  `me/worker:1@${digest}`,
  digest,
  'a'.repeat(255),
])('%s is the name of an image', (name) => expect(isImageName(name)).toBe(true));

it.each([
  '',
  'Ubuntu',
  'me/Worker',
  'my image',
  'me//worker',
  '/me',
  'me/',
  '-me',
  'me-',
  'me/.worker',
  'a___b',
  'me:',
  'me:a tag',
  `me:${'t'.repeat(129)}`,
  'me@',
  'me@sha256:12',
  'docker://ubuntu',
  'https://x.io/me',
  'me;rm',
  '../me',
  'me\\worker',
  'a'.repeat(256),
  digest.slice('sha256:'.length),
  'me\n',
])('%j is not the name of an image', (name) => expect(isImageName(name)).toBe(false));
