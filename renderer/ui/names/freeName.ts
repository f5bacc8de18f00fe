/** Names that nothing else has yet. */

/** The name, with the next free number if it is taken: "trainer", "trainer-2". */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const base = name.replace(/-\d+$/, '');
  for (let number = 2; ; number++) {
    const numbered = `${base}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}
