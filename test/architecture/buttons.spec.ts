/** A button or field that cannot be used says why, also to the keyboard: it is a ReasonButton or one of its kind. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import ts from 'typescript';

const root = join(import.meta.dirname, '..', '..');

/** Those of Mantine, and the one of HTML. */
const BUTTONS = /^(Button|ActionIcon|UnstyledButton|Menu\.Item|button)$/;
const FIELDS = /^(Switch|Checkbox|(Text|Number|Password)Input|Textarea|Select|SegmentedControl)$/;

/** The disabled buttons and fields of a source, as "path:line: tag". */
function disabledButtonsIn(path: string, code: string): string[] {
  // Most files need not be parsed, which takes most of the time of this spec.
  if (!/\bdisabled\b/.test(code)) return [];
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
  const lines: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxAttribute(node) && node.name.getText() === 'disabled') {
      const tag = node.parent.parent.tagName.getText();
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      if (BUTTONS.test(tag) || FIELDS.test(tag)) lines.push(`${path}:${line + 1}: ${tag}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lines;
}

it('No button or field of the page is disabled, because the keyboard does not reach it and nothing says why', () => {
  const paths = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') && !path.endsWith('.spec.tsx'))
    .map((path) => `renderer/${path.replaceAll('\\', '/')}`);
  expect(paths.length).toBeGreaterThan(100);
  const disabled = paths.flatMap((path) => disabledButtonsIn(path, readFileSync(join(root, path), 'utf8')));
  expect(disabled, 'use ReasonButton, ReasonField or another Reason… of renderer/ui/popover').toEqual([]);
});

it.each([
  ['a button', '<Button disabled={busy}>Save</Button>', 1],
  ['a button of HTML', '<button disabled />', 1],
  ['an icon', '<ActionIcon disabled={at === 0} />', 1],
  ['an item of a menu', '<Menu.Item disabled={locked}>Delete</Menu.Item>', 1],
  ['a field', '<TextInput disabled={busy} />', 1],
  ['no list of choices that has one', '<ReasonField whyNot={whyNot} />', 0],
  ['no button with a reason', '<ReasonButton whyNot={whyNot} />', 0],
])('It sees %s', (_what, code, count) => {
  expect(disabledButtonsIn('a.tsx', `const a = ${code};`)).toHaveLength(count);
});
