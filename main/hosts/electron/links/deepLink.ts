/** Parses `hangar://` links strictly: every unknown part is refused with a sentence for a person. */
import type { AccountStart, HostMessage } from '#contract/app/hostMessage.ts';
import { pageFacts } from '#contract/app/pages.ts';
import { accountPresetIds } from '#contract/app/accountDraft.ts';
import { hideKeys } from '#contract/core/secretPatterns.ts';
import { limits } from '#contract/core/limits.ts';
import { menuCase, t } from '../language/text.ts';

export const linkScheme = 'hangar';
/** Longest link, in characters; systems cut longer ones at different lengths. */
const LONGEST = 2000;

export type DeepLink =
  /** `confirm`: a question for the person before the link opens; null if the link only shows something. */
  | { readonly isKnown: true; readonly message: HostMessage; readonly confirm: Confirmation | null }
  /** `problem`: why the link does not open, as a sentence. */
  | { readonly isKnown: false; readonly problem: string };

export interface Confirmation {
  readonly question: string;
  readonly detail: string;
  readonly action: string;
}

/** Name, segments and query. Paths have no escapes, and links have no `#`. */
const SHAPE = /^hangar:\/\/([a-z]+)((?:\/[A-Za-z0-9_-]{1,128}){0,2})\/?(?:\?([\x21-\x7e]*))?$/i;

const refuse = (problem: string): DeepLink => ({ isKnown: false, problem });
const show = (address: string): DeepLink => ({ isKnown: true, message: { type: 'open', address }, confirm: null });

/** Control characters and direction marks can make one name look like another. */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);

type Area = keyof AccountStart['addresses'];
const areas: readonly Area[] = ['jobs', 'management', 'graphql'];
const accountNames: ReadonlySet<string> = new Set(['preset', 'name', ...areas]);

function isAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    !url.username &&
    !url.password &&
    !url.search &&
    !url.hash &&
    isPlain(text) &&
    text.length <= limits.accounts.addressLength
  );
}

function readAccount(query: string): DeepLink {
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  if (hideKeys(query) !== query || names.some((name) => /key|token|secret|password/i.test(name))) {
    return refuse(
      t`It contains a key. Hangar refuses such links, because anyone who sees the link can use the key. Replace this key with a new one.`,
    );
  }
  const unknown = names.find((name) => !accountNames.has(name));
  if (unknown !== undefined) return refuse(t`It has a parameter that Hangar does not know.`);
  if (new Set(names).size !== names.length) return refuse(t`It has the same parameter twice.`);
  const preset = accountPresetIds.find((id) => id === (parameters.get('preset') ?? 'addresses'));
  if (preset === undefined) return refuse(t`The kind of account must be one of ${accountPresetIds.join(', ')}.`);
  const name = (parameters.get('name') ?? '').trim();
  if (!isPlain(name) || name.length > limits.accounts.nameLength) {
    return refuse(t`The name must be plain text of at most ${limits.accounts.nameLength} characters.`);
  }
  const typed = areas.flatMap((area): [Area, string][] => {
    const value = parameters.get(area);
    return value === null ? [] : [[area, value]];
  });
  // With the addresses of a link, the name of a known service could send its key elsewhere.
  if (preset === 'runpod' && typed.length > 0) return refuse(t`A link cannot change the addresses of RunPod.`);
  const wrong = typed.find(([, value]) => !isAddress(value));
  if (wrong) return refuse(t`The address for ${wrong[0]} must begin with https:// or http:// and hold no credentials.`);
  const addresses = { jobs: null, management: null, graphql: null, ...Object.fromEntries(typed) };
  return {
    isKnown: true,
    message: { type: 'new-account', start: { preset, name, addresses } },
    confirm: {
      question: t`A link wants to add an account.`,
      detail: [
        ...(name === '' ? [] : [t`Name: ${name}`]),
        ...typed.map(([area, value]) => t`Address for ${area}: ${value}`),
        t`The form opens with these values. Hangar adds nothing until you enter a key and confirm. The key is sent to these addresses, so continue only if you trust them.`,
      ].join('\n'),
      action: menuCase(t`Open the form`),
    },
  };
}

/** Accepts any text, also a hostile one, and never throws. */
export function readLink(text: string): DeepLink {
  if (text.length > LONGEST) return refuse(t`It has ${text.length} characters; a link has at most ${LONGEST}.`);
  const match = SHAPE.exec(text);
  if (!match) return refuse(t`It is not a valid Hangar link.`);
  const [, name = '', path = '', query] = match;
  const [first, second] = path.split('/').slice(1);
  const kind = name.toLowerCase();
  if (kind === 'account' && first === undefined) return readAccount(query ?? '');
  if (query !== undefined) return refuse(t`This kind of link has no parameters.`);
  if (first === undefined || second !== undefined) return refuse(t`Hangar does not know this kind of link.`);
  switch (kind) {
    case 'page':
      return Object.hasOwn(pageFacts, first) ? show(`#/${first}`) : refuse(t`Hangar has no page with this name.`);
    case 'endpoint':
      return show(`#/endpoints/${first}`);
    case 'job':
      return show(`#/jobs/${first}`);
    case 'pod':
      return show(`#/pods/${first}`);
    case 'terminal':
      return {
        isKnown: true,
        message: { type: 'open', address: `#/terminals/${first}` },
        confirm: {
          question: t`A link wants to open a terminal in a Pod.`,
          detail: [t`Pod: ${first}`, t`Hangar connects to it with your SSH key.`].join('\n'),
          action: menuCase(t`Open a terminal`),
        },
      };
    default:
      return refuse(t`Hangar does not know this kind of link.`);
  }
}

/** The links among the arguments of a start, in order. */
export const linksIn = (args: readonly string[]): string[] =>
  args.filter((argument) => argument.toLowerCase().startsWith(`${linkScheme}:`));

/** A link for a dialog: without keys and control characters, and cut to a length that fits. */
export function linkForPeople(text: string): string {
  const plain = hideKeys(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
