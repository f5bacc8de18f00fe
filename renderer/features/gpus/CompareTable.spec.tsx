import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { CompareTable } from './CompareTable.tsx';
import { toRow, type GpuRow } from './gpuRows.ts';

const facts = { isProcessor: false, maxGpuCount: 8, counts: [], totalCount: 0, rentedCount: 0 };
const l4 = { ...facts, id: 'NVIDIA L4', name: 'L4', memoryInGb: 24 };

/** The texts of the cells of a row. */
function showRows(rows: readonly GpuRow[]) {
  const { screen } = renderPage(<CompareTable rows={rows} onClose={() => undefined} />, {
    accounts: { list: () => [] },
  });
  return (name: string) =>
    within(screen.getByRole('row', { name: new RegExp(`^${name} `) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
}

it('a GPU that is not free has the prices it costs when some are, also as the best ones', () => {
  const cells = showRows([
    toRow({ ...l4, id: 'other', perGpu: 0.9, listPrice: 0.9, stock: 'High' }, 2),
    toRow({ ...l4, perGpu: null, listPrice: 0.4, stock: 'None' }, 2),
  ]);
  expect(cells('Per hour')).toEqual(['$1.80', '(best) $0.80']);
  expect(cells('Per GPU and hour')).toEqual(['$0.90', '(best) $0.40']);
  expect(cells('Per GB and hour')[1]).toMatch(/^\(best\) \$0\.\d+$/);
  expect(cells('Per TFLOPS and hour')[1]).toMatch(/^\(best\) \$0\.\d+$/);
});

it('a price is the best one only beside another price', () => {
  const cells = showRows([
    toRow({ ...l4, id: 'other', perGpu: 0.9, listPrice: 0.9, stock: 'High' }, 1),
    toRow({ ...l4, perGpu: 0, listPrice: null, stock: 'High' }, 1),
  ]);
  expect(cells('Per hour')[0]).toBe('$0.90');
});
