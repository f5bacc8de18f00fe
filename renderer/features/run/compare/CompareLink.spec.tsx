import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { draftText, setDraft } from '../../../state/drafts.ts';
import { CompareLink } from './CompareLink.tsx';
import { COMPARE_DRAFT } from './comparison.ts';

it('the input of Run takes the place of that of Compare, which comes back by Undo', async () => {
  setDraft(COMPARE_DRAFT, '{"input": "compared"}');
  const { user, screen } = renderPage(
    <CompareLink accountId="here" endpointId="e" endpointName="words" text={'{"input": "run"}'} />,
  );
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": "run"}');
  expect(await screen.findByText('Replaced the input of Compare')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(draftText.get(COMPARE_DRAFT)).toBe('{"input": "compared"}');
});
