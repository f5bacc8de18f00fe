/** The states of an update as a table of events. An event without an entry for the state changes nothing. */
import type { UpdateState } from '#contract/bridge/updates.ts';

export const updateEvents = [
  /** A check begins. */
  'check',
  /** The feed has nothing newer. */
  'none',
  /** The feed has a newer version. */
  'found',
  /** Its download begins. */
  'download',
  /** The file is complete and verified. */
  'downloaded',
  /** Check, download or installation failed. */
  'fail',
  /** The person wants it installed now, but work is running. */
  'wait',
  /** The person no longer wants it installed now. */
  'postpone',
  /** Hangar ends for the installation: no work is running. */
  'install',
  /** The person chose another channel. */
  'reset',
] as const;
export type UpdateEvent = (typeof updateEvents)[number];

type Transitions = Readonly<Record<UpdateState, Readonly<Partial<Record<UpdateEvent, UpdateState>>>>>;

const transitions: Transitions = {
  idle: { check: 'checking', reset: 'idle' },
  checking: { none: 'idle', found: 'available', fail: 'failed', reset: 'idle' },
  available: { check: 'checking', download: 'downloading', reset: 'idle' },
  downloading: { downloaded: 'ready', fail: 'failed', reset: 'idle' },
  ready: { wait: 'waiting', install: 'installing', reset: 'idle' },
  waiting: { postpone: 'ready', install: 'installing', reset: 'idle' },
  installing: { fail: 'failed' },
  failed: { check: 'checking', reset: 'idle' },
};

/** The state after an event; null if the event changes nothing. */
export const nextState = (state: UpdateState, event: UpdateEvent): UpdateState | null =>
  transitions[state][event] ?? null;
