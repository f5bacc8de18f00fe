/** One terminal: its screen, a notice while its shell is not connected, and the questions of what runs in it. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isDark, isHighContrast, useAppearance } from '../../../state/appearance.ts';
import { terminalStyle } from '../../../state/terminalStyle.ts';
import { begun, withEnd, type Pane } from '../layout.ts';
import { pathPlaceOf } from '../links/pathPlace.ts';
import { isWithoutShell, usePodOf } from '../NoShellNotice.tsx';
import { ConnectionNotice, CopyRequest, PasteQuestion } from './notices.tsx';
import type { PendingPaste } from './pasteGuard.ts';
import { SearchBar } from './SearchBar.tsx';
import styles from '../terminal.module.css';
import { openLink, type LinkState, type TerminalLink } from './terminalLink.ts';
import { createTerminalScreen, type TerminalScreen } from './terminalScreen.ts';
import { changeLayout } from '../terminalStore.ts';

/** What the page does with a pane that is shown. */
export interface PaneHandle {
  /** Sends text to the shell, as if it was typed here. */
  type(data: string): void;
  focus(): void;
}

interface TerminalPaneProps {
  accountId: string;
  pane: Pane;
  /** A unique title with the target. */
  title: string;
  /** Whether it takes the focus once it is shown. */
  takesFocus?: boolean;
  /** Whether the page shows the state of its Pod beside it. */
  isPodShown?: boolean;
  finding: boolean;
  onFind: (open: boolean) => void;
  onFocus: () => void;
  onClose: () => void;
  /** The title that the shell has set. */
  onShellTitle: (title: string) => void;
  /** True if the page has sent what was typed, to several panes. */
  onTyped: (data: string) => boolean;
  /** The handle while the pane is shown, then null. */
  onHandle: (handle: PaneHandle | null) => void;
}

const stateOf = ({ ended }: Pane): LinkState =>
  ended === null ? { kind: 'attaching', waitsFor: null } : { kind: 'ended', ...ended };

/** The connection of the pane to its shell, and to the next one after its end. */
function usePaneLink(accountId: string, pane: Pane) {
  const link = useRef<TerminalLink | null>(null);
  const [state, setState] = useState<LinkState>(() => stateOf(pane));
  const follow = (next: LinkState) => {
    setState(next);
    if (next.kind !== 'ended') return;
    const { exitCode, reason } = next;
    changeLayout(accountId, (layout) => withEnd(layout, pane.id, { exitCode, reason }));
  };
  const begin = (screen: TerminalScreen, isFollowing: boolean) => {
    link.current?.stop();
    link.current = openLink({
      accountId,
      pane: isFollowing ? { ...pane, session: null, ended: null } : pane,
      follows: isFollowing ? pane.session : null,
      screen: screen.forLink(isFollowing),
      onState: follow,
      onBegun: (session) => changeLayout(accountId, (layout) => begun(layout, pane.id, session)),
    });
  };
  const type = (screen: TerminalScreen, data: string) => {
    if (state.kind === 'open' || state.kind === 'attaching') link.current?.type(data);
    else if (data !== '\r') return;
    else if (state.kind === 'ended') begin(screen, true);
    else link.current?.retry();
  };
  return { link, state, begin, type, stop: () => link.current?.stop() };
}

/**
 * The state of the Pod of the pane in which there is no shell; false if that is not the reason. A shell that was refused
 * is tried again once its Pod is started, and once it runs.
 */
function useNoShell(accountId: string, pane: Pane, state: LinkState, retry: () => void) {
  const row = usePodOf(accountId, pane, state.kind !== 'open');
  const isWanted = row?.pod.desiredStatus === 'RUNNING';
  const runs = isWanted && row.facts?.runtime !== null;
  const tryAgain = useEffectEvent(() => {
    if (state.kind === 'refused' && state.question === null) retry();
  });
  useEffect(() => {
    if (isWanted) tryAgain();
  }, [isWanted, runs]);
  return row !== undefined && isWithoutShell(row) && { accountId, row };
}

