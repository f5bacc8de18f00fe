/** The session of a paired browser: names that the page, the headless host and the engine share. */

/**
 * Prefix of session cookies. The port follows, because browsers do not separate the cookies of two ports of one host.
 */
export const SESSION_COOKIE = 'hangar_session_';

/** The page's WebSocket offers this protocol, and a second one: the prefix below with the token of the page. */
export const SOCKET_PROTOCOL = 'hangar';
export const PAGE_TOKEN_PROTOCOL = 'hangar.page.';

/**
 * The page of a browser sends a file with `PUT` to this path and the id of its upload, with the token of the page in
 * this header. A page of another origin cannot add the header without a permission that Hangar does not give.
 */
export const UPLOAD_PATH = '/uploads/';
export const PAGE_TOKEN_HEADER = 'x-hangar-page';

/** The hash of a sign-in link, before the token. Browsers send nothing after `#` to a server. */
export const PAGE_TOKEN_HASH = '#page-token=';

/** Close code of the WebSocket if the page's token does not belong to the browser's session. */
export const NOT_PAIRED_CODE = 4401;
/** The page that such a browser sees; it ends the cookie. */
export const NOT_PAIRED_PATH = '/not-paired';
