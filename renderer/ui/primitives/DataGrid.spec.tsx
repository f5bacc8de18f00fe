import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { DataGrid, type GridColumn, type GridSource } from './DataGrid.tsx';

interface Machine {
  id: string;
  gpus: number;
}

const columns: readonly GridColumn<Machine>[] = [
  { title: 'Name', cell: ({ id }) => id },
  { title: 'GPUs', cell: ({ gpus }) => gpus },
];

const machines = (count: number): Machine[] =>
  Array.from({ length: count }, (_, index) => ({ id: `m${index}`, gpus: index }));

interface MachinesProps {
  rows: readonly Machine[] | GridSource<Machine>;
  onSight?: (sight: { first: number; last: number }) => void;
}

function Machines({ rows, onSight }: MachinesProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<readonly Machine[]>([]);
  return (
    <>
      <DataGrid
        label="Machines"
        place="machine"
        columns={columns}
        rows={rows}
        idOf={({ id }) => id}
        columnsClass="columns"
        openId={openId}
        onOpen={setOpenId}
        onClose={() => setOpenId(null)}
        choice={{
          isChosen: (row) => chosen.includes(row),
          onChoose: (row) => setChosen([...chosen, row]),
          nameOf: ({ id }) => id,
        }}
        {...(onSight && { onSight })}
      />
      <output aria-label="Open">{openId ?? 'none'}</output>
    </>
  );
}

const sourceOf = (rows: readonly (Machine | undefined)[]): GridSource<Machine> => ({
  count: rows.length,
  at: (index) => rows[index],
  indexOf: (id) => rows.findIndex((row) => row?.id === id),
});

describe('a data grid', () => {
  it('opens the row that the keys are at, beginning at the first, and closes it', async () => {
    const { screen, user } = renderPage(<Machines rows={machines(3)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    expect(grid).toHaveFocus();
    expect(grid).toHaveAttribute('aria-activedescendant', 'machine-m0');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByLabelText('Open')).toHaveTextContent('m1');
    await user.keyboard('{End}{Enter}');
    expect(screen.getByLabelText('Open')).toHaveTextContent('m2');
    await user.keyboard('{Escape}');
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
  });

  it('opens a row that is clicked, and goes on by keys from there', async () => {
    const { screen, user } = renderPage(<Machines rows={machines(3)} />);
    await user.click(await screen.findByText('m1'));
    expect(screen.getByLabelText('Open')).toHaveTextContent('m1');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(screen.getByLabelText('Open')).toHaveTextContent('m2');
  });

  it('draws the rows in sight alone, and says how many there are', async () => {
    const sights: { first: number; last: number }[] = [];
    const { screen } = renderPage(<Machines rows={machines(5000)} onSight={(sight) => sights.push(sight)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    expect(grid).toHaveAttribute('aria-rowcount', '5001');
    const drawn = screen.getAllByRole('row').length - 1;
    expect(drawn).toBeGreaterThan(10);
    expect(drawn).toBeLessThan(100);
    expect(sights.at(-1)).toEqual({ first: 0, last: drawn - 1 });
  });

  it('chooses a row with Space or its checkbox, which opens nothing', async () => {
    const { screen, user } = renderPage(<Machines rows={machines(3)} />);
    await screen.findByRole('grid', { name: 'Machines' });
    await user.keyboard('{ArrowDown} ');
    expect(screen.getByRole('checkbox', { name: 'Choose m1' })).toBeChecked();
    await user.click(screen.getByRole('checkbox', { name: 'Choose m2' }));
    expect(screen.getByRole('checkbox', { name: 'Choose m2' })).toBeChecked();
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
  });
});

describe('a data grid that reads its rows', () => {
  it('has a place for a row that is not read yet, which opens nothing', async () => {
    const [first, , third] = machines(3);
    const { screen, user } = renderPage(<Machines rows={sourceOf([first, undefined, third])} />);
    const rows = await screen.findAllByRole('row');
    expect(rows).toHaveLength(4);
    await user.click(rows[2]!);
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
  });

  it('has no active row until a key is pressed, since it grows at its top', async () => {
    const { screen, user } = renderPage(<Machines rows={sourceOf(machines(3))} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    expect(grid).not.toHaveAttribute('aria-activedescendant');
    await user.keyboard('{ArrowDown}');
    expect(grid).toHaveAttribute('aria-activedescendant', 'machine-m0');
  });
});
