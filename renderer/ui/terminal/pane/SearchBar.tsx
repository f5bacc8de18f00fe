/** Searches for text in a terminal and its scrollback. */
import { useEffect, useEffectEvent, useState } from 'react';
import { ActionIcon, TextInput } from '@mantine/core';
import type { SearchAddon } from '@xterm/addon-search';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { isDark, useAppearance } from '../../../state/appearance.ts';
import styles from '../terminal.module.css';
import { matchColours } from './theme.ts';
import { ReasonIcon } from '../../popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

export function SearchBar({ search, onClose }: { search: SearchAddon; onClose: () => void }) {
  const dark = useAppearance(isDark);
  const decorations = matchColours(dark);
  const [text, setText] = useState('');
  const [results, setResults] = useState<{ at: number; count: number } | null>(null);
  useEffect(() => {
    const subscription = search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setResults({ at: resultIndex, count: resultCount }),
    );
    return () => {
      subscription.dispose();
      search.clearDecorations();
    };
  }, [search]);
  const drawAgain = useEffectEvent(() => {
    if (text === '') return;
    search.clearDecorations();
    search.findNext(text, { decorations, incremental: true });
  });
  // What is marked keeps the colours of the theme in which it was found.
  useEffect(() => drawAgain(), [dark]);
  const next = (wanted: string) => search.findNext(wanted, { decorations });
  const previous = () => search.findPrevious(text, { decorations });
  const words =
    text === '' || results === null ? '' : results.count === 0 ? t`None` : t`${results.at + 1} of ${results.count}`;
  const whyNot = text === '' ? t`Enter some text first.` : null;

  return (
    <form
      className={styles.search}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        next(text);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          onClose();
        } else if (event.key === 'Enter' && event.shiftKey) {
          event.preventDefault();
          previous();
        }
      }}
    >
      <TextInput
        aria-label={t`Find in the terminal`}
        placeholder={t`Find`}
        autoFocus
        value={text}
        onChange={(event) => {
          const wanted = event.currentTarget.value;
          setText(wanted);
          if (wanted === '') search.clearDecorations();
          else search.findNext(wanted, { decorations, incremental: true });
        }}
      />
      <span aria-live="polite">{words}</span>
      <ReasonIcon aria-label={t`Previous match`} whyNot={whyNot} onClick={previous}>
        <ChevronUp size={14} aria-hidden />
      </ReasonIcon>
      <ReasonIcon aria-label={t`Next match`} whyNot={whyNot} onClick={() => next(text)}>
        <ChevronDown size={14} aria-hidden />
      </ReasonIcon>
      <ActionIcon aria-label={t`Close the search`} onClick={onClose}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </form>
  );
}
