/** What Hangar uses of keytar. The package is optional: the program must build and be checked where it could not be installed. */
declare module 'keytar' {
  export function getPassword(service: string, account: string): Promise<string | null>;
  export function setPassword(service: string, account: string, password: string): Promise<void>;
  /** Answers whether there was one. */
  export function deletePassword(service: string, account: string): Promise<boolean>;
}
