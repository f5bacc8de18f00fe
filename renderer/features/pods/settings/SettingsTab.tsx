/** The settings of a Pod: changed in place, and shown as old and new before they are saved. */
import { Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AutoStopRules } from '#contract/api/autoStop.ts';
import type { Pod } from '#contract/api/pod.ts';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { api, orpc } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ReviewForm } from '../../../ui/form/ReviewForm.tsx';
import { useReviewedForm } from '../../../ui/form/useSchemaForm.ts';
import { Section } from '../../../ui/form/Section.tsx';
import { Pending } from '../../../ui/page/Pending.tsx';
import panel from '../../../ui/theme/panel.module.css';
import pieces from '../../../ui/theme/pieces.module.css';
import { AutoStopFields } from '../autoStop/AutoStopFields.tsx';
import { podsChanged } from '../../../ui/pod/podWork.ts';
import { LimitSection } from './LimitFields.tsx';
import { AccessFields, DiskFields, ImageFields } from './PodFields.tsx';
import { makesAnew, partsOf, podDrafts, podFormOn, valuesOf } from './podForm.ts';
import { useMachineParts } from './useMachineParts.ts';
import { t } from '../../../language/text.ts';

interface SettingsTabProps {
  accountId: string;
  row: PodRow;
  lacks: readonly PodLack[];
  /** Whether an engine of Hangar runs it, which stops it by itself. */
  onEngine: boolean;
}

/** Only changed fields are sent, so that changes of others in the meantime are not overwritten. */
export function SettingsTab({ accountId, row: { pod, facts, autoStop }, lacks, onEngine }: SettingsTabProps) {
  // An older engine of Hangar does not tell the limits.
  const limits = facts?.limits;
  const { size, isLoading } = useMachineParts(accountId, onEngine && limits !== undefined);
  const form = useReviewedForm(podFormOn(size), () => valuesOf(pod, autoStop?.rules, limits), {
    drafts: podDrafts,
    key: `${accountId}/${pod.id}`,
  });
  const { values, problems, change, list } = form;
  const { data: choices, isPending } = useQuery(orpc.pods.choices.queryOptions({ input: { accountId } }));
  const isRunning = pod.desiredStatus === 'RUNNING';
  const save = useMutation({
    mutationFn: async () => {
      const parts = partsOf(change);
      const at = { accountId, podId: pod.id };
      // The rules and the limits first: they change the Pod without a new container.
      const stops = parts.autoStop && (await api.pods.changeAutoStop({ ...at, change: parts.autoStop }));
      const limited = parts.limits && (await api.pods.changeLimits({ ...at, change: parts.limits }));
      const after = parts.pod && (await api.pods.update({ ...at, change: parts.pod }));
      return { after: after ?? pod, rules: (stops ?? autoStop)?.rules, now: limited ?? limits };
    },
    onSuccess: async ({ after, rules, now }) => {
      form.settle(valuesOf(after, rules, now));
      announce(t`Saved ${after.name}`);
      await podsChanged();
    },
  });
  const fields = { accountId, values, problems, choices, lacks, onChange: form.put };

  return (
    <ReviewForm form={form} name={pod.name} effect={effectText(makesAnew(list), isRunning)} save={save}>
      <div className={`${panel.panel} ${pieces.inOrder}`}>
        <Section title={t`Safety`}>
          <Switch
            size="xs"
            label={t`Locked`}
            description={t`The Pod cannot be stopped, reset or deleted until you unlock it`}
            checked={values.locked}
            onChange={(event) => form.put({ locked: event.currentTarget.checked })}
          />
        </Section>
        {autoStop && (
          <AutoStopFields
            values={values}
            problems={problems}
            onChange={form.put}
            price={priceNow(pod, autoStop.rules, onEngine)}
            byApp={!onEngine}
          />
        )}
        {(isLoading || isPending) && <Pending />}
        {size && <LimitSection values={values} problems={problems} onChange={form.put} size={size} />}
        <Section title={t`Source`}>
          <ImageFields {...fields} />
        </Section>
        <DiskFields {...fields} isNew={false} />
        <AccessFields {...fields} />
      </div>
    </ReviewForm>
  );
}

/** US dollars per hour; null if it is not known, as of a stopped Pod of an account, or if a cap is set without one. */
const priceNow = ({ costPerHr, desiredStatus }: Pod, { spendUsd }: AutoStopRules, onEngine: boolean): number | null =>
  costPerHr > 0 ? costPerHr : spendUsd !== null || (!onEngine && desiredStatus !== 'RUNNING') ? null : 0;

function effectText(isNewContainer: boolean, isRunning: boolean): string {
  if (!isNewContainer) return t`The change applies immediately. The container continues.`;
  return isRunning
    ? t`Its container is recreated: everything that runs in it stops, and everything outside its volume is lost.`
    : t`Its container is recreated at the next start: everything outside its volume is lost.`;
}
