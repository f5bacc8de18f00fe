import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { CompareTable } from './CompareTable.tsx';
import { toRow } from './gpuRows.ts';

it('a GPU that is not free has the prices it costs when some are, also as the best ones', () => {
  const facts = { isProcessor: false, maxGpuCount: 8, counts: [], totalCount: 0, rentedCount: 0 };
  const l4 = { ...facts, id: 'NVIDIA L4', name: 'L4', memoryInGb: 24 };
  const rows = [
    toRow({ ...l4, id: 'other', perGpu: 0.9, listPrice: 0.9, stock: 'High' }, 2),
    toRow({ ...l4, perGpu: null, listPrice: 0.4, stock: 'None' }, 2),
  ];
  const { screen } = renderPage(<CompareTable rows={rows} onClose={() => undefined} />, {
    accounts: { list: () => [] },
  });
  const cells = (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`^${name} `) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(cells('Per hour')).toEqual(['$1.80', '(best) $0.80']);
  expect(cells('Per GPU and hour')).toEqual(['$0.90', '(best) $0.40']);
  expect(cells('Per GB and hour')[1]).toMatch(/^\(best\) \$0\.\d+$/);
  expect(cells('Per TFLOPS and hour')[1]).toMatch(/^\(best\) \$0\.\d+$/);
});
