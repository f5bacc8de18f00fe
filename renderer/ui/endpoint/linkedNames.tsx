/** Messages of an engine name endpoints and Pods with their ids. The window leads to their pages instead. */
import type { ReactNode } from 'react';
import { RouteLink } from '../primitives/RouteLink.tsx';

const NAMED = /("(?:[^"\\]|\\.)*") \(([\w-]+)\)/g;

/** The name as it was before the engine wrote it into its message. */
function nameIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Another program wrote the message: its name stays as it is.
    return quoted;
  }
}

/** Whose name follows after this text; null for anything else. The engine lists several Pods after one word. */
function kindAfter(before: string): 'endpoint' | 'pod' | null {
  if (before.endsWith('endpoint ')) return 'endpoint';
  return /\bPods? (?:"(?:[^"\\]|\\.)*" \([\w-]+\), )*$/.test(before) ? 'pod' : null;
}

/**
 * The message, with a link for each name. `accountId`: the account of the engine. `onFollow` is called when a link is
 * followed, such as to close the sheet that it is in.
 */
export function linkedNames(accountId: string, message: string, onFollow?: () => void): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of message.matchAll(NAMED)) {
    const [whole, quoted = '', id = ''] = match;
    const kind = kindAfter(message.slice(0, match.index));
    if (kind === null) continue;
    parts.push(message.slice(end, match.index));
    parts.push(
      <RouteLink
        key={match.index}
        accountId={accountId}
        onFollow={onFollow}
        to={
          kind === 'pod'
            ? { page: 'pods', podId: id, tab: 'overview' }
            : { page: 'endpoints', endpointId: id, tab: 'overview' }
        }
      >
        {nameIn(quoted)}
      </RouteLink>,
    );
    end = match.index + whole.length;
  }
  return [...parts, message.slice(end)];
}
