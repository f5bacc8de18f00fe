/**
 * Why a Pod does not do what it should, or did not until now: in every tab of its inspector. It comes and goes by itself,
 * and so it stands below the row of tabs, which must not move under the pointer.
 */
import { Button } from '@mantine/core';
import type { PodRow } from '#contract/bridge/pod.ts';
import { navigate } from '../../state/route.ts';
import { linkedNames } from '../../ui/endpoint/linkedNames.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import overview from '../../ui/theme/overview.module.css';
import { changePod } from '../../ui/pod/podWork.ts';
import { stopWords } from './autoStop/autoStopWords.ts';
import { restartWords } from './podState.ts';
import { formatWhen } from '../../ui/text/format.ts';
import { stateOf, type PodState, type ShownPod } from '../../ui/text/podWords.ts';
import { t } from '../../language/text.ts';

/** The words of an automatic stop count minutes. */
const MINUTES_SHOWN_MS = 10_000;

const titles: Partial<Record<PodState, string>> = {
  preparing: t`It is being prepared.`,
  restarting: t`It is being restarted.`,
  looping: t`Crash loop.`,
  failing: t`Not running.`,
  unreported: t`It starts.`,
};

const starting: ReadonlySet<PodState> = new Set(['preparing', 'unreported']);

interface PodTroubleProps {
  accountId: string;
  row: ShownPod;
}

export function PodTrouble({ accountId, row }: PodTroubleProps) {
  const now = useNow((row.autoStop?.next ?? null) === null ? null : MINUTES_SHOWN_MS);
  const stop = stopWords(row, now);
  return (
    <>
      {stop !== null && (
        <div className={overview.trouble}>
          <Notice tone={row.pod.desiredStatus === 'RUNNING' ? 'wait' : 'off'} title={`${stop.short}.`}>
            {stop.long}
          </Notice>
        </div>
      )}
      <StateTrouble accountId={accountId} row={row} />
    </>
  );
}

function StateTrouble({ accountId, row }: PodTroubleProps) {
  const { state, why } = stateOf(row);
  const restarts = restartWords(row);
  const title = state === 'running' && restarts !== null ? t`Running, ${restarts.short}.` : titles[state];
  // The chip says what was begun here.
  if (title === undefined || (row.work ?? null) !== null) return null;
  const isBad = state === 'failing' || state === 'looping';
  const nextTryAt = row.facts?.nextTryAt ?? null;
  const isWaiting = nextTryAt !== null;
  const lastLines = state === 'looping' || state === 'restarting' ? (row.facts?.restarts?.lastLines ?? []) : [];
  return (
    <div className={overview.trouble}>
      <Notice
        // A start is no warning.
        tone={isBad ? 'bad' : starting.has(state) ? 'off' : 'wait'}
        title={title}
        // Its image, command and credentials are there.
        action={
          isBad && (
            <>
              {/* Without a container there is nothing that a start could disturb, so it stays while Hangar tries again. */}
              {(isWaiting || state === 'failing') && <TryAgainButton accountId={accountId} pod={row.pod} />}
              <SettingsButton podId={row.pod.id} />
            </>
          )
        }
      >
        {linkedNames(accountId, restarts?.long ?? why ?? '')}
        {/* The words about a crash loop have the time already. */}
        {state === 'failing' && isWaiting && ` ${t`Hangar tries again at ${formatWhen(Date.parse(nextTryAt))}.`}`}
      </Notice>
      {lastLines.length > 0 && (
        <pre
          className={overview.lastLines}
          tabIndex={0}
          role="region"
          aria-label={t`The last lines of ${row.pod.name}`}
        >
          {lastLines.join('\n')}
        </pre>
      )}
    </div>
  );
}

function TryAgainButton({ accountId, pod }: { accountId: string; pod: PodRow['pod'] }) {
  const start = () => void changePod(accountId, pod, 'start');
  return <Button size="xs" variant="default" onClick={start}>{t`Try again now`}</Button>;
}

function SettingsButton({ podId }: { podId: string }) {
  const show = () => navigate({ page: 'pods', podId, tab: 'settings' });
  return <Button size="xs" variant="default" onClick={show}>{t`Settings`}</Button>;
}
