/** Why a Pod does not do what it should, above every tab of its inspector. */
import type { PodRow } from '#contract/bridge/pod.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import overview from '../../ui/theme/overview.module.css';
import { stateOf } from './podState.ts';
import { t } from '../../language/text.ts';

export function PodTrouble({ row }: { row: PodRow }) {
  const { state, why } = stateOf(row);
  if (state === 'running' || state === 'stopped') return null;
  const title = { preparing: t`It is being prepared.`, failing: t`Not running.`, unreported: t`It starts.` }[state];
  return (
    <div className={overview.trouble}>
      <Notice tone={state === 'failing' ? 'bad' : 'wait'} title={title}>
        {why}
      </Notice>
    </div>
  );
}
