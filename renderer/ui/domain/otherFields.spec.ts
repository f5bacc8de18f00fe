import { describe, expect, it } from 'vitest';
import { otherFields } from './otherFields.ts';

const read = (record: Record<string, unknown>): unknown => JSON.parse(otherFields(record, ['id', 'name']) ?? 'null');

describe('other fields', () => {
  it('are those that are not known here, as they were told', () => {
    expect(read({ id: 'a', flashBoot: true, tags: ['x', { y: null }] })).toEqual({
      flashBoot: true,
      tags: ['x', { y: null }],
    });
  });

  it('are none where all are known or not told', () => {
    expect(otherFields({ id: 'a', gone: undefined }, ['id'])).toBeNull();
  });

  it('never have the value of a variable, at whatever depth', () => {
    expect(read({ env: { TOKEN: 'hush' }, template: { list: [{ env: ['A=hush'] }], secrets: 'hush' } })).toEqual({
      env: { TOKEN: '•••' },
      template: { list: [{ env: { 0: '•••' } }], secrets: '•••' },
    });
  });
});
