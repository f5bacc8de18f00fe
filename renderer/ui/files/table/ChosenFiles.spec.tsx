import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { ChosenFiles } from './ChosenFiles.tsx';

const entryOf = (name: string, kind: 'file' | 'folder' | 'other') => ({
  name,
  kind,
  sizeBytes: 1,
  modifiedAt: '2026-01-01T00:00:00.000Z',
});

it('Chosen entries that are neither files nor folders are not downloaded, and the button says why', async () => {
  const downloads: string[][] = [];
  const bar = (...chosen: ReturnType<typeof entryOf>[]) => (
    <ChosenFiles
      chosen={chosen}
      onDownload={(entries) => downloads.push(entries.map(({ name }) => name))}
      onPickUp={() => undefined}
      onRemove={() => undefined}
      onClear={() => undefined}
    />
  );
  const { user, screen, rerender } = renderPage(bar(entryOf('socket', 'other')));
  const none = screen.getByRole('button', { name: 'Download 0' });
  expect(none).toHaveAccessibleDescription('None of them is a file or a folder.');
  none.focus();
  expect(none).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(downloads).toEqual([]);
  rerender(bar(entryOf('socket', 'other'), entryOf('data', 'folder')));
  await user.click(screen.getByRole('button', { name: 'Download 1' }));
  expect(downloads).toEqual([['data']]);
});
