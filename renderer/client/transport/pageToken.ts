/**
 * The token by which this page shows that it is the one that was paired. A pairing link brings it behind `#`, where no server sees
 * it; from then on it is in the storage of this origin, which no other server's page reads.
 */
import { PAGE_TOKEN_HASH } from '#contract/app/pageSession.ts';

/** Beside what the page keeps for itself (state/stored.ts), and known to whoever takes a session along. */
const NAME = 'hangar.page-token';

/** For a browser that keeps nothing: until the page is loaded again. */
let token = '';

/** '' where this page has none. The first call takes it out of the address and the history. */
export function pageToken(): string {
  const brought = location.hash.startsWith(PAGE_TOKEN_HASH) ? location.hash.slice(PAGE_TOKEN_HASH.length) : null;
  if (brought !== null) history.replaceState(null, '', location.pathname);
  try {
    if (brought !== null) localStorage.setItem(NAME, brought);
    token = brought ?? localStorage.getItem(NAME) ?? '';
  } catch {
    // Storage may be switched off.
    token = brought ?? token;
  }
  return token;
}
