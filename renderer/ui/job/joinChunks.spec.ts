import { describe, expect, it } from 'vitest';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { createJoiner, resultBeside } from './joinChunks.ts';

const chunks = (...texts: string[]): LedgerChunk[] => texts.map((text, index) => ({ index, at: index, text }));

describe('joined chunks', () => {
  it('strings run on as one text', () => {
    expect(createJoiner()(chunks('"Four "', '"machines\\n"'))).toEqual([{ kind: 'text', text: 'Four machines\n' }]);
  });

  it('objects stand as JSON, one below the other', () => {
    expect(createJoiner()(chunks('{"a":1}', '2'))).toEqual([{ kind: 'json', text: '{"a": 1}\n2' }]);
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
