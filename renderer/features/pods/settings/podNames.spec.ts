import { expect, it } from 'vitest';
import { withSuggestedName } from './podNames.ts';

it.each([
  ['pytorch/pytorch:2.9-cuda', 'pytorch'],
  ['ghcr.io/me/comfy@sha256:abc', 'comfy'],
  ['registry:5000/me/image', 'image'],
  ['ubuntu', 'ubuntu-2'],
  ['quay.io/jupyter/base-notebook:latest', 'jupyterlab'],
  ['', ''],
])('a Pod of %j is called %j', (imageName, name) => {
  expect(withSuggestedName({ name: '', imageName: '' }, { imageName }, ['ubuntu'])).toEqual({ imageName, name });
});

it('a suggested name follows the image, and a name that a person has written stays', () => {
  expect(withSuggestedName({ name: 'ubun', imageName: 'ubun' }, { imageName: 'ubuntu' }, [])).toEqual({
    imageName: 'ubuntu',
    name: 'ubuntu',
  });
  expect(withSuggestedName({ name: 'mine', imageName: 'ubun' }, { imageName: 'ubuntu' }, [])).toEqual({
    imageName: 'ubuntu',
  });
  expect(withSuggestedName({ name: '', imageName: '' }, { ports: [] }, [])).toEqual({ ports: [] });
});
