/** What a service tells of a record beside the fields that are known here; values of variables are never among it. */

/** What may hold secrets, at whatever depth: only its names are told. */
const MASKED = new Set(['env', 'environment', 'secrets']);

const masked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.keys(value).map((name) => [name, '•••']))
    : '•••';

function told(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      MASKED.has(name) ? masked(inner) : told(inner),
    ]),
  );
}

/** As JSON; null where there is no other field. */
export function otherFields(record: Readonly<Record<string, unknown>>, known: readonly string[]): string | null {
  const others = Object.entries(record).filter(([name, value]) => value !== undefined && !known.includes(name));
  return others.length === 0 ? null : JSON.stringify(told(Object.fromEntries(others)), null, 2);
}
