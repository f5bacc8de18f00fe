/** Saves the filtered or the selected jobs as a file. */
import { useState } from 'react';
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { LedgerExport, LedgerFilter } from '#contract/app/ledger.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { announce } from '../../ui/primitives/announce.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { exportJobs } from './exportJobs.ts';
import { counted, t } from '../../language/text.ts';

interface ExportButtonProps {
  filter: LedgerFilter;
  /** Undefined exports all jobs that match the filter. */
  entryIds?: string[];
  /** How many jobs that are. */
  count: number;
  /** Why there is nothing to export; null if there is something. */
  whyNot: string | null;
}

export function ExportButton({ filter, entryIds, count, whyNot }: ExportButtonProps) {
  const [jobs, setJobs] = useState(0);
  const save = useMutation({
    mutationFn: (format: LedgerExport['format']) =>
      exportJobs({ format, filter, ...(entryIds && { entryIds }) }, setJobs),
    onSuccess: (count) => announce(t`Saved ${counted(count, '{0} job', '{0} jobs', formatCount(count))}`),
    onError: (error) => notifications.show({ title: t`Not saved`, message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => setJobs(0),
  });
  const canSave = whyNot === null && !save.isPending;
  const isChosen = entryIds !== undefined;
  useCommands([
    canSave && {
      label: isChosen ? t`Export the selected jobs as CSV` : t`Export the jobs as CSV`,
      run: () => save.mutate('csv'),
    },
    canSave && {
      label: isChosen ? t`Export the selected jobs as JSON Lines` : t`Export the jobs as JSON Lines`,
      run: () => save.mutate('jsonl'),
    },
  ]);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ReasonButton
          size="xs"
          variant="default"
          leftSection={<Download size={13} aria-hidden />}
          whyNot={save.isPending ? t`A file is being saved.` : whyNot}
          hint={t`Secrets are masked in the file`}
        >
          {save.isPending ? t`Saving ${formatCount(jobs)}` : t`Export`}
        </ReasonButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{counted(count, '{0} job', '{0} jobs', formatCount(count))}</Menu.Label>
        <Menu.Item onClick={() => save.mutate('csv')}>{t`CSV, for a table`}</Menu.Item>
        <Menu.Item onClick={() => save.mutate('jsonl')}>{t`JSON Lines, with everything`}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
