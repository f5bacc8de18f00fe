/** Fields of a record that the page does not know, without the values of variables. */

/** Fields that may contain secrets, at any depth: only the names in them are shown. */
const MASKED = new Set(['env', 'environment', 'secrets']);

const masked = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.keys(value).map((name) => [name, '•••']))
    : '•••';

function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      MASKED.has(name) ? masked(inner) : maskSecrets(inner),
    ]),
  );
}

/** As JSON; null if there is no other field. */
export function otherFields(record: Readonly<Record<string, unknown>>, known: readonly string[]): string | null {
  const others = Object.entries(record).filter(([name, value]) => value !== undefined && !known.includes(name));
  return others.length === 0 ? null : JSON.stringify(maskSecrets(Object.fromEntries(others)), null, 2);
}
