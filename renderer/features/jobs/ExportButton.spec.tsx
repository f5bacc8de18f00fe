import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { commandsNow } from '../../state/commands.ts';
import { ExportButton } from './ExportButton.tsx';

it('says why there is nothing to export', () => {
  const { screen } = renderPage(<ExportButton filter={{}} count={0} whyNot="No job fits these filters" />);
  const button = screen.getByRole('button', { name: 'Export' });
  expect(button).toHaveAccessibleDescription('No job fits these filters');
  expect(button).not.toHaveAttribute('disabled');
});

it.each([
  ['the jobs of the filter', {}, ['Export the jobs as CSV', 'Export the jobs as JSON Lines']],
  [
    'the chosen jobs',
    { entryIds: ['a'] },
    ['Export the selected jobs as CSV', 'Export the selected jobs as JSON Lines'],
  ],
  ['nothing where there is no job', { whyNot: 'No jobs match these filters' }, []],
] as const)(
  'the palette exports %s',
  (_, { whyNot = null, ...chosen }: { whyNot?: string | null; entryIds?: readonly string[] }, labels) => {
    const { entryIds } = chosen;
    renderPage(<ExportButton filter={{}} count={1} whyNot={whyNot} {...(entryIds && { entryIds: [...entryIds] })} />);
    expect(commandsNow().map(({ label }) => label)).toEqual(labels);
  },
);

it('says how many jobs it exports before it does', async () => {
  const { user, screen } = renderPage(<ExportButton filter={{}} count={18} whyNot={null} />);
  await user.click(screen.getByRole('button', { name: 'Export' }));
  expect(await screen.findByText('18 jobs')).toBeVisible();
});
