import { useState } from 'react';
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import type { GridSource, RowRange } from '../grid/rows.ts';
import { DataGrid, type GridColumn } from './DataGrid.tsx';

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
  onRange?: (range: RowRange, isChosen: boolean) => void;
  /** From this number on, no more machines can be chosen. */
  most?: number;
}

function Machines({ rows, onSight, onRange, most = Infinity }: MachinesProps) {
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
          onChoose: (changed, isChosen) =>
            setChosen((before) => {
              const others = before.filter((row) => !changed.includes(row));
              return isChosen ? [...others, ...changed] : others;
            }),
          ...(onRange && { onRange }),
          onAll: () => Array.isArray(rows) && setChosen(rows.slice(0, most)),
          onNone: () => setChosen([]),
          count: chosen.length,
          countInList: chosen.length,
          isFull: chosen.length >= most,
          nameOf: ({ id }) => id,
          allLabel: 'Choose all machines',
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
    expect(screen.getByRole('checkbox', { name: 'Select m1' })).toBeChecked();
    await user.click(screen.getByRole('checkbox', { name: 'Select m2' }));
    expect(screen.getByRole('checkbox', { name: 'Select m2' })).toBeChecked();
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
  });
});

/** The machines that are chosen, in the order of the list. */
const chosenIn = (grid: HTMLElement): string[] =>
  within(grid)
    .getAllByRole('row', { selected: true })
    .map((row) => within(row).getAllByRole('gridcell')[1]!.textContent);

describe('the choice of a data grid', () => {
  const all = () => screen.getByRole('checkbox', { name: 'Choose all machines' });

  it('has a checkbox above the rows that is mixed while some are chosen, chooses all, then none', async () => {
    const { user } = renderPage(<Machines rows={machines(3)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    expect(all()).not.toBeChecked();
    expect(all()).not.toBePartiallyChecked();
    await user.click(screen.getByRole('checkbox', { name: 'Select m1' }));
    expect(all()).toBePartiallyChecked();
    await user.click(all());
    expect(chosenIn(grid)).toEqual(['m0', 'm1', 'm2']);
    expect(all()).toBeChecked();
    expect(all()).not.toBePartiallyChecked();
    await user.click(all());
    expect(within(grid).queryAllByRole('row', { selected: true })).toEqual([]);
  });

  it('has a checkbox that the keyboard reaches, and Space at it does not choose the active row', async () => {
    const { user } = renderPage(<Machines rows={machines(3)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.tab();
    expect(all()).toHaveFocus();
    await user.keyboard(' ');
    expect(chosenIn(grid)).toEqual(['m0', 'm1', 'm2']);
  });

  it('that is full, but not of all rows, is cleared by that checkbox', async () => {
    const { user } = renderPage(<Machines rows={machines(3)} most={2} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.click(all());
    expect(chosenIn(grid)).toEqual(['m0', 'm1']);
    expect(all()).toBePartiallyChecked();
    await user.click(all());
    expect(within(grid).queryAllByRole('row', { selected: true })).toEqual([]);
  });

  it('takes all rows by Ctrl+A, and none by Escape, which closes the open row only after that', async () => {
    const { user } = renderPage(<Machines rows={machines(3)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.keyboard('{Enter}{Control>}a{/Control}');
    expect(chosenIn(grid)).toEqual(['m0', 'm1', 'm2']);
    await user.keyboard('{Escape}');
    expect(within(grid).queryAllByRole('row', { selected: true })).toEqual([]);
    expect(screen.getByLabelText('Open')).toHaveTextContent('m0');
    await user.keyboard('{Escape}');
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
  });

  it('is none by Escape also where another element has the focus', async () => {
    const { user } = renderPage(
      <>
        <Machines rows={machines(3)} />
        <button>Other</button>
      </>,
    );
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.keyboard(' ');
    screen.getByRole('button', { name: 'Other' }).focus();
    await user.keyboard('{Escape}');
    expect(within(grid).queryAllByRole('row', { selected: true })).toEqual([]);
  });

  it('is a range by Shift and an arrow, which gets shorter again, and turns at its beginning', async () => {
    const { user } = renderPage(<Machines rows={machines(6)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.keyboard('{ArrowDown}{ArrowDown}{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
    expect(chosenIn(grid)).toEqual(['m2', 'm3', 'm4']);
    await user.keyboard('{Shift>}{ArrowUp}{/Shift}');
    expect(chosenIn(grid)).toEqual(['m2', 'm3']);
    await user.keyboard('{Shift>}{Home}{/Shift}');
    expect(chosenIn(grid)).toEqual(['m0', 'm1', 'm2']);
    await user.keyboard('{Shift>}{End}{/Shift}');
    expect(chosenIn(grid)).toEqual(['m2', 'm3', 'm4', 'm5']);
  });

  it('is a range by a click with Shift on a row, which opens nothing, or on its checkbox', async () => {
    const { user } = renderPage(<Machines rows={machines(6)} />);
    const grid = await screen.findByRole('grid', { name: 'Machines' });
    await user.click(screen.getByRole('checkbox', { name: 'Select m1' }));
    await user.keyboard('{Shift>}');
    await user.click(within(grid).getByText('m3'));
    expect(chosenIn(grid)).toEqual(['m1', 'm2', 'm3']);
    expect(screen.getByLabelText('Open')).toHaveTextContent('none');
    await user.click(screen.getByRole('checkbox', { name: 'Select m5' }));
    expect(chosenIn(grid)).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    await user.keyboard('{/Shift}');
    await user.click(screen.getByRole('checkbox', { name: 'Select m2' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select m4' }));
    await user.keyboard('{/Shift}');
    expect(chosenIn(grid), 'a box that was checked takes its state to the range').toEqual(['m1', 'm5']);
  });

  it('of a range with rows that are not read is left to the caller', async () => {
    const ranges: [RowRange, boolean][] = [];
    const [first, , third] = machines(3);
    const rows = sourceOf([first, undefined, third]);
    const { user } = renderPage(<Machines rows={rows} onRange={(...range) => ranges.push(range)} />);
    await user.click(await screen.findByText('m0'));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByText('m2'));
    await user.keyboard('{/Shift}');
    expect(ranges).toEqual([[{ first: 0, last: 2 }, true]]);
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
