import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTypeCheck } from './typeCheck.mjs';

test('The types refuse a text that does not compile in its project, one after the other, and accept all others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-types-'));
  try {
    const path = join(folder, 'rule.ts');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      '{ "compilerOptions": { "strict": true, "lib": ["ES5"], "types": [] } }',
    );
    writeFileSync(join(folder, 'unit.ts'), 'export const unit: number = 1;');
    writeFileSync(path, '');
    const { refuses } = createTypeCheck(path);
    const use = "import { unit } from './unit';\n";

    expect(refuses(`${use}export const twice: number = unit * 2;`)).toBe(false);
    expect(refuses(`${use}export const twice: string = unit * 2;`)).toBe(true);
    expect(refuses(`${use}export const twice: number = unit *;`)).toBe(true);
    expect(refuses(`${use}export const twice: number = unit * 3;`)).toBe(false);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
