/** The search in the text of an editor: Ctrl+F (⌘F), with the words and the look of the page. */
import { search, searchKeymap, searchPanelOpen } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { t } from '../../language/text.ts';

/** Mantine's dialogs leave Escape to an element with this attribute: it closes the search, and not the dialog. */
const OWN_ESCAPE = { 'data-mantine-stop-propagation': 'true' };

/** By the words of CodeMirror. */
const words = (): Record<string, string> => ({
  Find: t`Find`,
  Replace: t`Replace`,
  next: t`Next`,
  previous: t`Previous`,
  all: t`Select all`,
  'match case': t`Match case`,
  regexp: t`Regular expression`,
  'by word': t`Whole words`,
  replace: t`Replace`,
  'replace all': t`Replace all`,
  close: t`Close the search`,
  'current match': t`Current match`,
  'on line': t`on line`,
  'replaced match on line $': t`Replaced the match on line ${'$'}`,
  'replaced $ matches': t`Replaced ${'$'} matches`,
  'Go to line': t`Go to line`,
  go: t`Go`,
});

const searchTheme = EditorView.theme({
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': {
    padding: '8px 34px 2px 8px',
    font: '12.5px/1.4 var(--font)',
  },
  '.cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { margin: '0 6px 6px 0' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', fontSize: '12px' },
  '.cm-panel.cm-search input[type=checkbox]': { margin: '0', accentColor: 'var(--accent)' },
  '.cm-textfield': {
    width: '220px',
    maxWidth: '100%',
    boxSizing: 'border-box',
    verticalAlign: 'middle',
    height: '26px',
    padding: '0 8px',
    font: 'inherit',
    color: 'var(--ink)',
    background: 'var(--panel)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
  },
  '.cm-button': {
    verticalAlign: 'middle',
    height: '26px',
    padding: '0 10px',
    font: 'inherit',
    color: 'var(--ink)',
    background: 'var(--panel)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    cursor: 'pointer',
  },
  '.cm-button:active': { background: 'var(--selected)' },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '26px',
    height: '26px',
    fontSize: '18px',
    lineHeight: '1',
    color: 'var(--ink-2)',
    cursor: 'pointer',
  },
  '.cm-searchMatch': { background: 'color-mix(in srgb, var(--wait) 28%, transparent)', borderRadius: '2px' },
  '.cm-searchMatch.cm-searchMatch-selected': { background: 'color-mix(in srgb, var(--wait) 42%, transparent)' },
  '.cm-selectionMatch': { background: 'color-mix(in srgb, var(--accent) 12%, transparent)' },
});

export const editorSearch = (): Extension => [
  search({ top: true }),
  EditorState.phrases.of(words()),
  searchTheme,
  keymap.of(searchKeymap),
  EditorView.contentAttributes.of((view) => (searchPanelOpen(view.state) ? OWN_ESCAPE : null)),
  EditorView.updateListener.of(({ view, startState, state }) => {
    if (!searchPanelOpen(state) || searchPanelOpen(startState)) return;
    for (const field of view.dom.querySelectorAll('.cm-search [name]'))
      for (const [name, value] of Object.entries(OWN_ESCAPE)) field.setAttribute(name, value);
  }),
];
