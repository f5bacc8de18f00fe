/** Handlers that run from a folder: whether a change of their files restarts the workers. */
import { ActionIcon } from '@mantine/core';
import { Eye, EyeOff, ScrollText, TriangleAlert } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import { navigate } from '../../../state/route.ts';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { formatAgo, formatMoment } from '../../../ui/text/format.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import page from '../machine.module.css';
import styles from './runtimes.module.css';
import { t } from '../../../language/text.ts';

const TICK_MS = 5000;

/** Undefined until they are loaded. */
export function HandlersCard({ endpoints }: { endpoints: readonly EndpointRow[] | undefined }) {
  const now = useNow(TICK_MS);
  const handlers = (endpoints ?? []).flatMap((endpoint) => {
    const reload = endpoint.readiness?.reload ?? null;
    return reload === null ? [] : [{ endpoint, reload }];
  });
  if (handlers.length === 0) return null;
  return (
    <Card aria-label={t`Handlers`}>
      <CardHead title={t`Handlers`}>
        <span className={page.quiet}>{t`workers restart when a file changes`}</span>
      </CardHead>
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
                  ? t`Its files are watched once it has a worker`
                  : formatMoment(Date.parse(reload.lastAt))
              }
            >
              {reloadWords(reload, now)}
            </span>
            <ActionIcon
              size={22}
              aria-label={t`Log of ${endpoint.name}`}
              title={t`Open the log`}
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
  if (reload.problem !== null) return <TriangleAlert size={13} aria-label={t`Problem`} className={styles.missing} />;
  if (reload.watching) return <Eye size={13} aria-label={t`Watching`} className={styles.there} />;
  return <EyeOff size={13} aria-label={t`Not watching`} className={styles.aside} />;
}

function reloadWords({ watching, lastAt }: Reload, now: number): string {
  if (lastAt === null) return watching ? t`watched, unchanged` : t`not in use yet`;
  return t`changed ${formatAgo(Date.parse(lastAt), now)}`;
}

const folderOf = ({ imageName }: EndpointRow): string => decodeURI((imageName ?? '').replace(/^file:\/\//, ''));
