/** The settings of a Pod: changed in place, and shown as old and new before they are saved. */
import { Button, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { api, orpc } from '../../../client/transport/orpc.ts';
import { announce } from '../../../ui/primitives/announce.tsx';
import styles from '../../../ui/form/form.module.css';
import { countText } from '../../../ui/form/Changes.tsx';
import { joinCommand } from '../../../ui/form/commandText.ts';
import { envChange } from '../../../ui/form/envChange.ts';
import { ReviewDialog } from '../../../ui/form/ReviewDialog.tsx';
import { useSchemaForm } from '../../../ui/form/useSchemaForm.ts';
import { Section } from '../../../ui/form/Section.tsx';
import panel from '../../../ui/theme/panel.module.css';
import { podsChanged } from '../usePodsNow.ts';
import { AccessFields, DiskFields, ImageFields } from './PodFields.tsx';
import { changesOf, makesAnew, problemsOf, valuesOf, type Difference } from './podForm.ts';

const words: Record<Difference['field'], string> = {
  name: 'Name',
  locked: 'Locked',
  imageName: 'Image',
  env: 'Variables',
  ports: 'Ports',
  dockerEntrypoint: 'Entrypoint',
  dockerStartCmd: 'Command',
  containerDiskInGb: 'Container disk',
  volumeInGb: 'Volume',
  volumeMountPath: 'Volume at',
  containerRegistryAuthId: 'Registry credentials',
};

function valueText(field: Difference['field'], value: unknown): string {
  if (field === 'dockerEntrypoint' || field === 'dockerStartCmd')
    return joinCommand(value as string[]) || 'as built in';
  if (field === 'locked') return value === true ? 'yes' : 'no';
  if (field === 'containerDiskInGb' || field === 'volumeInGb') return `${String(value)} GB`;
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return value === '' ? 'none' : String(value);
}

function changeText({ field, before, after }: Difference) {
  const env = field === 'env' && envChange(before as Record<string, string>, after as Record<string, string>);
  const [was, is] = env || [valueText(field, before), valueText(field, after)];
  return { setting: words[field], before: was, after: is };
}

const podForm = { problemsOf, changesOf };

interface SettingsTabProps {
  accountId: string;
  row: PodRow;
  lacks: readonly PodLack[];
}

/** What was saved by somebody else in the meantime is not written over: only changed fields are sent. */
export function SettingsTab({ accountId, row: { pod }, lacks }: SettingsTabProps) {
  const { values, problems, change, list, ...form } = useSchemaForm(podForm, () => valuesOf(pod));
  const { data: choices } = useQuery(orpc.pods.choices.queryOptions({ input: { accountId } }));
  const runs = pod.desiredStatus === 'RUNNING';
  const save = useMutation({
    mutationFn: () => api.pods.update({ accountId, podId: pod.id, change }),
    onSuccess: async (after) => {
      form.settle(valuesOf(after));
      announce(`Saved ${after.name}`);
      await podsChanged();
    },
  });
  const onChange = form.put;
  const fields = { values, onChange, problems, choices, lacks };

  return (
    <form
      className={styles.settings}
      onSubmit={(event) => {
        event.preventDefault();
        form.review();
      }}
    >
      <div className={panel.panel}>
        <Section title="Safety">
          <Switch
            size="xs"
            label="Locked"
            description="It is not stopped, reset or deleted until it is unlocked"
            checked={values.locked}
            onChange={(event) => onChange({ locked: event.currentTarget.checked })}
          />
        </Section>
        <Section title="What it is made of">
          <ImageFields {...fields} />
        </Section>
        <DiskFields {...fields} isNew={false} />
        <AccessFields {...fields} />
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
        name={pod.name}
        list={list.map(changeText)}
        effect={
          !makesAnew(list)
            ? 'It holds at once; its container goes on.'
            : runs
              ? 'Its container is made anew: what runs in it ends, and everything outside its volume is lost.'
              : 'Its container is made anew when it is started: everything outside its volume is lost.'
        }
        save={save}
        onClose={form.closeReview}
      />
    </form>
  );
}
