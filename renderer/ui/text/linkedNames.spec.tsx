import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { linkedNames } from './linkedNames.tsx';

const shown = (message: string) => {
  const { screen } = renderPage(<p>{linkedNames('a', message)}</p>, {});
  const links = screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  return { text: screen.getByRole('paragraph').textContent, links };
};

it('the holders of a GPU in a message of the engine lead to their pages, by their names', () => {
  expect(
    shown(
      'It waits for a free GPU (RTX); worker w-1 of endpoint "draw \\"it\\"" (e1) and Pod "trainer" (p-1) hold it.',
    ),
  ).toEqual({
    text: 'It waits for a free GPU (RTX); worker w-1 of endpoint draw "it" and Pod trainer hold it.',
    links: [
      ['draw "it"', '#/endpoints/e1'],
      ['trainer', '#/pods/p-1/overview'],
    ],
  });
});

it('a message without names stays as it is', () => {
  const message = 'It waits for a free GPU (RTX); Pod p holds what is there.';
  expect(shown(message)).toEqual({ text: message, links: [] });
});
