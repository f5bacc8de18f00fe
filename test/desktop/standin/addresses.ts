/**
 * Chromium cannot intercept a scheme of its own making: app://bundle/x travels as https on a reserved name, and back.
 */
const suffix = '.scheme.test';
const schemes = new Set<string>();

/** From now on `scheme://host/…` is mapped. */
export function registerScheme(scheme: string): void {
  schemes.add(scheme);
}

export const isRegistered = (scheme: string): boolean => schemes.has(scheme);

/** `app://bundle/x` → `https://bundle.app.scheme.test/x`; anything else as it is. */
export function toChromium(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(address);
  if (!match || !schemes.has(match[1] ?? '')) return address;
  return `https://${match[2]}.${match[1]}${suffix}${match[3]}`;
}

/** The reverse, for addresses and for origins. */
export function fromChromium(address: string): string {
  const match = /^https:\/\/([^/?#]*)(.*)$/.exec(address);
  if (!match?.[1]?.endsWith(suffix)) return address;
  const name = match[1].slice(0, -suffix.length);
  const dot = name.lastIndexOf('.');
  const scheme = name.slice(dot + 1);
  return schemes.has(scheme) ? `${scheme}://${name.slice(0, dot)}${match[2]}` : address;
}

/** The origin of an address as Electron serialises it; `null` for an opaque one. */
export function originOf(address: string): string {
  const match = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i.exec(address);
  return match && (schemes.has(match[1] ?? '') || /^https?$/.test(match[1] ?? '')) ? match[0] : 'null';
}
