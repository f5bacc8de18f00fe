import { describe, expect, it } from 'vitest';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { createJoiner, resultBeside } from './joinChunks.ts';

const chunks = (...texts: string[]): LedgerChunk[] => texts.map((text, index) => ({ index, at: index, text }));

describe('joined chunks', () => {
  it('strings run on as one text', () => {
    expect(createJoiner()(chunks('"Four "', '"machines\\n"'))).toEqual([{ kind: 'text', text: 'Four machines\n' }]);
  });

  it('objects stand as JSON, one below the other', () => {
    expect(createJoiner()(chunks('{"a":1}', '2'))).toEqual([{ kind: 'json', text: '{"a": 1}\n2', rows: null }]);
  });

  const rowsOf = (...texts: string[]) => {
    const [piece] = createJoiner()(chunks(...texts));
    return piece?.kind === 'json' ? piece.rows : undefined;
  };

  it('objects with the same names are rows of a table, which keeps each as it came', () => {
    expect(rowsOf('{"a":1,"b":2}', '{"b":3,"a":1e400}')).toMatchObject({
      items: ['{"a":1,"b":2}', '{"b":3,"a":1e400}'],
      shape: { columns: ['a', 'b'], rows: 2 },
    });
  });

  it('a table gets the column of a later row, and what was answered before stays as it was', () => {
    const join = createJoiner();
    const all = chunks('{"a":1,"b":2}', '{"a":1,"b":3}', '{"a":1,"b":4,"late":true}');
    const [before] = join(all.slice(0, 2));
    expect(join(all)).toMatchObject([{ rows: { items: { length: 3 }, shape: { columns: ['a', 'b', 'late'] } } }]);
    expect(before).toMatchObject({ rows: { items: { length: 2 }, shape: { columns: ['a', 'b'] } } });
  });

  it.each([
    ['objects with other names', ['{"a":1,"b":1}', '{"c":1,"d":1}', '{"e":1,"f":1}']],
    ['objects of lists', ['{"a":[1],"b":[2]}', '{"a":[1],"b":[2]}']],
    ['an object that was cut', ['{"a":1,"b":2}', '{"a":1,"b":']],
    ['an object whose text a cell would cut', ['{"a":1,"b":2}', `{"a":1,"b":"${'long '.repeat(100)}"}`]],
  ])('%s are no rows of a table', (_, texts) => {
    expect(rowsOf(...texts)).toBeNull();
  });

  it('text and objects keep their order', () => {
    expect(createJoiner()(chunks('"a"', '{}', '"b"')).map((piece) => piece.kind)).toEqual(['text', 'json', 'text']);
  });

  it('a longer list adds to what was joined before', () => {
    const join = createJoiner();
    const all = chunks('"a"', '"b"', '"c"');
    const before = join(all.slice(0, 2));
    expect(join([...all])).toEqual([{ kind: 'text', text: 'abc' }]);
    expect(before).toEqual([{ kind: 'text', text: 'ab' }]);
  });

  it('another job starts from nothing', () => {
    const join = createJoiner();
    join(chunks('"a"', '"b"'));
    expect(join(chunks('"x"', '"y"', '"z"'))).toEqual([{ kind: 'text', text: 'xyz' }]);
    expect(join([])).toEqual([]);
  });

  it('an output that repeats the chunks is not shown twice', () => {
    expect(resultBeside('[ "a", {"b": 1} ]', chunks('"a"', '{"b":1}'))).toBeNull();
    expect(resultBeside('"a"', chunks('"a"'))).toBeNull();
    expect(resultBeside('[]', chunks('"a"'))).toBeNull();
    expect(resultBeside('{"sum":2}', chunks('1', '1'))).toBe('{"sum":2}');
    expect(resultBeside(null, [])).toBeNull();
  });
});
