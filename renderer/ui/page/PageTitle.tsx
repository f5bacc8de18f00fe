/** The heading of a page, from its entry, and the title of the window, which the history of a browser shows, too. */
import { createContext, use, useEffect } from 'react';

/** The title of the current page; '' outside of one. */
export const PageTitleContext = createContext('');

/** Names the window, or the tab of the browser, after what it shows. */
export function useWindowTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Hangar' : `${title} – Hangar`;
  }, [title]);
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
