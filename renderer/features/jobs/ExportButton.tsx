/** Saves the jobs that a filter leaves, or the chosen ones, as a file. */
import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { LedgerExport, LedgerFilter } from '#contract/app/ledger.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { exportJobs } from './exportJobs.ts';

interface ExportButtonProps {
  filter: LedgerFilter;
  /** Undefined exports all that fit the filter. */
  entryIds?: string[];
  /** Why there is nothing to export; null where there is. */
  whyNot: string | null;
}

export function ExportButton({ filter, entryIds, whyNot }: ExportButtonProps) {
  const [jobs, setJobs] = useState(0);
  const save = useMutation({
    mutationFn: (format: LedgerExport['format']) =>
      exportJobs({ format, filter, ...(entryIds && { entryIds }) }, setJobs),
    onSuccess: (count) => announce(`Saved ${formatCount(count)} ${count === 1 ? 'job' : 'jobs'}`),
    onError: (error) => notifications.show({ title: 'Not saved', message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => setJobs(0),
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Download size={13} aria-hidden />}
          disabled={whyNot !== null || save.isPending}
          title={whyNot ?? 'Secrets are masked in the file'}
        >
          {save.isPending ? `Saving ${formatCount(jobs)}` : 'Export'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate('csv')}>CSV, for a table</Menu.Item>
        <Menu.Item onClick={() => save.mutate('jsonl')}>JSON Lines, with everything</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
