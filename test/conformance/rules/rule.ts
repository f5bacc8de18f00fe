/** What one record of these files holds. */
export interface Rule {
  /** A letter for the group and a number of two digits. It stays for good: a rule that goes takes its id with it. */
  readonly id: string;
  /** What clients and workers may rely on, in a sentence. */
  readonly rule: string;
  /** The spec that states it, below `test/` and without `.spec.ts`. */
  readonly file: string;
  /**
   * The full names of its tests in that spec, at least one: the names of the groups before the test's, with ` > `
   * between.
   */
  readonly tests: readonly string[];
}
