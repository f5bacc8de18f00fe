/** Asks before an endpoint is deleted, with all that goes with it; its name must be typed. */
import { useState } from 'react';
import { Checkbox } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { workersWord } from './jobsWord.ts';
import { endpointsChanged } from '../../ui/endpoint/endpointsChanged.ts';
import { ReasonField } from '../../ui/popover/ReasonField.tsx';
import { counted, t } from '../../language/text.ts';

interface RemoveDialogProps {
  accountId: string;
  row: EndpointRow;
  /** Other endpoints of the same template; undefined until it is known. */
  sharedWith: string[] | undefined;
  opened: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

export function RemoveDialog({ accountId, row, sharedWith, opened, onClose, onRemoved }: RemoveDialogProps) {
  const [withTemplate, setWithTemplate] = useState(true);
  const isShared = sharedWith === undefined || sharedWith.length > 0;
  const remove = useMutation({
    mutationFn: () => api.endpoints.remove({ accountId, endpointId: row.id, withTemplate: withTemplate && !isShared }),
    onSuccess: async ({ templateKept }) => {
      onRemoved();
      notifications.show({
        title: t`Deleted ${row.name}`,
        message:
          templateKept === null
            ? t`The endpoint is deleted, and its workers are stopped.`
            : t`Its template is still there. ${templateKept}`,
      });
      await endpointsChanged();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  const jobs = row.health?.jobs;
  const workers = row.health?.workers;
  const there = workers ? workers.idle + workers.running + workers.initializing + workers.unhealthy : 0;
  const depends = [
    jobs &&
      jobs.inQueue > 0 &&
      counted(jobs.inQueue, '{0} job that waits', '{0} jobs that wait', formatCount(jobs.inQueue)),
    jobs &&
      jobs.inProgress > 0 &&
      counted(jobs.inProgress, '{0} job that runs', '{0} jobs that run', formatCount(jobs.inProgress)),
    there > 0 && t`${workersWord(there)}, stopped immediately`,
    t`results that nobody has fetched yet`,
  ].filter((line) => line !== false && line !== undefined);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t`Delete the endpoint ${row.name}?`}
      action={t`Delete the endpoint`}
      typed={row.name}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => remove.mutate()}
    >
      <p>{t`This also deletes:`}</p>
      <ul>
        {depends.map((line) => (
          <li key={line}>
            <b>{line}</b>
          </li>
        ))}
      </ul>
      <p>{t`The jobs that you sent stay in the list of jobs. Its folder or image is kept. This cannot be undone.`}</p>
      {sharedWith !== undefined && sharedWith.length > 0 ? (
        <p>{t`Its template stays: ${sharedWith.join(', ')} ${counted(sharedWith.length, 'uses it, too.', 'use it, too.')}`}</p>
      ) : (
        <ReasonField whyNot={sharedWith === undefined ? t`Checking what uses its template.` : null}>
          <Checkbox
            label={t`Also delete its template, which nothing else uses`}
            checked={withTemplate}
            onChange={(event) => setWithTemplate(event.currentTarget.checked)}
          />
        </ReasonField>
      )}
    </ConfirmDialog>
  );
}
