/** The connection of one pane to its shell. It reconnects after a loss. */
import type { SshQuestion, TerminalLink as LinkToPod } from '#contract/local/terminalLink.ts';
import type { TerminalEvent } from '#contract/bridge/terminal.ts';
import { api, errorText, ORPCError } from '../../../client/transport/orpc.ts';
import { pause } from '../../../client/pause.ts';
import { createInputQueue } from './inputQueue.ts';
import type { Pane } from '../layout.ts';
import { createOutputProgress } from './outputProgress.ts';
import { newId } from '../../../client/newId.ts';
import { t } from '../../../language/text.ts';
import { bytesOfBase64 } from '../../../client/transport/decodeBytes.ts';

export type LinkState =
  /** `waitsFor`: what is not there yet, such as the container; null if the shell is expected at once. */
  | { kind: 'attaching'; waitsFor: string | null }
  | { kind: 'open' }
  /** It retries automatically, or immediately on request. */
  | { kind: 'lost'; why: string }
  /** It retries only on request; `question` must be answered before. */
  | { kind: 'refused'; why: string; question: SshQuestion | null }
  | { kind: 'ended'; exitCode: number | null; reason: string };

/** The screen that draws the output. */
export interface Screen {
  readonly size: { columns: number; rows: number };
  /** Clears the screen and shows the snapshot. */
  begin(snapshot: string): void;
  write(bytes: Uint8Array, parsed: () => void): void;
  resize(columns: number, rows: number): void;
}

interface LinkOptions {
  accountId: string;
  pane: Pane;
  /** The ended shell that a new one follows in this pane; null if there is none. */
  follows: string | null;
  screen: Screen;
  onState: (state: LinkState) => void;
  onBegun: (session: string) => void;
}

export interface TerminalLink {
  type(data: string): void;
  resize(): void;
  retry(): void;
  stop(): void;
}

const RETRY_MS = 2000;

/** The shell has ended, or its Pod was deleted. */
const isGone = (error: unknown): boolean => error instanceof ORPCError && error.code === 'NOT_FOUND';
const isPassing = (error: unknown): boolean =>
  !(error instanceof ORPCError) || ['UNAVAILABLE', 'SERVICE_UNAVAILABLE'].includes(String(error.code));

/** The state of a pane whose shell has not begun. */
const waiting = ({ state, why }: LinkToPod): LinkState => ({
  kind: 'attaching',
  waitsFor: state === 'connecting' ? why : null,
});

/** The state of an attached pane. It depends on the SSH connection behind Hangar; null: there is none. */
function attachedState(pod: LinkToPod | null): LinkState {
  const { state, why, question } = pod ?? { state: 'up', why: null, question: null };
  if (state === 'up') return { kind: 'open' };
  if (state === 'connecting') return { kind: 'attaching', waitsFor: why };
  return state === 'lost' ? { kind: 'lost', why: why ?? '' } : { kind: 'refused', why: why ?? '', question };
}

const ignore = (): void => undefined;

/** How a new shell begins: after an ended one, beside another one, or by itself. */
const newSession = ({ beside }: Pane, follows: string | null) => ({
  ...(follows !== null && { follows }),
  ...(beside !== undefined && { beside }),
});

/**
 * Attaches immediately, and again after each temporary failure, every `RETRY_MS` or by `retry`. It ends with its shell,
 * or by `stop`. Typed text waits for the shell.
 */
export function openLink({ accountId, pane, follows, screen, onState, onBegun }: LinkOptions): TerminalLink {
  const { kind, targetId } = pane;
  const life = new AbortController();
  const { signal } = life;
  let session = pane.session;
  let former = follows;
  /** The id of the current attachment. */
  let viewer = '';
  let isAttached = false;
  /** The state of the SSH connection to the Pod; null if there is none. */
  let podLink: LinkToPod | null = null;
  let retryNow = new AbortController();
  const input = createInputQueue((data) => api.terminals.input({ viewer, data }));
  // After a lost connection, the viewer continues at its position.
  const output = createOutputProgress((upTo) => void api.terminals.shown({ viewer, upTo }).catch(ignore));
  const resize = () => void api.terminals.resize({ viewer, ...screen.size }).catch(ignore);

  function enter(state: LinkState): void {
    input.setOpen(state.kind === 'open' && !signal.aborted);
    onState(state);
  }

  function start(event: Extract<TerminalEvent, { type: 'attached' }>): void {
    if (session === null) onBegun(event.session);
    session = event.session;
    if (event.snapshot !== null || output.received === null) {
      screen.begin(event.snapshot ?? '');
      output.restart(event.from);
    }
    output.resume(event.from);
    isAttached = true;
    enter(attachedState(podLink));
    resize();
  }

  function write(base64: string): void {
    const bytes = bytesOfBase64(base64);
    output.receive(bytes.length);
    screen.write(bytes, () => output.draw(bytes.length));
  }

  /** Returns whether the shell has ended. */
  function take(event: TerminalEvent): boolean {
    if (event.type === 'attached') start(event);
    else if (event.type === 'output') write(event.bytes);
    else if (event.type === 'resized') screen.resize(event.columns, event.rows);
    else if (event.type === 'ended') enter({ kind: 'ended', exitCode: event.exitCode, reason: event.reason });
    else if (event.type === 'link') {
      podLink = event;
      enter(isAttached ? attachedState(event) : waiting(event));
    } else if (!isAttached) {
      throw new ORPCError(session === null ? 'BAD_REQUEST' : 'NOT_FOUND', { message: event.message });
    }
    return event.type === 'ended';
  }

  /** Returns whether the shell has ended, or the pane was closed. */
  async function attach(): Promise<boolean> {
    viewer = newId();
    podLink = null;
    enter({ kind: 'attaching', waitsFor: null });
    const request = {
      accountId,
      viewer,
      kind,
      targetId,
      ...screen.size,
      ...(session === null ? newSession(pane, former) : { session }),
      ...(output.received !== null && { from: output.received }),
    };
    for await (const event of await api.terminals.attach(request, { signal })) {
      if (signal.aborted || take(event)) return true;
    }
    return false;
  }

  function stateAfter(error: unknown): LinkState {
    const why = errorText(error);
    // The session is gone. If the pane knows how its shell ended, it shows that.
    if (session !== null && isGone(error)) return { kind: 'ended', ...(pane.ended ?? { exitCode: null, reason: why }) };
    // An engine of an earlier version refuses the field that it does not know, and names it.
    if (why.includes('follows')) former = null;
    return isPassing(error) ? { kind: 'lost', why } : { kind: 'refused', why, question: null };
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      retryNow = new AbortController();
      const woken = AbortSignal.any([signal, retryNow.signal]);
      let state: LinkState = { kind: 'lost', why: t`The connection to the terminal was lost.` };
      try {
        if (await attach()) return;
      } catch (error) {
        if (signal.aborted) return;
        state = stateAfter(error);
      }
      isAttached = false;
      enter(state);
      if (state.kind === 'ended') return;
      if (state.kind === 'lost') await pause(RETRY_MS, woken);
      else if (!woken.aborted) await new Promise((resolve) => woken.addEventListener('abort', resolve, { once: true }));
    }
  }
  void follow();

  return {
    type: input.add,
    resize,
    retry() {
      if (!isAttached) return retryNow.abort();
      // What is typed from now on waits for the shell. Events say how the try went.
      enter({ kind: 'attaching', waitsFor: null });
      api.terminals.retry({ viewer }).catch(() => enter(attachedState(podLink)));
    },
    stop() {
      input.setOpen(false);
      life.abort();
    },
  };
}
