import { Select } from '@mantine/core';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';

it('Enter chooses the first option that the typed text finds', async () => {
  const chosen: (string | null)[] = [];
  const select = (
    <Select
      label="Endpoint"
      searchable
      data={['draw-fractal', 'greet', 'greet-all']}
      onChange={(value) => void chosen.push(value)}
    />
  );
  const { screen, user } = renderPage(select, {});
  await user.type(screen.getByRole('combobox', { name: 'Endpoint' }), 'gre{Enter}');
  expect(chosen).toEqual(['greet']);
});
