/** One terminal: its screen, a notice while its shell is not connected, and the shortcuts of the page. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { limits } from '#contract/core/limits.ts';
import { useAway } from '../../client/away.ts';
import { isDark, useAppearance } from '../../state/appearance.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { isApple } from '../../ui/primitives/shortcuts.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { SshQuestionNotice } from '../../ui/domain/SshQuestionNotice.tsx';
import { copyRule } from './copyRule.ts';
import { begun, type Pane } from './layout.ts';
import { SearchBar } from './SearchBar.tsx';
import pieces from '../../ui/theme/pieces.module.css';
import styles from './terminals.module.css';
import { openLink, type LinkState, type TerminalLink } from './terminalLink.ts';
import { changeLayout } from './terminalStore.ts';
import { terminalTheme } from './theme.ts';
import { t } from '../../language/text.ts';

const system = isApple ? 'apple' : /windows/i.test(navigator.userAgent) ? 'windows' : 'other';

interface TerminalPaneProps {
  accountId: string;
  pane: Pane;
  /** A unique title with the target. */
  title: string;
  finding: boolean;
  onFind: (open: boolean) => void;
  onFocus: () => void;
  onClose: () => void;
}

export function TerminalPane({ accountId, pane, title, finding, onFind, onFocus, onClose }: TerminalPaneProps) {
  const place = useRef<HTMLDivElement>(null);
  const link = useRef<TerminalLink | null>(null);
  const [terminal, setTerminal] = useState<{ screen: Terminal; search: SearchAddon } | null>(null);
  const [state, setState] = useState<LinkState>({ kind: 'attaching' });
  const dark = useAppearance(isDark);
  const find = useEffectEvent(() => onFind(true));
  const retryByKey = useEffectEvent((data: string) => {
    if (state.kind === 'open' || state.kind === 'attaching') link.current?.type(data);
    else if (data === '\r') link.current?.retry();
  });
  const open = useEffectEvent((screen: Terminal) =>
    openLink({
      accountId,
      pane,
      screen: {
        get size() {
          return { columns: screen.cols, rows: screen.rows };
        },
        begin(snapshot) {
          screen.reset();
          screen.write(snapshot);
        },
        write: (bytes, parsed) => screen.write(bytes, parsed),
        resize: (columns, rows) => screen.resize(columns, rows),
      },
      onState: setState,
      onBegun: (session) => changeLayout(accountId, (layout) => begun(layout, pane.id, session)),
    }),
  );

  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const screen = new Terminal({
      allowProposedApi: true,
      cursorBlink: false,
      fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
      fontSize: 13,
      // Programs choose colours for a dark screen.
      minimumContrastRatio: 4.5,
      scrollback: limits.terminal.scrollback,
      theme: terminalTheme(),
    });
    const fit = new FitAddon();
    const search = new SearchAddon();
    screen.loadAddon(fit);
    screen.loadAddon(search);
    screen.loadAddon(new Unicode11Addon());
    screen.loadAddon(new WebLinksAddon());
    screen.unicode.activeVersion = '11';
    screen.attachCustomKeyEventHandler((event) => {
      const rule = copyRule(event, { system, hasSelection: screen.hasSelection() });
      if (rule === null) return true;
      if (rule === 'paste' || event.type !== 'keydown') return false;
      event.preventDefault();
      if (rule === 'find') find();
      else if (screen.hasSelection()) {
        void navigator.clipboard.writeText(screen.getSelection()).then(() => announce(t`Copied`));
      }
      return false;
    });
    screen.open(element);
    fit.fit();
    screen.focus();
    const opened = open(screen);
    link.current = opened;
    const typed = screen.onData(retryByKey);
    const sized = new ResizeObserver(() => {
      const { cols, rows } = screen;
      // A hidden element has no size.
      if (element.clientWidth > 0) fit.fit();
      if (screen.cols !== cols || screen.rows !== rows) opened.resize();
    });
    sized.observe(element);
    setTerminal({ screen, search });
    return () => {
      sized.disconnect();
      typed.dispose();
      opened.stop();
      screen.dispose();
    };
  }, []);

  useEffect(() => {
    // The colours of the new theme are available after the next paint.
    const frame = requestAnimationFrame(() => {
      if (terminal) terminal.screen.options.theme = terminalTheme();
    });
    return () => cancelAnimationFrame(frame);
  }, [terminal, dark]);

  return (
    <section className={styles.pane} aria-label={title} onFocus={onFocus}>
      {finding && terminal !== null && (
        <SearchBar
          search={terminal.search}
          onClose={() => {
            onFind(false);
            terminal.screen.focus();
          }}
        />
      )}
      <div ref={place} className={styles.screen} />
      <ConnectionNotice state={state} onRetry={() => link.current?.retry()} onClose={onClose} />
    </section>
  );
}

function ConnectionNotice({ state, onRetry, onClose }: { state: LinkState; onRetry: () => void; onClose: () => void }) {
  const away = useAway();
  const close = <Button size="xs" variant="default" onClick={onClose}>{t`Close`}</Button>;
  const retry = <Button size="xs" variant="default" onClick={onRetry}>{t`Retry now`}</Button>;
  // The banner says why, and when it is tried again.
  if (state.kind === 'lost' && away !== null)
    return <p className={pieces.asOf}>{t`Not connected. What you type is not sent.`}</p>;
  if (state.kind === 'lost') {
    return (
      <Notice
        tone="wait"
        title={t`Connection lost.`}
        action={retry}
      >{t`${state.why} Hangar keeps trying. Press Enter to try now.`}</Notice>
    );
  }
  if (state.kind === 'refused') {
    if (state.question !== null)
      return <SshQuestionNotice question={state.question} why={state.why} onAnswered={onRetry} />;
    return (
      <Notice tone="bad" title={t`No connection.`} action={retry}>
        {state.why}
      </Notice>
    );
  }
  if (state.kind !== 'ended') return null;
  if (state.exitCode === null) {
    return (
      <Notice tone="off" title={t`The terminal no longer exists.`} action={close}>
        {state.reason}
      </Notice>
    );
  }
  return <Notice tone="off" title={t`The shell has ended with exit code ${state.exitCode}.`} action={close} />;
}
