/** What happened that a test must know of: one JSON line each, in the file that HANGAR_STANDIN_RECORD names. */
import { appendFileSync } from 'node:fs';

export const recordKinds = [
  'refused-navigation',
  'refused-redirect',
  'refused-window',
  'refused-permission',
  'open-external',
  'open-path',
  'show-file',
  'relaunch',
  'unknown-request',
  'preload-error',
  'rejection',
  'exception',
  'dialog',
  'render-process-gone',
  'gpu-process-gone',
] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface RecordEntry {
  readonly kind: RecordKind;
  readonly detail: string;
}

export function record(kind: RecordKind, detail: string): void {
  const file = process.env['HANGAR_STANDIN_RECORD'];
  if (file) appendFileSync(file, `${JSON.stringify({ kind, detail } satisfies RecordEntry)}\n`);
}
