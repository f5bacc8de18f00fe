/** The settings of a Pod: changed in place, and shown as old and new before they are saved. */
import { Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { api, orpc } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import { ReviewForm } from '../../../ui/form/ReviewForm.tsx';
import { useReviewedForm } from '../../../ui/form/useSchemaForm.ts';
import { Section } from '../../../ui/form/Section.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { podsChanged } from '../usePodsNow.ts';
import { AccessFields, DiskFields, ImageFields } from './PodFields.tsx';
import { makesAnew, podForm, valuesOf } from './podForm.ts';
import { t } from '../../../language/text.ts';

interface SettingsTabProps {
  accountId: string;
  row: PodRow;
  lacks: readonly PodLack[];
}

/** Only changed fields are sent, so that changes of others in the meantime are not overwritten. */
export function SettingsTab({ accountId, row: { pod }, lacks }: SettingsTabProps) {
  const form = useReviewedForm(podForm, () => valuesOf(pod));
  const { values, problems, change, list } = form;
  const { data: choices } = useQuery(orpc.pods.choices.queryOptions({ input: { accountId } }));
  const isRunning = pod.desiredStatus === 'RUNNING';
  const save = useMutation({
    mutationFn: () => api.pods.update({ accountId, podId: pod.id, change }),
    onSuccess: async (after) => {
      form.settle(valuesOf(after));
      announce(t`Saved ${after.name}`);
      await podsChanged();
    },
  });
  const fields = { values, problems, choices, lacks, onChange: form.put };

  return (
    <ReviewForm form={form} name={pod.name} effect={effectText(makesAnew(list), isRunning)} save={save}>
      <div className={panel.panel}>
        <Section title={t`Safety`}>
          <Switch
            size="xs"
            label={t`Locked`}
            description={t`The Pod cannot be stopped, reset or deleted until you unlock it`}
            checked={values.locked}
            onChange={(event) => form.put({ locked: event.currentTarget.checked })}
          />
        </Section>
        <Section title={t`Source`}>
          <ImageFields {...fields} />
        </Section>
        <DiskFields {...fields} isNew={false} />
        <AccessFields {...fields} />
      </div>
    </ReviewForm>
  );
}

function effectText(isNewContainer: boolean, isRunning: boolean): string {
  if (!isNewContainer) return t`The change applies immediately. The container continues.`;
  return isRunning
    ? t`Its container is recreated: everything that runs in it stops, and everything outside its volume is lost.`
    : t`Its container is recreated at the next start: everything outside its volume is lost.`;
}
