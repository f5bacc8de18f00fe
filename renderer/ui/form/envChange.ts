/** Changed variables in words that show no value: it may be a secret, and a screen may be shared. */

/** Variables that came, went or have another value: their names, with what became of them. */
export function envChange(before: Record<string, string>, after: Record<string, string>): [string, string] {
  const touched = (of: Record<string, string>, other: Record<string, string>, same: string): string =>
    Object.keys(of)
      .filter((name) => of[name] !== other[name])
      .map((name) => (name in other ? `${name} ${same}` : name))
      .join(', ') || 'none of these';
  return [touched(before, after, '(old value)'), touched(after, before, '(new value)')];
}
