/**
 * The token that identifies the paired page. A sign-in link has it after `#`, which no server receives. After that it
 * is in the storage of this origin, which no page of another server can read.
 */
import { PAGE_TOKEN_HASH } from '#contract/app/pageSession.ts';

/** Not a personal setting: it comes from a sign-in link. Tests that move a session to another browser use this name. */
const NAME = 'hangar.page-token';

/** For a browser without storage: the token lasts until the next reload. */
let token = '';

/** '' if this page has no token. The first call removes it from the address and the history. */
export function pageToken(): string {
  const brought = location.hash.startsWith(PAGE_TOKEN_HASH) ? location.hash.slice(PAGE_TOKEN_HASH.length) : null;
  if (brought !== null) history.replaceState(null, '', location.pathname);
  try {
    if (brought !== null) localStorage.setItem(NAME, brought);
    token = brought ?? localStorage.getItem(NAME) ?? '';
  } catch {
    // Storage may be disabled.
    token = brought ?? token;
  }
  return token;
}
