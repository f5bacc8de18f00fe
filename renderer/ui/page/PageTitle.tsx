/** The heading of a page, from its entry. */
import { createContext, use } from 'react';

/** The title of the current page; '' outside of one. */
export const PageTitleContext = createContext('');

/** Takes the focus when a person comes to the page, unless a part of the page does. */
export const PageTitle = () => <h1 tabIndex={-1}>{use(PageTitleContext)}</h1>;
