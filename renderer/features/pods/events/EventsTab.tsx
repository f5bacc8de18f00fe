/** What happened to a Pod, the newest first. */
import { useQuery } from '@tanstack/react-query';
import type { Pod } from '#contract/api/pod.ts';
import type { PodEvent, PodEventKind } from '#contract/local/podEvent.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { useStatePollMs } from '../../../client/changes/pushed.ts';
import { usePollMs } from '../../../client/transport/live.ts';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { withFieldLabels } from '../../../ui/text/fieldLabels.ts';
import { formatFullStamp, formatStampWhen } from '../../../ui/text/format.ts';
import panel from '../../../ui/theme/panel.module.css';
import styles from './events.module.css';
import { t } from '../../../language/text.ts';

const tones: Partial<Record<PodEventKind, 'ok' | 'wait' | 'bad'>> = {
  started: 'ok',
  ended: 'bad',
  failed: 'bad',
  warned: 'wait',
};

interface EventsTabProps {
  accountId: string;
  pod: Pod;
  /** Whether the account keeps no events, so that there are only those of this app. */
  byApp?: boolean;
}

export function EventsTab({ accountId, pod, byApp = false }: EventsTabProps) {
  const input = { accountId, podId: pod.id };
  const refetchInterval = useStatePollMs(accountId, usePollMs());
  const query = useQuery(orpc.pods.events.queryOptions({ input, refetchInterval, retry: false }));
  const label = t`Events of ${pod.name}`;
  return (
    <div className={panel.panel} tabIndex={0} role="region" aria-label={label}>
      {query.data === undefined && query.isError && (
        <LoadError
          capability="pods"
          title={t`The events could not be read`}
          problem={errorText(query.error)}
          retry={() => void query.refetch()}
        />
      )}
      {byApp && (
        <p
          className={`${panel.hint} ${styles.note}`}
        >{t`This account does not report events. These are Hangar's own.`}</p>
      )}
      {query.data?.length === 0 && (
        <Empty title={t`No events yet`}>{t`Starts, exits and stops of this Pod appear here.`}</Empty>
      )}
      {query.data && query.data.length > 0 && (
        <ol className={styles.events} aria-label={label}>
          {query.data.toReversed().map((event) => (
            <EventRow key={event.n} event={event} />
          ))}
        </ol>
      )}
    </div>
  );
}

function EventRow({ event }: { event: PodEvent }) {
  const { at, kind, text, times, lastLines } = event;
  const who = whoWords(event);
  return (
    <li data-tone={tones[kind]}>
      <time dateTime={at} title={formatFullStamp(Date.parse(at))}>
        {formatStampWhen(Date.parse(at))}
      </time>
      <div>
        <p>
          {withFieldLabels(text)}
          {times > 1 && <em>{t`${times} times so far`}</em>}
          {who !== null && <span>{who}</span>}
        </p>
        {lastLines.length > 0 && (
          <pre role="group" aria-label={t`The last lines before it`}>
            {lastLines.join('\n')}
          </pre>
        )}
      </div>
    </li>
  );
}

/** Who did it; null for what Hangar or the container did. */
function whoWords({ by, keyName }: PodEvent): string | null {
  if (by === 'engine') return null;
  if (by === 'schedule') return t`at the time that was set`;
  return keyName === null ? t`by a person` : t`with the API key ${keyName}`;
}
