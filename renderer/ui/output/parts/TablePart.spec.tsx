import { Profiler } from 'react';
import { describe, expect, it, onTestFinished } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import type { OutputPart } from '../readOutput.ts';
import TablePart from './TablePart.tsx';

const partOf = (items: readonly string[], columns: readonly string[]): OutputPart<'table'> => ({
  kind: 'table',
  text: `[${items.join()}]`,
  items,
  columns,
  name: null,
});
const bodyRows = () => document.querySelectorAll('tbody tr');
const many = partOf(
  Array.from({ length: 1500 }, (_, at) => `{"n":${at}}`),
  ['n'],
);

describe('the rows of a table', () => {
  it('are 200 at first, and a click shows 1000 more, until all are there', async () => {
    const { user, screen } = renderPage(<TablePart part={many} live={false} />);
    expect(screen.getByText(/^1.500 rows$/)).toBeVisible();
    expect(bodyRows()).toHaveLength(200);
    await user.click(screen.getByRole('button', { name: /^Show more of the 1.500 rows$/ }));
    expect(bodyRows()).toHaveLength(1200);
    await user.click(screen.getByRole('button', { name: /^Show more of the 1.500 rows$/ }));
    expect(bodyRows()).toHaveLength(1500);
    expect(bodyRows()[1499]).toHaveTextContent('1499');
    expect(screen.queryByRole('button', { name: /^Show more/ })).toBeNull();
  });

  it('that a screen has room for are drawn before the others', () => {
    const counts: number[] = [];
    renderPage(
      <Profiler id="table" onRender={() => counts.push(bodyRows().length)}>
        <TablePart part={many} live={false} />
      </Profiler>,
    );
    expect(counts[0]).toBe(50);
    expect(counts.at(-1)).toBe(200);
  });

  it('have fractions of many digits rounded, and whole in the title', () => {
    const numbers = ['94.19999999999999', '1234567.123456789', '0.00001234567891', '-0.1', '12345678901234567890'];
    const { screen } = renderPage(
      <TablePart
        part={partOf(
          numbers.map((n) => `{"n":${n}}`),
          ['n'],
        )}
        live={false}
      />,
    );
    const shown = [...bodyRows()].map(({ textContent }) => textContent);
    expect(shown).toEqual(['94.2', '1234567.123', '0.0000123457', '-0.1', '12345678901234567890']);
    expect(screen.getByText('94.2')).toHaveAttribute('title', '94.19999999999999');
  });

  it('have their values as they came, in the order of the output', () => {
    const items = ['{"n":1.0,"word":"b"}', '{"word":"a \\"quoted\\"","n":1e3}', '{"n":null,"word":[1,2]}'];
    const { screen } = renderPage(<TablePart part={partOf(items, ['n', 'word'])} live={false} />);
    const shown = [...bodyRows()].map((row) => [...row.children].map((cell) => cell.textContent));
    expect(shown).toEqual([
      ['1.0', 'b'],
      ['1e3', 'a "quoted"'],
      ['', '[1,2]'],
    ]);
    expect(screen.getByRole('columnheader', { name: 'n' })).toHaveAttribute('data-kind', 'number');
    expect(screen.getByRole('columnheader', { name: 'word' })).not.toHaveAttribute('data-kind');
  });

  it('that still come are neither saved nor extended', () => {
    const { screen } = renderPage(<TablePart part={many} live />);
    expect(screen.getByText(/^The first 1.500 rows$/)).toBeVisible();
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Show as JSON']);
  });
});

it('A table is saved as CSV with all rows, quotes where a field needs them, and the digits of its numbers', async () => {
  const files: Blob[] = [];
  const before = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    files.push(blob as Blob);
    return '#file';
  };
  onTestFinished(() => {
    URL.createObjectURL = before;
  });
  const items = [
    '{"n":1.0,"word":"a, b"}',
    '{"n":1e3,"word":"say \\"hi\\""}',
    '{"n":-12345678901234567890,"word":"=1+1"}',
    '{"n":null,"word":{"deep":[1]}}',
    '{"word":true}',
  ];
  const { user, screen } = renderPage(<TablePart part={partOf(items, ['n', 'word'])} live={false} />);
  await user.click(screen.getByRole('button', { name: 'Save as CSV' }));
  expect(files).toHaveLength(1);
  expect((await files[0]!.text()).split('\r\n')).toEqual([
    'n,word',
    '1.0,"a, b"',
    '1e3,"say ""hi"""',
    "-12345678901234567890,'=1+1",
    ',"{""deep"":[1]}"',
    ',true',
    '',
  ]);
});
