import { describe, expect, it } from 'vitest';
import { readTable } from './readTable.ts';

describe('a file of CSV', () => {
  it('is a table with the names of its first line, whose numbers keep their digits', () => {
    const { part, problem } = readTable(
      '\ufeffname;id;rate\r\n"a ""b""";007;0.10\r\n;12345678901234567890;"3"\r\n',
      false,
    );
    expect(problem).toBeNull();
    expect(part).toMatchObject({ kind: 'table', columns: ['name', 'id', 'rate'], text: null });
    expect(part?.items).toEqual([
      '{"name":"a \\"b\\"","id":"007","rate":0.10}',
      '{"id":12345678901234567890,"rate":"3"}',
    ]);
  });

  it('has a column of its own for each place, also without a name or with one that another has', () => {
    expect(readTable('a,,a\n1,2,3,4\n', false).part).toMatchObject({
      columns: ['a', 'Column 2', 'a (column 3)', 'Column 4'],
      items: ['{"a":1,"Column 2":2,"a (column 3)":3,"Column 4":4}'],
    });
  });

  it('that is only a beginning has no row that may be cut off', () => {
    expect(readTable('a,b\n1,2\n3,4', true)).toMatchObject({
      part: { items: ['{"a":1,"b":2}'], isCut: true },
      problem: null,
    });
    expect(readTable('a,b\n1,2\n3,"4', true)).toMatchObject({
      part: { items: ['{"a":1,"b":2}'], isCut: true },
      problem: null,
    });
  });

  it('that cannot be read to its end says in which line', () => {
    expect(readTable('a,b\n1,2\n3,"4\n', false)).toMatchObject({
      part: { items: ['{"a":1,"b":2}'] },
      problem: 'Line 3: The quotes that begin here are not closed.',
    });
    expect(readTable('', false)).toEqual({ part: null, problem: 'The file is empty.' });
    expect(readTable(`${','.repeat(200)}\n`, false)).toEqual({ part: null, problem: 'The file is empty.' });
    expect(readTable(`a${',b'.repeat(200)}\n`, false)).toEqual({
      part: null,
      problem: expect.stringMatching('201 columns'),
    });
  });
});
