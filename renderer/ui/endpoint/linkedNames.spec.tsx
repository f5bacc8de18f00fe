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

it('several Pods after one word are links, and other names in quotation marks are not', () => {
  const { text, links } = shown('"x" (y): Pods "a" (p-1), "b, c" (p-2) and "d" hold RTX.');
  expect(text).toBe('"x" (y): Pods a, b, c and "d" hold RTX.');
  expect(links).toEqual([
    ['a', '#/pods/p-1/overview'],
    ['b, c', '#/pods/p-2/overview'],
  ]);
});

it('a message without names stays as it is', () => {
  const message = 'It waits for a free GPU (RTX); Pod p holds what is there.';
  expect(shown(message)).toEqual({ text: message, links: [] });
});
