import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { MiddleCut } from './MiddleCut.tsx';

/** The two parts of a name that are seen. */
function partsOf(name: string): string[] {
  const { screen } = renderPage(<MiddleCut text={name} />, {});
  return [...screen.getByTitle(name).querySelectorAll('[aria-hidden]')].map(({ textContent }) => textContent);
}

it('A long name keeps its last characters and an extension that is not too long', () => {
  expect(partsOf('a-checkpoint-of-a-model.safetensors')).toEqual(['a-checkpoint-of-a-model', '.safetensors']);
  expect(partsOf('a-checkpoint-of-a-model-00012.bin')).toEqual(['a-checkpoint-of-a-model-', '00012.bin']);
  expect(partsOf('a.folder-with-a-very-long-name')).toEqual(['a.folder-with-a-very-', 'long-name']);
});
