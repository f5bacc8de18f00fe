/** What ships is in `dependencies`, tools are in `devDependencies`. */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');
type Packages = Readonly<Record<string, string>>;
const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
  readFileSync(join(repository, 'package.json'), 'utf8'),
) as { dependencies: Packages; devDependencies: Packages; optionalDependencies: Packages };

/** Its runtime comes with whatever packs the program, and packers refuse to install it a second time. */
const BROUGHT_BY_THE_PACKER = ['electron'];
/** What the program runs on without a window; nothing imports it. */
const RUNTIME = ['node'];

/** The package of a specifier; null for a file, a module of Node, or a module of ours. */
function packageOf(specifier: string): string | null {
  if (/^[.#/]/.test(specifier) || isBuiltin(specifier)) return null;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Where a package could be named: a text after `from`, `import` or `import(`. */
const A_SPECIFIER = /\b(?:from|import)\b\s*\(?\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`]+)['"`]/g;

/** The packages that a file loads when it runs: a type alone loads nothing. */
function loadedBy(path: string): string[] {
  const text = readFileSync(join(repository, path), 'utf8');
  // A file that names no package need not be parsed, which takes most of the time of this spec.
  if (![...text.matchAll(A_SPECIFIER)].some(([, specifier = '']) => packageOf(specifier) !== null)) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const specifiers: string[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteral(node)) specifiers.push(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) {
      add(node.moduleSpecifier);
    } else if (ts.isExportDeclaration(node) && !node.isTypeOnly) add(node.moduleSpecifier);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return specifiers.map(packageOf).filter((name) => name !== null);
}

const shipped = globSync(['main/**/*.ts', 'preload/**/*.ts', 'renderer/**/*.{ts,tsx}'], { cwd: repository })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.(?:spec\.tsx?|d\.ts)$/.test(path));
/** The first file that loads each package. */
const users = new Map<string, string>();
for (const path of shipped) for (const name of loadedBy(path)) users.set(name, users.get(name) ?? path);

test('what the program loads is in the dependencies', () => {
  expect(users.size).toBeGreaterThan(20);
  const declared = { ...dependencies, ...optionalDependencies };
  const wrong = [...users]
    .filter(([name]) => !(name in declared) && !BROUGHT_BY_THE_PACKER.includes(name))
    .map(([name, path]) => `package.json: move "${name}" to dependencies: ${path} loads it.`);
  expect(wrong).toEqual([]);
});

test('what the program does not load is no dependency', () => {
  const wrong = Object.keys(dependencies)
    .filter((name) => !users.has(name) && !RUNTIME.includes(name))
    .map((name) => `package.json: move "${name}" to devDependencies: no file of main, preload or renderer loads it.`);
  expect(wrong).toEqual([]);
  expect(Object.keys(devDependencies).filter((name) => name in dependencies)).toEqual([]);
});
