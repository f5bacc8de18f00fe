/** The look of the editors of the page. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Colours of the parts of a text, by its language: those of code that is only shown (ui/code/code.module.css). */
export const editorColours = HighlightStyle.define([
  {
    tag: [tags.propertyName, tags.keyword, tags.tagName, tags.standard(tags.variableName)],
    color: 'var(--accent)',
  },
  { tag: [tags.string, tags.inserted], color: 'var(--ok)' },
  {
    tag: [tags.number, tags.bool, tags.null, tags.atom, tags.typeName, tags.definition(tags.variableName)],
    color: 'var(--wait)',
  },
  { tag: [tags.attributeName, tags.meta], color: 'var(--ink-2)' },
  { tag: tags.deleted, color: 'var(--bad)' },
  { tag: tags.comment, color: 'var(--ink-3)' },
]);

/** The look of every editor of the page, in the colours of its theme. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', fontSize: '12px', background: 'var(--code)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6', padding: '10px 0' },
  '.cm-content': { padding: '0', caretColor: 'var(--accent)' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-gutters': { background: 'transparent', border: 'none', color: 'var(--ink-3)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 8px', minWidth: '24px' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '.cm-gutter-lint': { width: '10px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '5px 0 0 2px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: 'none', background: 'var(--bad)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--bad)',
    textUnderlineOffset: '3px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 22%, transparent)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--selected)', color: 'inherit' },
  '.cm-foldPlaceholder': { background: 'var(--off-soft)', border: 'none', color: 'var(--off)', padding: '0 5px' },
  '.cm-tooltip': {
    background: 'var(--raise)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    font: 'var(--text)/1.45 var(--font)',
    maxWidth: '420px',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--bad)' },
  '.cm-panels': { background: 'var(--panel)', color: 'var(--ink)', border: 'none' },
});
