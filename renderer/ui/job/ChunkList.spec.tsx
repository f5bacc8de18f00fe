import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ChunkList } from './ChunkList.tsx';

it('a chunk shows the metrics that its worker sent beside it, whole once it is open', async () => {
  const chunks = [
    { index: 0, at: 1500, text: '"one"', metrics: '{"step":3,"lr_scale":0.12,"phase":"warm","gpu":{"used":1}}' },
    { index: 1, at: 2000, text: '"two"', metrics: '[1,2]' },
    { index: 2, at: 2500, text: '"three"' },
  ];
  const { screen, user } = renderPage(<ChunkList chunks={chunks} startedAt={1000} />);
  const rows = await screen.findAllByRole('button');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    '1+0.50 s"one"step 3 · lr scale 0.12 · phase warm',
    '2+1.00 s"two"[1,2]',
    '3+1.50 s"three"',
  ]);
  await user.click(rows[0]!);
  expect(screen.getByText(/^"one"\s+metrics:/)).toHaveTextContent('"gpu": { "used": 1 }');
});
