import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { InsertFile } from './InsertFile.tsx';

it('the same file can be inserted twice in a row', async () => {
  const inserted: string[] = [];
  const { user, screen } = renderPage(
    <InsertFile onPick={(files) => inserted.push(...files.map(({ name }) => name))} />,
  );
  const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
  await user.upload(input, new File(['film'], 'film.mp4'));
  expect(inserted).toEqual(['film.mp4']);
  // The browser would not tell of a choice that changes nothing.
  await user.click(screen.getByRole('button', { name: 'Insert a file' }));
  expect(input.files).toHaveLength(0);
});
