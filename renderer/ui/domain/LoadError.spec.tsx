import { expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { LoadError } from './LoadError.tsx';

it.each([
  ['database is locked', 'It answered: "database is locked".'],
  ['The engine is not running.', 'The engine is not running.'],
])('A list that cannot be loaded says "%s" of a service as a sentence', async (problem, shown) => {
  const { screen } = renderPage(<LoadError title="Not read" problem={problem} retry={() => undefined} />, {
    accounts: { list: () => [thisComputer] },
  });
  expect(await screen.findByText(shown)).toBeVisible();
});
