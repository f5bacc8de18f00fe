import { EditorView } from '@codemirror/view';
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { draftText, setDraft } from '../../../state/drafts.ts';
import ComparePage from './ComparePage.tsx';
import { COMPARE_DRAFT } from './comparison.ts';

it('a file becomes part of the input of all columns, in the way that is chosen as on Run', async () => {
  setDraft(COMPARE_DRAFT, '{"input": {"image": ""}}');
  const { screen, user } = renderPage(<ComparePage />, {
    accounts: { list: () => [thisComputer] },
    endpoints: { list: () => [] },
  });
  const editor = await screen.findByRole('textbox', { name: 'Request body, JSON' });
  await user.click(screen.getByRole('button', { name: 'Files as base64 or link' }));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Always base64, inside the request' }));
  expect(screen.getByRole('button', { name: 'Files as base64' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());

  EditorView.findFromDOM(editor)?.dispatch({ selection: { anchor: 21 } });
  const field = document.querySelector('input[type=file]');
  if (!(field instanceof HTMLInputElement)) throw new Error('There is no field for files.');
  await user.upload(field, [new File(['four machines'], 'a.txt')]);
  await waitFor(() => expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": {"image": "Zm91ciBtYWNoaW5lcw=="}}'));
  expect(screen.getByRole('list', { name: 'Files of the input' })).toHaveTextContent('a.txt');
});
