/** Stands where Pods would be, on a machine without a container engine. */
import { CheckAgain, NoContainers } from '../../ui/images/NoContainers.tsx';
import { Notice } from '../../ui/primitives/Notice.tsx';
import { podsChanged } from '../../ui/pod/podWork.ts';
import { t } from '../../language/text.ts';

/** How to get a container engine where none answers. `problem`: what is missing, as the engine says it. */
export function NoPods({ problem, hasPods }: { problem: string; hasPods: boolean }) {
  if (hasPods) {
    return (
      <Notice tone="wait" title={t`Pods need a container engine.`} action={<CheckAgain check={podsChanged} />}>
        {problem}
      </Notice>
    );
  }
  return <NoContainers title={t`Pods need a container engine`} problem={problem} check={podsChanged} />;
}
