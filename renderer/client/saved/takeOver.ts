/**
 * Earlier versions kept what a person saved in one browser. The page hands that to the app once, and removes it from
 * the browser when the app has it.
 */
import { useEffect } from 'react';
import { create } from 'zustand';
import * as z from 'zod';
import { savedLimits, type SavedDocument, type SavedKind, type SavedPlace } from '#contract/app/saved/document.ts';
import { api, errorText, useConnection } from '../transport/orpc.ts';
import { placeAt } from './savedStore.ts';

const PREFIX = 'hangar.';

type Part = Pick<SavedDocument, 'name' | 'text'>;

/** One document without a name, of a text. */
const alone = (text: string): Part[] => (text === '' ? [] : [{ name: '', text }]);

const jsonOf = <Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> =>
  schema.parse(JSON.parse(text));

const inputsSchema = z.array(z.object({ name: z.string(), body: z.string() }));
const filtersSchema = z.array(z.object({ name: z.string(), filter: z.unknown() }));
const chatsSchema = z.array(z.looseObject({ id: z.string() }));

interface Earlier {
  /** Of the browser's storage: the key itself, or with an endpoint after it as ".account/endpoint". */
  key: string;
  kind: SavedKind;
  isOfEndpoint: boolean;
  /** Throws if the text has another form: then earlier versions could not read it either. */
  read: (text: string) => Part[];
}

const earlier: readonly Earlier[] = [
  {
    key: 'saved-inputs',
    kind: 'input',
    isOfEndpoint: true,
    read: (text) => jsonOf(text, inputsSchema).map(({ name, body }) => ({ name, text: body })),
  },
  {
    key: 'jobFilters',
    kind: 'filter',
    isOfEndpoint: false,
    read: (text) => jsonOf(text, filtersSchema).map(({ name, filter }) => ({ name, text: JSON.stringify(filter) })),
  },
  { key: 'input-schema', kind: 'schema', isOfEndpoint: true, read: alone },
  {
    key: 'chats',
    kind: 'chat',
    isOfEndpoint: true,
    read: (text) => jsonOf(text, chatsSchema).map(({ id, ...rest }) => ({ name: id, text: JSON.stringify(rest) })),
  },
  { key: 'chat-options', kind: 'chat-options', isOfEndpoint: true, read: alone },
];

interface Found extends SavedPlace {
  /** Of the browser's storage. */
  key: string;
  documents: Part[];
}

function readDocuments({ read }: Earlier, text: string): Part[] | null {
  try {
    return read(text).map(({ name, text }) => ({ name: name.slice(0, savedLimits.nameLength), text }));
  } catch {
    // Not readable for any version: it stays where it is.
    return null;
  }
}

/** What this browser still keeps; nothing if it has disabled its storage. */
function findEarlier(): Found[] {
  try {
    return Object.keys(localStorage).flatMap((key) =>
      earlier.flatMap((one): Found[] => {
        const start = `${PREFIX}${one.key}`;
        if (one.isOfEndpoint ? !key.startsWith(`${start}.`) : key !== start) return [];
        const place = placeAt(one.kind, key.slice(start.length + 1));
        const documents = readDocuments(one, localStorage.getItem(key) ?? '');
        return documents === null ? [] : [{ key, ...place, documents }];
      }),
    );
  } catch {
    // The browser has disabled its storage: there is nothing to take over.
    return [];
  }
}

interface TakeOver {
  /** Why some of it is still in this browser, for a person; null if nothing is, or if it is being taken over. */
  problem: string | null;
  isRunning: boolean;
}

export const useTakeOver = create<TakeOver>(() => ({ problem: null, isRunning: false }));

/** Hands all that is left to the app. Never rejects: `useTakeOver` says what failed. */
export async function takeOver(): Promise<void> {
  if (useTakeOver.getState().isRunning) return;
  useTakeOver.setState({ isRunning: true });
  let problem: string | null = null;
  for (const { key, documents, ...place } of findEarlier()) {
    try {
      if (documents.length > 0) await api.saved.adopt({ ...place, documents });
      localStorage.removeItem(key);
    } catch (error) {
      problem ??= errorText(error);
    }
  }
  useTakeOver.setState({ isRunning: false, problem });
}

/** Takes over what is left whenever the app can be reached again. */
export function useTakeOverFeed(): void {
  const generation = useConnection((status) => (status.state === 'open' ? status.generation : null));
  useEffect(() => {
    if (generation !== null) void takeOver();
  }, [generation]);
}

/** The feed as a part of the page that is loaded after it. */
export default function TakeOverFeed(): null {
  useTakeOverFeed();
  return null;
}
