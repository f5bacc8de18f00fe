/** The form for a copy of an endpoint: its settings, with a name that is free. */
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { EndpointChoices, EndpointDetail } from '#contract/app/endpointReadModels.ts';
import { useTarget } from '../../../client/accounts.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { closeNewEndpoint } from '../../../state/overlays.ts';
import { CreateForm } from '../../../ui/form/CreateForm.tsx';
import { useSchemaForm } from '../../../ui/form/useSchemaForm.ts';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../../../ui/theme/inspector.module.css';
import panel from '../../../ui/theme/panel.module.css';
import { SettingsSections } from './SettingsSections.tsx';
import { chargeNote } from './chargeNote.ts';
import { copyOf, isFolder, problemsOf, toCopy, type SettingsValues } from './settingsForm.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

interface DuplicateFormProps {
  accountId: string;
  /** The endpoint that is copied. */
  endpointId: string;
  onMade: (endpointId: string, name: string) => Promise<void>;
}

export function DuplicateForm({ accountId, endpointId, onMade }: DuplicateFormProps) {
  const fresh = { staleTime: 0, retry: false };
  const detail = useQuery(orpc.endpoints.get.queryOptions({ input: { accountId, endpointId }, ...fresh }));
  const choices = useQuery(orpc.endpoints.choices.queryOptions({ input: { accountId }, ...fresh }));
  const problem = detail.error ?? choices.error;
  if (problem) {
    const retry = () => void Promise.all([detail.refetch(), choices.refetch()]);
    return (
      <Empty
        tone="bad"
        title={t`The settings of the endpoint could not be read`}
        action={<Button onClick={retry}>{t`Try again`}</Button>}
      >
        {errorText(problem)}
      </Empty>
    );
  }
  // What was read earlier may be out of date, such as the names that are taken.
  const isRead = detail.isFetchedAfterMount && choices.isFetchedAfterMount;
  if (!isRead || !detail.data || !choices.data)
    return <div className={styles.panelSkeleton} aria-busy="true" role="group" aria-label={t`Loading`} />;
  return <Copy accountId={accountId} like={detail.data} choices={choices.data} onMade={onMade} />;
}

/** What the copy has in common with the endpoint, and what it does not get. */
const copyWords = (values: SettingsValues): string =>
  joinSentences(
    isFolder(values)
      ? t`It has the same settings and variables, and the same folder: a change of a file there reaches both, as does its Python environment.`
      : t`It has the same settings, variables and image.`,
    t`It gets an address of its own, so API keys for single endpoints do not open it. Jobs, metrics and saved inputs are not copied.`,
  );

interface CopyProps extends Pick<DuplicateFormProps, 'accountId' | 'onMade'> {
  like: EndpointDetail;
  choices: EndpointChoices;
}

function Copy({ accountId, like, choices, onMade }: CopyProps) {
  const { name: target, spends } = useTarget();
  const form = useSchemaForm<SettingsValues>({ problemsOf }, () => copyOf(like, choices.names));
  const { values, problems } = form;
  const make = useMutation({
    mutationFn: () => api.endpoints.create({ accountId, ...toCopy(like, values) }),
    onSuccess: ({ endpointId }) => onMade(endpointId, values.name.trim()),
  });
  return (
    <CreateForm
      onSubmit={form.submit(() => make.mutate())}
      onCancel={closeNewEndpoint}
      action={t`Create on ${target}`}
      isPending={make.isPending}
      failure={make.isError ? { title: t`Not created. Nothing was changed.`, text: errorText(make.error) } : null}
      note={chargeNote(target, spends)}
    >
      <Notice tone="off" title={t`A copy of ${like.endpoint.name}.`}>
        {copyWords(values)}
      </Notice>
      <div className={panel.panel}>
        <SettingsSections
          accountId={accountId}
          values={values}
          problems={problems}
          choices={choices}
          isNew
          isBusy={false}
          onChange={form.put}
        />
      </div>
    </CreateForm>
  );
}
