/** The heading of a page, as its entry names it. */
import { createContext, use } from 'react';

/** The title of the page that is shown; '' outside of one. */
export const PageTitleContext = createContext('');

export const PageTitle = () => <h1>{use(PageTitleContext)}</h1>;
