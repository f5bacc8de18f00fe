/** The heading of a page, from its entry, and the title of the window, which the history of a browser shows, too. */
import { createContext, use, useEffect } from 'react';
import { create } from 'zustand';

/** The title of the current page; '' outside of one. */
export const PageTitleContext = createContext('');

/** The name of what is open on the page, such as a job beside the list; null for none. */
const useOpen = create<{ name: string | null }>(() => ({ name: null }));

/** A tab of a browser shows the beginning, and its history little more. */
const LONGEST_NAME = 80;

/** Names the window, or the tab of the browser, after what it shows: "a dog – Jobs – Hangar". */
export function useWindowTitle(title: string): void {
  const { name } = useOpen();
  useEffect(() => {
    document.title = [name, title, 'Hangar'].filter(Boolean).join(' – ');
  }, [name, title]);
}

/** Names the window after what is open on the page, until it is closed; '' while its name is not known. */
export function useOpenName(name: string): void {
  useEffect(() => {
    const letters = Array.from(name);
    useOpen.setState({ name: letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name });
    return () => useOpen.setState({ name: null });
  }, [name]);
}

/**
 * Takes the focus when a person comes to the page, unless a part of the page does. `name`: of a view with its own name.
 */
export function PageTitle({ name }: { name?: string }) {
  const ofPage = use(PageTitleContext);
  const title = name ?? ofPage;
  useWindowTitle(title);
  return <h1 tabIndex={-1}>{title}</h1>;
}
