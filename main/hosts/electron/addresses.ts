/** Decides which addresses belong to the page, and which may open in the person's browser. */

export const pageScheme = 'app';
export const pageHost = 'bundle';
export const pageOrigin = `${pageScheme}://${pageHost}`;
export const pageAddress = `${pageOrigin}/index.html`;

const parse = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);

/** True for every address of Hangar's own origin. */
export function isOurs(address: string): boolean {
  const url = parse(address);
  // A URL reports the origin of a custom scheme as "null", so its parts are compared.
  return url?.protocol === `${pageScheme}:` && url.host === pageHost && !url.username && !url.password;
}

/** True for the page itself, which is the only document that a window may show. */
export function isPage(address: string): boolean {
  return isOurs(address) && ['/', '/index.html'].includes(new URL(address).pathname);
}

/** True for addresses that a click may open in the browser: only https, and without credentials. */
export function mayOpenOutside(address: string): boolean {
  const url = parse(address);
  return url?.protocol === 'https:' && !url.username && !url.password;
}
