/** The parts of keytar that Hangar uses. The package is optional: the program must compile without it. */
declare module 'keytar' {
  /** The bindings are CommonJS: an import may have all of them under `default`. */
  const bindings: typeof import('keytar') | undefined;
  export default bindings;
  export function getPassword(service: string, account: string): Promise<string | null>;
  export function setPassword(service: string, account: string, password: string): Promise<void>;
  /** Returns whether the entry existed. */
  export function deletePassword(service: string, account: string): Promise<boolean>;
}