/** The style of a new screen. A screen that exists changes with it. */
function useScreenStyle(screen: TerminalScreen | null) {
  const dark = useAppearance(isDark);
  const highContrast = useAppearance(isHighContrast);
  const style = terminalStyle.use();
  useEffect(() => {
    // The colours of the new theme are available after the next paint.
    const frame = requestAnimationFrame(() => screen?.restyle(dark, style));
    return () => cancelAnimationFrame(frame);
  }, [screen, dark, highContrast, style]);
  return { dark, style };
}

export function TerminalPane({
  accountId,
  pane,
  title,
  takesFocus = true,
  isPodShown = false,
  finding,
  onFind,
  onFocus,
  onClose,
  ...page
}: TerminalPaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const [focusesFirst] = useState(takesFocus);
  const [screen, setScreen] = useState<TerminalScreen | null>(null);
  const [paste, setPaste] = useState<{ pending: PendingPaste; send: () => void } | null>(null);
  const [copied, setCopied] = useState<string | null>(null);
  const [hint, setHint] = useState<string | null>(null);
  const { dark, style } = useScreenStyle(screen);
  const { link, state, begin, type, stop } = usePaneLink(accountId, pane);

  const onTyped = useEffectEvent((made: TerminalScreen, data: string) => {
    if (!page.onTyped(data)) type(made, data);
  });
  const typeHere = useEffectEvent(type);
  const find = useEffectEvent(() => onFind(true));
  const onTitle = useEffectEvent(page.onShellTitle);
  const pathPlace = useEffectEvent((reported: () => string | null) => pathPlaceOf({ accountId, pane, reported }));
  const handle = useEffectEvent(page.onHandle);
  const stopLink = useEffectEvent(stop);
  const make = useEffectEvent((element: HTMLElement) => {
    const made: TerminalScreen = createTerminalScreen(element, {
      dark,
      style,
      events: {
        onTyped: (data) => onTyped(made, data),
        onResized: () => link.current?.resize(),
        onFind: () => find(),
        onTitle: (name) => onTitle(name),
        onPasteQuestion: (pending, send) => setPaste({ pending, send }),
        onCopyRequest: setCopied,
        onHint: setHint,
        pathPlace: (reported) => pathPlace(reported),
      },
    });
    // The pane of an ended shell connects only to get its last screen.
    if (pane.ended === null || pane.session !== null) begin(made, false);
    return made;
  });

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const made = make(element);
    if (focusesFirst) made.terminal.focus();
    handle({ type: (data) => typeHere(made, data), focus: () => made.terminal.focus() });
    setScreen(made);
    return () => {
      handle(null);
      stopLink();
      made.dispose();
    };
  }, [focusesFirst]);
  const noShell = useNoShell(accountId, pane, state, () => link.current?.retry());

  const focus = () => screen?.terminal.focus();
  return (
    <section className={styles.pane} aria-label={title} onFocus={onFocus}>
      {finding && screen !== null && (
        <SearchBar
          search={screen.search}
          onClose={() => {
            onFind(false);
            focus();
          }}
        />
      )}
      <div ref={place} className={styles.screen} />
      {hint !== null && <p className={styles.hint}>{hint}</p>}
      {copied !== null && (
        <CopyRequest
          text={copied}
          onAnswered={() => {
            setCopied(null);
            focus();
          }}
        />
      )}
      <ConnectionNotice
        state={state}
        isSsh={pane.kind === 'ssh'}
        noShell={noShell && { ...noShell, isPodShown }}
        onRetry={() => link.current?.retry()}
        onNext={() => {
          if (screen !== null) begin(screen, true);
          focus();
        }}
        onClose={onClose}
      />
      <PasteQuestion
        paste={paste?.pending ?? null}
        onAnswered={(isWanted) => {
          if (isWanted) paste?.send();
          setPaste(null);
          focus();
        }}
      />
    </section>
  );
}
