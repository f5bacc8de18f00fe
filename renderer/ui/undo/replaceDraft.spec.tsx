import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { draftText, setDraft } from '../../state/drafts.ts';
import { replaceDraft } from './replaceDraft.ts';

const KEY = 'here/e';
const replaceWith = (text: string) => act(() => replaceDraft(KEY, { text, replaced: 'Replaced', taken: 'Taken' }));

it('only another input is offered back, not the same one in another layout', async () => {
  const { screen } = renderPage(null);
  setDraft(KEY, '{"input": {"name": "ada"}}');
  replaceWith('{\n  "input": {\n    "name": "ada"\n  }\n}');
  expect(draftText.get(KEY)).toContain('\n');
  expect(screen.queryByText('Replaced')).toBeNull();
  replaceWith('{"input": {"name": "a da"}}');
  expect(await screen.findByText('Replaced')).toBeVisible();
});
