import { expect, it } from 'vitest';
import { freeName, withSuggestedName } from './podNames.ts';

it('a name that another Pod has gets the next free number', () => {
  expect(freeName('trainer', [])).toBe('trainer');
  expect(freeName('trainer', ['trainer', 'trainer-2'])).toBe('trainer-3');
  expect(freeName('trainer-2', ['trainer-2'])).toBe('trainer-3');
});

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
