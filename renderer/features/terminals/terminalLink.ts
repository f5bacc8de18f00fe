/** One pane's way to its shell: attaches, comes back where a connection breaks, sends what is typed, and tells what was shown. */
import { limits } from '#contract/core/limits.ts';
import type { SshQuestion, TerminalLink as LinkToPod } from '#contract/local/terminalLink.ts';
import type { TerminalEvent } from '#contract/bridge/terminal.ts';
import { api, errorText, ORPCError } from '../../client/transport/orpc.ts';
import { pause } from '../../client/pause.ts';
import type { Pane } from './layout.ts';

export type LinkState =
  | { kind: 'attaching' }
  | { kind: 'open' }
  /** It is tried again by itself, or at once when asked. */
  | { kind: 'lost'; why: string }
  /** It is tried again when asked only; `question` is to be answered before. */
  | { kind: 'refused'; why: string; question: SshQuestion | null }
  | { kind: 'ended'; exitCode: number | null; reason: string };

/** What draws the output. */
export interface Screen {
  readonly size: { columns: number; rows: number };
  /** Clears it and shows the snapshot. */
  begin(snapshot: string): void;
  write(bytes: Uint8Array, parsed: () => void): void;
  resize(columns: number, rows: number): void;
}

interface LinkOptions {
  accountId: string;
  pane: Pane;
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
/** So much output is shown before the engine is told, unless nothing more waits. */
const TOLD_BYTES = 64 * 1024;

function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}

/** Ended shells and vanished Pods are not tried again. */
const isGone = (error: unknown): boolean => error instanceof ORPCError && error.code === 'NOT_FOUND';
const isPassing = (error: unknown): boolean =>
  !(error instanceof ORPCError) || ['UNAVAILABLE', 'SERVICE_UNAVAILABLE'].includes(String(error.code));

export function openLink({ accountId, pane, screen, onState, onBegun }: LinkOptions): TerminalLink {
  const { kind, targetId } = pane;
  const life = new AbortController();
  const { signal } = life;
  let session = pane.session;
  let viewer = '';
  /** Bytes since the session began: that have come, that are on the screen, that the engine knows of. */
  let came: number | null = null;
  let shown = 0;
  let told = 0;
  let hurry = new AbortController();
  let typed = '';
  let typing = false;
  /** What is typed before the shell is there waits for it. */
  let isOpen = false;
  let isAttached = false;
  /** Over SSH: how it stands beyond Hangar. */
  let beyond: LinkToPod | null = null;

  const away = (): void => undefined;

  function tellShown(): void {
    if (shown - told < TOLD_BYTES && shown !== came) return;
    told = shown;
    // A viewer that has lost its connection comes back with what it has.
    void api.terminals.shown({ viewer, upTo: shown }).catch(away);
  }

  /** Attached; whether the shell is there is another thing. */
  function settle(): void {
    const { state, why, question } = beyond ?? { state: 'up', why: null, question: null };
    isOpen = state === 'up';
    if (state === 'up') onState({ kind: 'open' });
    else if (state === 'connecting') onState({ kind: 'attaching' });
    else if (state === 'lost') onState({ kind: 'lost', why: why ?? '' });
    else onState({ kind: 'refused', why: why ?? '', question });
    if (isOpen && !typing) void send();
  }

  /** Whether nothing follows. */
  function take(event: TerminalEvent): boolean {
    if (event.type === 'attached') {
      if (session === null) onBegun(event.session);
      session = event.session;
      if (event.snapshot !== null || came === null) {
        screen.begin(event.snapshot ?? '');
        shown = event.from;
        told = event.from;
      }
      came = event.from;
      isAttached = true;
      settle();
      void api.terminals.resize({ viewer, ...screen.size }).catch(away);
    } else if (event.type === 'output') {
      const bytes = bytesOf(event.bytes);
      came = (came ?? 0) + bytes.length;
      screen.write(bytes, () => {
        shown += bytes.length;
        tellShown();
      });
    } else if (event.type === 'resized') {
      screen.resize(event.columns, event.rows);
    } else if (event.type === 'ended') {
      onState({ kind: 'ended', exitCode: event.exitCode, reason: event.reason });
      return true;
    } else if (event.type === 'link') {
      beyond = event;
      if (isAttached) settle();
    } else if (!isAttached) {
      throw new ORPCError(session === null ? 'BAD_REQUEST' : 'NOT_FOUND', { message: event.message });
    }
    return false;
  }

  async function attach(): Promise<boolean> {
    viewer = crypto.randomUUID();
    const request = {
      accountId,
      viewer,
      kind,
      targetId,
      ...screen.size,
      ...(session !== null && { session }),
      ...(came !== null && { from: came }),
    };
    for await (const event of await api.terminals.attach(request, { signal })) {
      if (signal.aborted || take(event)) return true;
    }
    return false;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      hurry = new AbortController();
      const woken = AbortSignal.any([signal, hurry.signal]);
      try {
        isOpen = false;
        isAttached = false;
        beyond = null;
        onState({ kind: 'attaching' });
        if (await attach()) return;
        onState({ kind: 'lost', why: 'The connection to the terminal broke.' });
      } catch (error) {
        if (signal.aborted) return;
        const why = errorText(error);
        if (session !== null && isGone(error)) {
          onState({ kind: 'ended', exitCode: null, reason: why });
          return;
        }
        if (!isPassing(error)) {
          onState({ kind: 'refused', why, question: null });
          await new Promise((resolve) => woken.addEventListener('abort', resolve, { once: true }));
          continue;
        }
        onState({ kind: 'lost', why });
      }
      await pause(RETRY_MS, woken);
    }
  }
  void follow();

  /** One after the other, so that nothing is typed in another order. */
  async function send(): Promise<void> {
    typing = true;
    while (typed !== '' && isOpen && !signal.aborted) {
      const data = typed.slice(0, limits.terminal.inputLength);
      typed = typed.slice(data.length);
      await api.terminals.input({ viewer, data }).catch(away);
    }
    typing = false;
  }

  return {
    type(data) {
      typed += data;
      if (!typing) void send();
    },
    resize: () => void api.terminals.resize({ viewer, ...screen.size }).catch(away),
    retry() {
      if (isAttached) void api.terminals.retry({ viewer }).catch(away);
      else hurry.abort();
    },
    stop: () => life.abort(),
  };
}
