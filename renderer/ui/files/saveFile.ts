/** Saves bytes as a file of the person: the browser asks where, or uses the folder of its downloads. */

/** Characters that a file system refuses, or that mean something to it. */
const REFUSED = /[\\/:*?"<>|\u0000-\u001f]+/g;
/** The bytes of so many files stay, because a browser may take them only after the call. */
const MOST_ADDRESSES = 32;

const addresses: string[] = [];

/** `name`: with its extension. */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  addresses.push(address);
  const oldest = addresses.length > MOST_ADDRESSES ? addresses.shift() : undefined;
  if (oldest !== undefined) URL.revokeObjectURL(oldest);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(REFUSED, '-');
  link.click();
}
