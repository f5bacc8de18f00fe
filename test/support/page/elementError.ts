/** The failure of a query for an element: what was looked for, and a short excerpt of what the page shows instead. */

/** Characters of the page's text, and of the names of its elements. */
const EXCERPT_CHARACTERS = 600;

const short = (text: string): string =>
  text.length > EXCERPT_CHARACTERS ? `${text.slice(0, EXCERPT_CHARACTERS)}…` : text;

/** The texts of a part of the page, in their order. */
function textsOf(container: Element): string {
  const texts: string[] = [];
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = (walker.currentNode.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
    const holder = walker.currentNode.parentElement?.tagName;
    if (text !== '' && holder !== 'STYLE' && holder !== 'SCRIPT') texts.push(text);
  }
  return texts.join(' | ');
}

/**
 * Testing Library lists each role with each of its elements as a piece of HTML; here stands a role before the names of
 * its elements. `listing`: what follows `Here are the … roles:` in its message.
 */
function namesByRole(listing: string): string {
  const roles: string[] = [];
  for (const line of listing.split('\n')) {
    const role = /^\s*(\w+):\s*$/.exec(line)?.[1];
    const name = /^\s*Name "(.*)":\s*$/.exec(line)?.[1];
    if (role !== undefined) roles.push(role);
    else if (name !== undefined && name !== '') roles.push(`${roles.pop() ?? ''} "${name}"`);
  }
  return roles.join(', ');
}

/** Lines of the message of Testing Library, which can list every element that was found. */
const MESSAGE_LINES = 8;

/** As Testing Library calls it: with a message, or without one for each of the elements that it lists in a message. */
export function elementError(message: string | null, container: Element): Error {
  const shown = short(textsOf(container)) || 'no text';
  const [missing = '', listing] = (message ?? '').split(/\n+\s*Here are the \w+ roles:\s*\n/);
  const whole = missing.split('\n').filter((line) => line.trim() !== '');
  const lines = whole.slice(0, MESSAGE_LINES);
  if (whole.length > lines.length) lines.push('…');
  if (listing !== undefined) lines.push(`Roles: ${short(namesByRole(listing))}`);
  const text =
    message === null
      ? `${container.tagName.toLowerCase()}: ${shown}`
      : [...lines, `The page shows: ${shown}`].join('\n');
  return Object.assign(new Error(text), { name: 'TestingLibraryElementError' });
}
