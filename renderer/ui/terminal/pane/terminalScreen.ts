/** The screen of one terminal: xterm with what Hangar adds, on an element of the page. */
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Unicode11Addon } from '@xterm/addon-unicode11';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import type { TerminalStyle } from '../../../state/terminalStyle.ts';
import { copyText } from '../../clipboard/copyText.ts';
import { isApple } from '../../keyboard/shortcuts.ts';
import { t } from '../../../language/text.ts';
import { textToCopy } from './clipboardRequest.ts';
import { copyRule } from './copyRule.ts';
import { terminalFonts } from './font.ts';
import { addPathLinks, followsLink, linkKey, type PathPlace } from '../links/pathLinks.ts';
import { folderOfReport } from '../links/reportedFolder.ts';
import { createGpuDrawing } from './gpuDrawing.ts';
import { showImages } from './images.ts';
import { linesToConfirm, type PendingPaste } from './pasteGuard.ts';
import { createOutputBatches } from './outputBatches.ts';
import type { Screen } from './terminalLink.ts';
import { terminalTheme } from './theme.ts';

const system = isApple ? 'apple' : /windows/i.test(navigator.userAgent) ? 'windows' : 'other';

/**
 * Ends the full-screen mode, the mouse reports and the colours that the last program may have left on, and begins a line.
 * Mode 1047 leaves the full screen without moving the cursor, which 1049 puts where it last was saved.
 */
const PLAIN_AGAIN = '\u001b[?1047l\u001b[?1000;1002;1003;1004;1006;2004l\u001b[?25h\u001b[!p\u001b[0m\r\n';

export interface TerminalScreen {
  readonly terminal: Terminal;
  readonly search: SearchAddon;
  /** For the connection. A following shell without a snapshot begins below what is there. */
  forLink(isFollowing: boolean): Screen;
  /** Draws with the colours of the theme, and with this size of the text. */
  restyle(dark: boolean, style: TerminalStyle): void;
  dispose(): void;
}

interface ScreenEvents {
  onTyped(data: string): void;
  onResized(): void;
  onFind(): void;
  /** The title that the shell or a program in it has set. */
  onTitle(title: string): void;
  /** A paste of several lines. It goes to the shell with `send`. */
  onPasteQuestion(paste: PendingPaste, send: () => void): void;
  /** A program wants to copy this text. */
  onCopyRequest(text: string): void;
  /** The hint of the link below the pointer; null behind it. */
  onHint(hint: string | null): void;
  /** Where the files that the output names are. `reported`: the folder that the shell has reported last, or null. */
  pathPlace(reported: () => string | null): PathPlace | null;
}

/** A link that a program wrote opens in the browser; other kinds of links stay text. */
const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

function openAddress(event: MouseEvent, address: string): void {
  if (isAddress(address) && followsLink(event)) window.open(address, '_blank', 'noopener,noreferrer');
}

export function createTerminalScreen(
  element: HTMLElement,
  { dark, style, events }: { dark: boolean; style: TerminalStyle; events: ScreenEvents },
): TerminalScreen {
  let folder: string | null = null;
  // The text of a link may hide where it leads.
  const hinted = {
    hover: (_event: MouseEvent, address: string): void => {
      if (isAddress(address)) events.onHint(t`${linkKey}+click opens ${address}`);
    },
    leave: () => events.onHint(null),
  };
  const terminal = new Terminal({
    allowProposedApi: true,
    cursorBlink: false,
    fontFamily: terminalFonts(),
    fontSize: style.fontSize,
    // Programs choose colours for a dark screen.
    minimumContrastRatio: 4.5,
    scrollback: style.scrollback,
    theme: terminalTheme(dark),
    linkHandler: { activate: openAddress, ...hinted },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new Unicode11Addon());
  terminal.loadAddon(new WebLinksAddon(openAddress, hinted));
  addPathLinks(terminal, () => events.pathPlace(() => folder), events.onHint);
  terminal.unicode.activeVersion = '11';
  terminal.attachCustomKeyEventHandler((event) => {
    const rule = copyRule(event, { system, hasSelection: terminal.hasSelection() });
    if (rule === null) return true;
    if (rule === 'paste' || event.type !== 'keydown') return false;
    event.preventDefault();
    if (rule === 'find') events.onFind();
    else if (terminal.hasSelection()) void copyText(terminal.getSelection());
    return false;
  });
  terminal.onData(events.onTyped);
  terminal.onTitleChange(events.onTitle);
  terminal.parser.registerOscHandler(52, (data) => {
    const text = textToCopy(data);
    if (text !== null) events.onCopyRequest(text);
    return true;
  });
  terminal.parser.registerOscHandler(7, (address) => {
    folder = folderOfReport(address) ?? folder;
    return true;
  });
  // Before xterm takes it.
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const isHeldBack = terminal.modes.bracketedPasteMode;
    const lines = linesToConfirm(text, isHeldBack);
    if (lines === null) return;
    event.preventDefault();
    event.stopPropagation();
    events.onPasteQuestion({ text, lines, isHeldBack }, () => terminal.paste(text));
  };
  element.addEventListener('paste', onPaste, { capture: true });
  terminal.open(element);
  fit.fit();
  const gpu = createGpuDrawing(terminal);
  const output = createOutputBatches((bytes, parsed) => terminal.write(bytes, parsed));
  let isGone = false;
  // Without the decoders, the text is still there.
  showImages(terminal, () => isGone).catch(() => undefined);
  const refit = (): void => {
    const { cols, rows } = terminal;
    // A hidden element has no size.
    const isShown = element.clientWidth > 0;
    gpu.show(isShown);
    if (isShown) fit.fit();
    if (terminal.cols !== cols || terminal.rows !== rows) events.onResized();
  };
  document.fonts.addEventListener('loadingdone', gpu.onFont);
  const sized = new ResizeObserver(refit);
  sized.observe(element);
  return {
    terminal,
    search,
    forLink: (isFollowing) => ({
      get size() {
        return { columns: terminal.cols, rows: terminal.rows };
      },
      begin(snapshot) {
        output.flush();
        if (isFollowing) folder = null;
        if (isFollowing && snapshot === '') terminal.write(PLAIN_AGAIN);
        else terminal.reset();
        terminal.write(snapshot);
        isFollowing = false;
      },
      write: output.write,
      resize(columns, rows) {
        output.flush();
        terminal.resize(columns, rows);
      },
    }),
    restyle(isDark, { fontSize, scrollback }) {
      terminal.options.theme = terminalTheme(isDark);
      terminal.options.scrollback = scrollback;
      if (terminal.options.fontSize === fontSize) return;
      terminal.options.fontSize = fontSize;
      refit();
    },
    dispose() {
      isGone = true;
      sized.disconnect();
      output.dispose();
      document.fonts.removeEventListener('loadingdone', gpu.onFont);
      gpu.dispose();
      element.removeEventListener('paste', onPaste, { capture: true });
      terminal.dispose();
    },
  };
}
