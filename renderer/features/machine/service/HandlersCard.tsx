/** Handlers that run from a folder: whether a change of their files makes new workers. */
import { ActionIcon } from '@mantine/core';
import { Eye, EyeOff, ScrollText, TriangleAlert } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import { navigate } from '../../../state/route.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import page from '../machine.module.css';
import styles from './runtimes.module.css';

const TICK_MS = 5000;

/** Undefined until they are read. */
export function HandlersCard({ endpoints }: { endpoints: readonly EndpointRow[] | undefined }) {
  const now = useNow(TICK_MS);
  const handlers = (endpoints ?? []).flatMap((endpoint) => {
    const reload = endpoint.readiness?.reload ?? null;
    return reload === null ? [] : [{ endpoint, reload }];
  });
  if (handlers.length === 0) return null;
  return (
    <Card aria-label="Handlers">
      <div className={page.cardHead}>
        <h2>Handlers</h2>
        <span className={page.quiet}>new workers when a file changes</span>
      </div>
      <ul className={styles.handlers}>
        {handlers.map(({ endpoint, reload }) => (
          <li key={endpoint.id}>
            <ReloadState reload={reload} />
            <b title={endpoint.name}>{endpoint.name}</b>
            <code title={folderOf(endpoint)}>{folderOf(endpoint)}</code>
            <span
              className={page.ago}
              title={
                reload.lastAt === null
                  ? 'Its files are watched from its first worker on'
                  : formatMoment(Date.parse(reload.lastAt))
              }
            >
              {reloadWords(reload, now)}
            </span>
            <ActionIcon
              size={22}
              aria-label={`Log of ${endpoint.name}`}
              title="Its log"
              onClick={() => navigate({ page: 'endpoints', endpointId: endpoint.id, tab: 'logs' })}
            >
              <ScrollText size={13} aria-hidden />
            </ActionIcon>
            {reload.problem !== null && <p>{reload.problem}</p>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Reload = NonNullable<EndpointReadiness['reload']>;

function ReloadState({ reload }: { reload: Reload }) {
  if (reload.problem !== null) return <TriangleAlert size={13} aria-label="Problem" className={styles.missing} />;
  if (reload.watching) return <Eye size={13} aria-label="Watching" className={styles.there} />;
  return <EyeOff size={13} aria-label="Not watching" className={styles.aside} />;
}

function reloadWords({ watching, lastAt }: Reload, now: number): string {
  if (lastAt === null) return watching ? 'watched, unchanged' : 'not in use yet';
  const ago = formatAgo(Date.parse(lastAt), now);
  return ago === 'now' ? 'changed just now' : `changed ${ago} ago`;
}

const folderOf = ({ imageName }: EndpointRow): string => decodeURI((imageName ?? '').replace(/^file:\/\//, ''));
