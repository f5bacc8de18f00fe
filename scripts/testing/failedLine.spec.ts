import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../run24.mjs';
import { placeIn } from './failedLine.mjs';

const spec = join(root, 'main/a.spec.ts');

test('the line of a failed test is the first one of its spec, not that of what the spec called', () => {
  const frames = [
    { file: join(root, 'test/support/core/until.ts'), line: 75 },
    { file: spec, line: 12 },
    { file: spec, line: 40 },
  ];
  expect(placeIn(spec, frames)).toBe('main/a.spec.ts:12');
});

test('a failure outside the spec has no line in it', () => {
  expect(placeIn(spec, [{ file: join(root, 'main/a.ts'), line: 3 }])).toBeUndefined();
});
