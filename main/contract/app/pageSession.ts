/** How a paired browser shows its session: names that the page, the headless host and the engine share. */

/** The cookies of sessions begin so; what follows is the port, because browsers do not keep the cookies of two ports of one host apart. */
export const SESSION_COOKIE = 'hangar_session_';

/** The page's WebSocket offers this protocol, and a second one that is this prefix with the token of the page. */
export const SOCKET_PROTOCOL = 'hangar';
export const PAGE_TOKEN_PROTOCOL = 'hangar.page.';

/** A pairing link leads here with the token behind it: what follows `#` is sent to no server. */
export const PAGE_TOKEN_HASH = '#page-token=';

/** The WebSocket is closed with this code where the page's token is not that of its browser's session. */
export const NOT_PAIRED_CODE = 4401;
/** What a browser is shown then; its cookie ends there. */
export const NOT_PAIRED_PATH = '/not-paired';
