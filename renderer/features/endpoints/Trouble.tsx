/** What is in the way of an endpoint, why, and what to do about it. */
import { Button } from '@mantine/core';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { navigate } from '../../state/route.ts';
import type { EndpointTab, Route } from '../../state/routePath.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { stateOf, type EndpointState } from './endpointState.ts';
import styles from '../../ui/theme/overview.module.css';

const TICK_MS = 1000;

const titles: Record<Exclude<EndpointState, 'ready'>, string> = {
  'cannot-run': 'It cannot run here.',
  'crash-looping': 'Its workers die.',
  paused: 'Work on this computer is paused.',
  pausing: 'Work on this computer pauses after the running jobs.',
  'no-workers': 'It is allowed no worker.',
  unknown: 'Its state is not known.',
};

interface Way {
  label: string;
  to: Route;
}

/** Where something can be done about it. */
function wayOut(row: EndpointRow, state: EndpointState): Way | null {
  const tab = (name: EndpointTab): Route => ({ page: 'endpoints', endpointId: row.id, tab: name });
  if (state === 'crash-looping') return { label: 'Read the log', to: tab('logs') };
  if (state === 'no-workers') return { label: 'Change', to: tab('settings') };
  if (state === 'paused' || state === 'pausing') return { label: 'This computer', to: { page: 'machine' } };
  if (state !== 'cannot-run') return null;
  if (row.readiness?.runtime === 'container') return { label: 'This computer', to: { page: 'machine' } };
  return { label: 'Settings', to: tab('settings') };
}

const toEnd = (element: HTMLElement | null) => element?.scrollTo(0, element.scrollHeight);

export function Trouble({ row, pause }: { row: EndpointRow; pause: PauseState | null }) {
  const now = useNow(TICK_MS);
  const { state, why } = stateOf(row, pause);
  if (state === 'ready') return null;
  const way = wayOut(row, state);
  const { nextTryAt, lastLines } = row.readiness?.trouble ?? { nextTryAt: null, lastLines: [] };
  const nextMs = state !== 'crash-looping' || nextTryAt === null ? 0 : Date.parse(nextTryAt) - now;
  return (
    <div className={styles.trouble}>
      <Notice
        tone={state === 'cannot-run' || state === 'crash-looping' ? 'bad' : 'wait'}
        title={titles[state]}
        action={
          way && (
            <Button size="xs" variant="default" onClick={() => navigate(way.to)}>
              {way.label}
            </Button>
          )
        }
      >
        {why !== null && (/[.!?]$/.test(why) ? why : `${why}.`)}
        {nextMs > 0 && ` Another one is tried in ${Math.ceil(nextMs / 1000)} s.`}
      </Notice>
      {state === 'crash-looping' && lastLines.length > 0 && (
        <pre
          // What it said last says the most.
          ref={toEnd}
          className={styles.lastLines}
          tabIndex={0}
          aria-label="The last lines of the last one"
          role="region"
        >
          {lastLines.join('\n')}
        </pre>
      )}
    </div>
  );
}
