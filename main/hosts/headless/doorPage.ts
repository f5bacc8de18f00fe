/**
 * The small pages beside the interface: for an unpaired browser, and for a new API key, which the interface never gets.
 */
import { createHash } from 'node:crypto';
import type { ShownSecret } from './shownKeys.ts';

export type DoorReason = 'not-paired' | 'link-used';

const words: Record<DoorReason, { title: string; text: string }> = {
  'not-paired': {
    title: 'This browser is not paired with Hangar yet',
    text: 'Hangar opens only in browsers that have used its sign-in link.',
  },
  'link-used': {
    title: 'This sign-in link does not work any more',
    text: 'A link pairs one browser, once. This link was used before, or a newer link has replaced it.',
  },
};

/**
 * Copies the secret: a key at once, where the browser lets a page do so without a click, and when the page gets the focus.
 * At once is when the new tab shows it: Chromium on a busy computer loses what a page copies before that, though it says
 * that it is copied, and answers no later question of that page about the clipboard.
 * A page that came over plain http from another computer has no `navigator.clipboard`: there, a click copies the
 * selection. Where the browser refuses that, too, the secret is selected at least.
 */
const COPY = `const [button] = document.getElementsByTagName('button');
const [key] = document.getElementsByClassName('key');
const [state] = document.getElementsByClassName('state');
const tellCopied = () => {
  state.textContent = 'Copied. Paste it where it is needed, then close this tab.';
  button.textContent = 'Copy again';
};
const copy = async () => {
  await navigator.clipboard.writeText(key.textContent);
  tellCopied();
};
const copySelection = () => {
  getSelection().selectAllChildren(key);
  if (document.execCommand('copy')) tellCopied();
};
button.addEventListener('click', () => copy().catch(copySelection));
const copyAtOnce = () => copy().catch(() => undefined);
if (button.dataset.copies === 'at-once') {
  // The first frame is prepared when the first callback runs, and shown before the second one does.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    copyAtOnce();
    addEventListener('focus', copyAtOnce, { once: true });
  }));
}`;

/** What a content policy names to allow the script of the page of a new key, and no other. */
export const copyScriptHash = `'sha256-${createHash('sha256').update(COPY).digest('base64')}'`;

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** The file of the window's font for Latin letters, among the built assets. */
export const WINDOW_FONT = /^inter-latin-wght-normal-[\w-]+\.woff2$/;

/** A complete document. `font`: the address of the window's font, the only file that it loads; null to load nothing. */
function document(title: string, inside: string, font: string | null = null): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hangar · ${title}</title>
<style>
${font === null ? '' : `  @font-face { font-family: 'Inter Variable'; font-weight: 100 900; src: url('${font}') format('woff2'); }\n`}  :root { color-scheme: light dark; --ink: #1b1b21; --soft: #55555f; --ground: #f7f7f8; --card: #fff; --line: #e4e4e8; --mark: #3b5bdb; }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #ececf1; --soft: #a9a9b6; --ground: #101014; --card: #17171c; --line: #27272f; --mark: #8ea2ff; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px; background: var(--ground);
    color: var(--ink); font: 14px/1.5 ${font === null ? '' : "'Inter Variable', "}${FONT}; }
  main { width: 100%; max-width: 30rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 32px; }
  .name { margin: 0 0 20px; color: var(--mark); font-weight: 650; letter-spacing: .01em; }
  h1 { margin: 0 0 8px; font-size: 1.3rem; line-height: 1.3; text-wrap: balance; }
  p { margin: 0; color: var(--soft); }
  h2 { margin: 24px 0 8px; font-size: 1rem; }
  ol { margin: 0; padding-left: 1.25rem; }
  li { margin: 6px 0; }
  kbd { font: 0.85em ui-monospace, "SF Mono", Menlo, Consolas, monospace; padding: 2px 7px; border: 1px solid var(--line);
    border-bottom-width: 2px; border-radius: 5px; }
  .key { display: block; margin: 16px 0; padding: 12px; border: 1px solid var(--line); border-radius: 8px; color: var(--ink);
    font: 0.95rem ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; -webkit-user-select: all;
    user-select: all; }
  .code { width: min(100%, 240px); margin: 0 0 16px; border-radius: 8px; overflow: hidden; }
  .code svg { display: block; width: 100%; height: auto; }
  .state { margin: 0 0 12px; }
  button { margin: 0 0 16px; padding: 8px 18px; border: 0; border-radius: 8px; background: var(--mark); color: var(--card);
    font: inherit; font-weight: 600; cursor: pointer; }
  button:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
</style>
</head>
<body>
<main>
  <p class="name">Hangar</p>
  <h1>${title}</h1>
${inside}
</main>
</body>
</html>
`;
}

export function doorPage(reason: DoorReason): string {
  const { title, text } = words[reason];
  return document(
    title,
    `  <p>${text}</p>
  <h2>How to pair it</h2>
  <ol>
    <li>Go to the terminal that runs Hangar and press <kbd>Enter</kbd>. It prints a new link; where it runs without a terminal, start it again.</li>
    <li>Open that link in this browser.</li>
  </ol>`,
  );
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const KEY_TEXT = 'Only this tab shows it, and only once: the window of Hangar never gets a key.';
const PAIRING_TEXT =
  'In Hangar on the other computer, open Accounts, “Add an account”, and paste it into Address, or choose “Scan a code…” beside it. It works once, for ten minutes.';
const BROWSER_TEXT =
  'Open it in the other browser, or scan the code with the camera of a phone. It works once, for ten minutes. Whoever opens it has full control of this Hangar: its jobs, keys and files, and a shell.';

const shownTexts: Record<ShownSecret['kind'], { title: (name: string) => string; text: string }> = {
  key: { title: (name) => `The new API key “${name}”`, text: KEY_TEXT },
  pairing: { title: () => 'The pairing link', text: PAIRING_TEXT },
  browser: { title: (name) => `The link to this Hangar on ${name}`, text: BROWSER_TEXT },
};

interface KeyPageParts {
  /** A link as a QR code in SVG, or ''. */
  picture: string;
  /** The address of the window's font; null without it. */
  font: string | null;
}

/** `shown`: null if the link was already used or has expired. */
export function keyPage(shown: ShownSecret | null, { picture, font }: KeyPageParts): string {
  return shown === null
    ? document(
        'This was shown before',
        '  <p>A new key or link is shown once, for a few minutes. If you did not copy it, create another one in the settings.</p>',
        font,
      )
    : document(
        shownTexts[shown.kind].title(escaped(shown.name)),
        `  <p>${shownTexts[shown.kind].text}</p>
  <p><code class="key" tabindex="0">${escaped(shown.secret)}</code></p>
  <p class="state" role="status">Copy it now. Then close this tab.</p>
  <button type="button"${shown.kind === 'key' ? ' data-copies="at-once"' : ''}>Copy</button>
${picture === '' ? '' : `  <div class="code" role="img" aria-label="The link as a QR code">${picture}</div>\n`}  <script>${COPY}</script>`,
        font,
      );
}
