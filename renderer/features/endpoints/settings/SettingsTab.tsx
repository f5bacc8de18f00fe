/** The settings of an endpoint: changed in place, and shown as old and new before they are saved. */
import { useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { EndpointDetail } from '#contract/app/endpointReadModels.ts';
import { api, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { endpointsChanged } from '../useEndpointsNow.ts';
import { countText } from '../../../ui/form/Changes.tsx';
import { EnvFields } from '../../../ui/form/EnvFields.tsx';
import { ReviewDialog } from '../../../ui/form/ReviewDialog.tsx';
import { useSchemaForm } from '../../../ui/form/useSchemaForm.ts';
import { Section } from '../../../ui/form/Section.tsx';
import styles from '../../../ui/form/form.module.css';
import { CommandField, ImageFields, PlaceFields, ScaleFields } from './SettingsFields.tsx';
import { changesOf, isFolder, problemsOf, valuesOf, type Difference } from './settingsForm.ts';
import { changeText, fieldWords } from './settingsWords.ts';

const settingsForm = { problemsOf, changesOf };

interface SettingsTabProps {
  accountId: string;
  detail: EndpointDetail;
}

/** What was saved by somebody else in the meantime is not written over: only changed fields are sent. */
export function SettingsTab({ accountId, detail }: SettingsTabProps) {
  const endpointId = detail.endpoint.id;
  const [saved, setSaved] = useState(detail);
  const { values, problems, change, list, ...form } = useSchemaForm(settingsForm, () => valuesOf(detail));
  const { data: choices } = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId } }));
  const save = useMutation({
    mutationFn: () => api.endpoints.update({ accountId, endpointId, ...change }),
    onSuccess: async (after) => {
      setSaved(after);
      form.settle(valuesOf(after));
      notifications.show({ title: `Saved ${after.endpoint.name}`, message: countText(list.length) });
      queryClient.setQueryData(orpc.endpoints.get.queryKey({ input: { accountId, endpointId } }), after);
      await endpointsChanged();
    },
  });
  const fields = { values, problems, choices, isNew: false, onChange: form.put };

  return (
    <form
      className={styles.settings}
      onSubmit={(event) => {
        event.preventDefault();
        form.review();
      }}
    >
      <div className={panel.panel}>
        {saved.templateSharedWith.length > 0 && (
          <Notice tone="off" title="Its template is shared.">
            Changes of what it is made of hold for {saved.templateSharedWith.join(', ')}, too.
          </Notice>
        )}
        <Section title="What it is made of">
          <div className={styles.pair}>
            <TextInput
              label="Name"
              value={values.name}
              error={problems.get('name')}
              onChange={(event) => fields.onChange({ name: event.currentTarget.value })}
            />
            <TextInput
              label={isFolder(values) ? 'Folder, as an address' : 'Image'}
              value={values.imageName}
              error={problems.get('imageName')}
              spellCheck={false}
              onChange={(event) => fields.onChange({ imageName: event.currentTarget.value })}
            />
          </div>
          <CommandField {...fields} ofImage={!isFolder(values)} />
          {!isFolder(values) && <ImageFields {...fields} />}
        </Section>
        <Section title="Variables">
          <EnvFields rows={values.env} problem={problems.get('env')} onChange={(env) => fields.onChange({ env })} />
        </Section>
        <Section title="Where it runs">
          <PlaceFields {...fields} />
        </Section>
        <Section title="How it scales">
          <ScaleFields {...fields} />
        </Section>
      </div>
      <div className={styles.formFoot}>
        <span aria-live="polite">{problems.size > 0 ? 'Something above is not valid' : countText(list.length)}</span>
        <Button size="xs" variant="default" disabled={list.length === 0} onClick={form.discard}>
          Discard
        </Button>
        <Button size="xs" type="submit" disabled={list.length === 0 || problems.size > 0}>
          Review and save…
        </Button>
      </div>
      <ReviewDialog
        opened={form.isReviewing}
        name={saved.endpoint.name}
        list={list.map((difference) => {
          const [before, after] = changeText(difference);
          return { setting: fieldWords[difference.field] ?? difference.field, before, after };
        })}
        effect={rollText(change.template, list)}
        save={save}
        onClose={form.closeReview}
      />
    </form>
  );
}

/** Only a new template makes the workers that are there out of date. */
function rollText(template: object, list: readonly Difference[]): string {
  if (Object.keys(template).some((field) => field !== 'readme')) {
    return 'Its workers are replaced one by one: each ends the job it has, and the next one starts with the new settings.';
  }
  if (list.some(({ field }) => ['gpuTypeIds', 'gpuCount', 'networkVolumeIds'].includes(field))) {
    return 'Workers that are there go on as they are; those that start from now on have the new settings.';
  }
  return 'It holds at once; workers that are there go on.';
}
