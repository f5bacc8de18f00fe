/**
 * What the Pod has of an upload, as a table of states and events:
 *
 *   new        nothing of it is in the Pod, and no note tells of it
 *   noted      a note tells of it, and nothing worth keeping is in the Pod
 *   partial    a part of the file is in the Pod
 *   complete   the file has its name
 *   resumable  it failed, and note and part stay, so that it can go on
 *   unwanted   it failed, and note and part are to be removed
 *   ended      it failed before anything was there
 *
 * The last four are final: no event changes them.
 */

export const uploadStates = ['new', 'noted', 'partial', 'complete', 'resumable', 'unwanted', 'ended'] as const;
export type UploadState = (typeof uploadStates)[number];

/** `abandon`: it fails because the person cancelled it. */
export const uploadEvents = ['note', 'write', 'finish', 'fail', 'abandon'] as const;
export type UploadEvent = (typeof uploadEvents)[number];

/** The next state for each state and event; null if the event cannot happen in that state. */
export const uploadTable: Readonly<Record<UploadState, Readonly<Record<UploadEvent, UploadState | null>>>> = {
  new: { note: 'noted', write: null, finish: null, fail: 'ended', abandon: 'ended' },
  // A file without bytes is complete without a write. After a lost connection, the upload notes and writes again.
  noted: { note: 'noted', write: 'partial', finish: 'complete', fail: 'unwanted', abandon: 'unwanted' },
  partial: { note: 'partial', write: 'partial', finish: 'complete', fail: 'resumable', abandon: 'unwanted' },
  complete: { note: null, write: null, finish: null, fail: null, abandon: null },
  resumable: { note: null, write: null, finish: null, fail: null, abandon: null },
  unwanted: { note: null, write: null, finish: null, fail: null, abandon: null },
  ended: { note: null, write: null, finish: null, fail: null, abandon: null },
};

/** The state after an event. Throws if the table has none, which is a fault of the caller. */
export function nextUploadState(state: UploadState, event: UploadEvent): UploadState {
  const next = uploadTable[state][event];
  if (next === null) throw new Error(`An upload that is ${state} does not ${event}.`);
  return next;
}

/** The state of one upload. `goesOn`: a part of it from before is in the Pod. */
export function createUploadState(goesOn: boolean): { readonly now: UploadState; take(event: UploadEvent): void } {
  let now: UploadState = goesOn ? 'partial' : 'new';
  return {
    get now() {
      return now;
    },
    take(event) {
      now = nextUploadState(now, event);
    },
  };
}
