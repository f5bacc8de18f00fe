/** The settings of an endpoint: changed in place, and shown as old and new before they are saved. */
import { useState } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { EndpointDetail } from '#contract/app/endpointReadModels.ts';
import { api, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import pieces from '../../../ui/theme/pieces.module.css';
import { endpointsChanged } from '../../../ui/endpoint/endpointsChanged.ts';
import { countText } from '../../../ui/form/Changes.tsx';
import type { FieldChange } from '../../../ui/form/fieldChanges.ts';
import { ReviewForm } from '../../../ui/form/ReviewForm.tsx';
import { useReviewedForm } from '../../../ui/form/useSchemaForm.ts';
import { SettingsSections } from './SettingsSections.tsx';
import { settingsDrafts, settingsForm, valuesOf } from './settingsForm.ts';
import { t } from '../../../language/text.ts';

interface SettingsTabProps {
  accountId: string;
  detail: EndpointDetail;
}

/** What was saved by somebody else in the meantime is not written over: only changed fields are sent. */
export function SettingsTab({ accountId, detail }: SettingsTabProps) {
  const endpointId = detail.endpoint.id;
  const [saved, setSaved] = useState(detail);
  const form = useReviewedForm(settingsForm, () => valuesOf(detail), {
    drafts: settingsDrafts,
    key: `${accountId}/${endpointId}`,
  });
  const { values, problems, change, list } = form;
  const { data: choices, isPending } = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId } }));
  const save = useMutation({
    mutationFn: () => api.endpoints.update({ accountId, endpointId, ...change }),
    onSuccess: async (after) => {
      setSaved(after);
      form.settle(valuesOf(after));
      notifications.show({ title: t`Saved ${after.endpoint.name}`, message: countText(list.length) });
      queryClient.setQueryData(orpc.endpoints.get.queryKey({ input: { accountId, endpointId } }), after);
      await endpointsChanged();
    },
  });
  const fields = { values, problems, choices, isNew: false, onChange: form.put };

  return (
    <ReviewForm form={form} name={saved.endpoint.name} effect={rollText(change.template, list)} save={save}>
      <div className={`${panel.panel} ${pieces.inOrder}`}>
        {saved.templateSharedWith.length > 0 && (
          <Notice
            tone="off"
            title={t`Its template is shared.`}
          >{t`Changes to the template also apply to ${saved.templateSharedWith.join(', ')}.`}</Notice>
        )}
        <SettingsSections {...fields} accountId={accountId} isBusy={isPending} />
      </div>
    </ReviewForm>
  );
}

/** Only a new template makes the workers that are there out of date. */
function rollText(template: object, list: readonly FieldChange[]): string {
  if (Object.keys(template).some((field) => field !== 'readme')) {
    return t`Workers are replaced one by one. Each finishes its job first.`;
  }
  if (list.some(({ field }) => ['gpuTypeIds', 'gpuCount', 'networkVolumeIds'].includes(field))) {
    return t`Existing workers keep their settings. New workers get the new ones.`;
  }
  return t`The change applies immediately. Workers continue.`;
}
