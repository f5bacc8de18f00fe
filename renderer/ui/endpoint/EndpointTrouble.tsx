/** What is in the way of an endpoint, why, and what to do about it. */
import { Button, Group } from '@mantine/core';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { navigate } from '../../state/route.ts';
import type { EndpointTab, Route } from '../../state/routePath.ts';
import { Notice } from '../primitives/Notice.tsx';
import { useNow } from '../primitives/useNow.ts';
import { withFieldLabels } from '../text/fieldLabels.ts';
import { stateOf, type EndpointState } from '../text/endpointState.ts';
import styles from '../theme/overview.module.css';
import { FrameText } from './FrameText.tsx';
import { codeOf } from './handlerCode.ts';
import { OpenCodeButton } from './OpenCodeButton.tsx';
import { resumeEndpoint } from './endpointPause.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

const TICK_MS = 1000;

const titles: Record<Exclude<EndpointState, 'ready' | 'crash-looping'>, string> = {
  'cannot-run': t`It cannot run here.`,
  'endpoint-paused': t`The endpoint is paused.`,
  paused: t`Work on this computer is paused.`,
  pausing: t`Work on this computer pauses after the running jobs.`,
  unknown: t`Its state is unknown.`,
};

function titleOf(state: Exclude<EndpointState, 'ready'>, { readiness }: EndpointRow): string {
  if (state !== 'crash-looping') return titles[state];
  if (readiness?.trouble?.onStart !== true) return t`Its workers crash.`;
  return readiness.runtime === 'node' || readiness.runtime === 'python'
    ? t`The handler fails on start.`
    : t`Its workers fail on start.`;
}

interface Way {
  label: string;
  to: Route;
}

/** Where something can be done about it, for a person who looks at the endpoint. */
function wayOut(row: EndpointRow, state: EndpointState): Way | null {
  const tab = (name: EndpointTab): Route => ({ page: 'endpoints', endpointId: row.id, tab: name });
  if (state === 'crash-looping') return { label: t`Read the log`, to: tab('logs') };
  if (state === 'paused' || state === 'pausing') return { label: t`This computer`, to: { page: 'machine' } };
  if (state !== 'cannot-run') return null;
  if (row.readiness?.runtime === 'container') return { label: t`This computer`, to: { page: 'machine' } };
  return { label: t`Settings`, to: tab('settings') };
}

const toEnd = (element: HTMLElement | null) => element?.scrollTo(0, element.scrollHeight);

interface EndpointTroubleProps {
  accountId: string;
  row: EndpointRow;
  pause: PauseState | null;
  /** Whether it stands at a job: it then leads to the endpoint. */
  atJob?: boolean;
}

export function EndpointTrouble({ accountId, row, pause, atJob = false }: EndpointTroubleProps) {
  const now = useNow(TICK_MS);
  const { state, why: reason } = stateOf(row, pause);
  // Behind the title, the reason is a sentence of its own.
  const why = reason && withFieldLabels(reason).replace(/^e(?=xit code)/, 'E');
  if (state === 'ready') return null;
  const way: Way | null = atJob
    ? { label: t`Show the endpoint`, to: { page: 'endpoints', endpointId: row.id, tab: 'overview' } }
    : wayOut(row, state);
  const { nextTryAt, lastLines } = row.readiness?.trouble ?? { nextTryAt: null, lastLines: [] };
  const code = codeOf(accountId, row);
  const isOnStart = state === 'crash-looping' && row.readiness?.trouble?.onStart === true;
  const nextMs = state !== 'crash-looping' || nextTryAt === null ? 0 : Date.parse(nextTryAt) - now;
  return (
    <div className={styles.trouble}>
      <Notice
        tone={state === 'cannot-run' || state === 'crash-looping' ? 'bad' : 'wait'}
        title={titleOf(state, row)}
        action={
          <Group gap={6}>
            {state === 'endpoint-paused' && (
              <Button
                size="xs"
                variant="default"
                onClick={() => void resumeEndpoint(accountId, row)}
              >{t`Resume`}</Button>
            )}
            {isOnStart && code !== null && code.file !== null && (
              <OpenCodeButton code={code} trace={lastLines.join('\n')} />
            )}
            {way && (
              <Button size="xs" variant="default" onClick={() => navigate(way.to)}>
                {way.label}
              </Button>
            )}
          </Group>
        }
      >
        {joinSentences(
          why !== null && (/[.!?]$/.test(why) ? why : `${why}.`),
          nextMs > 0 && t`The next worker starts in ${Math.ceil(nextMs / 1000)} s.`,
        )}
      </Notice>
      {state === 'crash-looping' && lastLines.length > 0 && (
        <pre
          // Scrolls to the last lines, which say most about the crash.
          ref={toEnd}
          className={styles.lastLines}
          tabIndex={0}
          aria-label={t`Last output before the crash`}
          role="region"
        >
          <FrameText text={lastLines.join('\n')} code={code} />
        </pre>
      )}
    </div>
  );
}
