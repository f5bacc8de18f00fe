/** Finds text in a terminal and what has scrolled out of it. */
import { useEffect, useState } from 'react';
import { ActionIcon, TextInput } from '@mantine/core';
import type { SearchAddon } from '@xterm/addon-search';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import styles from './terminals.module.css';

/** The search draws with these; it takes no names of colours. */
const decorations = {
  matchBackground: '#6b5a00',
  activeMatchBackground: '#9a3a00',
  matchOverviewRuler: '#6b5a00',
  activeMatchColorOverviewRuler: '#9a3a00',
};

export function SearchBar({ search, onClose }: { search: SearchAddon; onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ at: number; count: number } | null>(null);
  useEffect(() => {
    const results = search.onDidChangeResults(({ resultIndex, resultCount }) =>
      setFound({ at: resultIndex, count: resultCount }),
    );
    return () => {
      results.dispose();
      search.clearDecorations();
    };
  }, [search]);
  const next = (wanted: string) => search.findNext(wanted, { decorations });
  const previous = () => search.findPrevious(text, { decorations });
  const words =
    text === '' || found === null ? '' : found.count === 0 ? 'Nothing found' : `${found.at + 1} of ${found.count}`;

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
        aria-label="Find in the terminal"
        placeholder="Find"
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
      <ActionIcon aria-label="Previous match" disabled={text === ''} onClick={previous}>
        <ChevronUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Next match" disabled={text === ''} onClick={() => next(text)}>
        <ChevronDown size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon aria-label="Close the search" onClick={onClose}>
        <X size={14} aria-hidden />
      </ActionIcon>
    </form>
  );
}
