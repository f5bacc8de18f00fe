/** The heading of a page, from its entry. */
import { createContext, use } from 'react';

/** The title of the current page; '' outside of one. */
export const PageTitleContext = createContext('');

export const PageTitle = () => <h1>{use(PageTitleContext)}</h1>;
