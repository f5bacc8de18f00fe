import { within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { PlainTable, type TableColumn } from './PlainTable.tsx';

interface Volume {
  name: string;
  sizeGb: number;
}

const columns: readonly TableColumn<Volume>[] = [
  { title: 'Name', isHeader: true, cell: ({ name }) => name },
  { title: 'Size', isNumber: true, cell: ({ sizeGb }) => `${sizeGb} GB`, hint: () => 'As it was made' },
  { title: 'State', isBad: ({ sizeGb }) => sizeGb > 10, cell: (_, index) => `row ${index}` },
  { title: 'Actions', isTitleHidden: true, cell: ({ name }) => <button>Delete {name}</button> },
];
const volumes: readonly Volume[] = [
  { name: 'models', sizeGb: 20 },
  { name: 'data', sizeGb: 5 },
];
const table = (rows: readonly Volume[] | undefined) => (
  <PlainTable label="Volumes" className="volumes" columns={columns} rows={rows} keyOf={({ name }) => name} />
);

describe('a plain table', () => {
  it('has a cell for each column in each row, which a row header names', async () => {
    const { screen } = renderPage(table(volumes));
    const row = await screen.findByRole('row', { name: /models/ });
    expect(within(row).getByRole('rowheader', { name: 'models' })).toBeVisible();
    expect(within(row).getByRole('cell', { name: '20 GB' })).toHaveAttribute('title', 'As it was made');
    expect(within(row).getByRole('cell', { name: 'row 0' })).toHaveAttribute('data-bad');
    expect(screen.getByRole('cell', { name: 'row 1' })).not.toHaveAttribute('data-bad');
    expect(screen.getByRole('columnheader', { name: 'Actions' })).toBeInTheDocument();
    expect(screen.getAllByRole('row')).toHaveLength(3);
  });

  it('says that it is read while its rows are not there', async () => {
    const { screen } = renderPage(table(undefined));
    expect(await screen.findByRole('table', { name: 'Volumes' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getAllByRole('row')).toHaveLength(1);
  });
});
