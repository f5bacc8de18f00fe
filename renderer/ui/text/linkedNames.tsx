/** Messages of an engine name endpoints and Pods with their ids. The window leads to their pages instead. */
import type { ReactNode } from 'react';
import { RouteLink } from '../primitives/RouteLink.tsx';

const NAMED = /(endpoint|Pod) ("(?:[^"\\]|\\.)*") \(([\w-]+)\)/g;

/** The name as it was before the engine wrote it into its message. */
function nameIn(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Another program wrote the message: its name stays as it is.
    return quoted;
  }
}

/** The message, with a link for each name. `accountId`: the account of the engine. */
export function linkedNames(accountId: string, message: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of message.matchAll(NAMED)) {
    const [whole, kind, quoted = '', id = ''] = match;
    parts.push(`${message.slice(end, match.index)}${kind} `);
    parts.push(
      <RouteLink
        key={match.index}
        accountId={accountId}
        to={
          kind === 'Pod'
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
