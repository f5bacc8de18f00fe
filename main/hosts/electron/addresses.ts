/** Which addresses are the page's own, and which may leave for the person's browser. */

export const pageScheme = 'app';
export const pageHost = 'bundle';
export const pageOrigin = `${pageScheme}://${pageHost}`;
export const pageAddress = `${pageOrigin}/index.html`;

const parse = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);

/** True for anything served under our own origin. */
export function isOurs(address: string): boolean {
  const url = parse(address);
  // The origin of a scheme of one's own is "null" to a URL, so its parts are compared.
  return url?.protocol === `${pageScheme}:` && url.host === pageHost && !url.username && !url.password;
}

/** True for the page itself: the only document a window may show. */
export function isPage(address: string): boolean {
  return isOurs(address) && ['/', '/index.html'].includes(new URL(address).pathname);
}

/** True for what a click may hand to the browser: https alone, and no credentials in the address. */
export function mayOpenOutside(address: string): boolean {
  const url = parse(address);
  return url?.protocol === 'https:' && !url.username && !url.password;
}
