/** Handlers that run from a folder: whether a change of their files makes new workers. */
import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, TriangleAlert } from 'lucide-react';
import type { EndpointSummary } from '#contract/bridge.ts';
import type { EndpointReadiness } from '#contract/local.ts';
import { orpc } from '../../client/orpc.ts';
import { Card } from '../../ui/Card.tsx';
import { formatAgo, formatMoment } from '../../ui/format.ts';
import { useNow } from '../../ui/useNow.ts';
import styles from './machine.module.css';

const EVERY_MS = 5000;

interface HandlersCardProps {
  accountId: string;
  endpoints: readonly EndpointSummary[] | undefined;
}

export function HandlersCard({ accountId, endpoints }: HandlersCardProps) {
  const { data } = useQuery(orpc.machine.readiness.queryOptions({ input: { accountId }, refetchInterval: EVERY_MS }));
  const now = useNow(EVERY_MS);
  const handlers = (data ?? []).flatMap(({ id, reload }) => {
    const endpoint = endpoints?.find((known) => known.id === id);
    return reload !== null && endpoint ? [{ endpoint, reload }] : [];
  });
  if (handlers.length === 0) return null;
  return (
    <Card aria-label="Handlers">
      <div className={styles.cardHead}>
        <h2>Handlers</h2>
        <span className={styles.quiet}>new workers when a file changes</span>
      </div>
      <ul className={styles.handlers}>
        {handlers.map(({ endpoint, reload }) => (
          <li key={endpoint.id}>
            <ReloadState reload={reload} />
            <b>{endpoint.name}</b>
            <code title={folderOf(endpoint)}>{folderOf(endpoint)}</code>
            <span
              className={styles.ago}
              title={reload.lastAt === null ? undefined : formatMoment(Date.parse(reload.lastAt))}
            >
              {reloadWords(reload, now)}
            </span>
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
  if (lastAt === null) return watching ? 'unchanged' : 'not watched';
  const ago = formatAgo(Date.parse(lastAt), now);
  return ago === 'now' ? 'changed just now' : `changed ${ago} ago`;
}

const folderOf = ({ imageName }: EndpointSummary): string => decodeURI((imageName ?? '').replace(/^file:\/\//, ''));
