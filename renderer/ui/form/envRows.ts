/** Converts variables between form rows and the record of a request. */
import { t } from '../../language/text.ts';

export interface EnvRow {
  name: string;
  value: string;
}

export const envRows = (env: Readonly<Record<string, string>>): EnvRow[] =>
  Object.entries(env).map(([name, value]) => ({ name, value }));

/** Rows without a name are omitted. If a name is repeated, the last row counts; `repeatedVariable` reports it. */
export const envOf = (rows: readonly EnvRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]));

/** The fault of the rows: a repeated name. */
export function repeatedVariable(rows: readonly EnvRow[]): string | null {
  const names = rows.map(({ name }) => name).filter((name) => name !== '');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined ? null : t`${repeated} is listed twice. A variable can have only one value.`;
}

/** Changed variables, old and new: only their names, because values may be secrets on a shared screen. */
export function envChange(before: Record<string, string>, after: Record<string, string>): readonly [string, string] {
  const touched = (of: Record<string, string>, other: Record<string, string>, same: string): string =>
    Object.keys(of)
      .filter((name) => of[name] !== other[name])
      .map((name) => (name in other ? `${name} ${same}` : name))
      .join(', ') || t`none of these`;
  return [touched(before, after, t`(old value)`), touched(after, before, t`(new value)`)];
}
