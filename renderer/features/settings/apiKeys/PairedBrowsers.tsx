/** The browsers that are paired with this Hangar. Each has full control until it is removed. */
import { useState } from 'react';
import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { PairedBrowser } from '#contract/bridge/host.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatDate, formatMoment } from '../../../ui/text/format.ts';
import { browserName } from './browserName.ts';
import pieces from '../../../ui/theme/pieces.module.css';
import styles from '../settings.module.css';
import { t } from '../../../language/text.ts';

/** Another browser may be paired meanwhile. */
const READ_AGAIN_MS = 10_000;

export function PairedBrowsers() {
  const queries = useQueryClient();
  const options = orpc.host.browsers.queryOptions({ refetchInterval: READ_AGAIN_MS });
  const { data, isPending } = useQuery(options);
  const [leaving, setLeaving] = useState<PairedBrowser | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: PairedBrowser) => api.host.removeBrowser({ id }),
    onSuccess: () => {
      setLeaving(null);
      announce(t`Removed`);
      return queries.invalidateQueries({ queryKey: options.queryKey });
    },
  });
  if (isPending) return <Skeleton h={60} m={14} radius={6} w="auto" />;
  return (
    <>
      <div className={styles.tableScroll}>
        <PlainTable
          label={t`Paired browsers`}
          className={styles.table}
          rows={data ?? []}
          keyOf={({ id }) => id}
          columns={[
            {
              title: t`Browser`,
              isHeader: true,
              cell: ({ program, isThis }) => (
                <>
                  {browserName(program)} {isThis && <em className={pieces.chip} data-tone="ok">{t`this browser`}</em>}
                </>
              ),
            },
            { title: t`Now`, cell: ({ isOpen }) => (isOpen ? t`open` : t`closed`), needs: 'wide' },
            {
              title: t`Paired`,
              hint: ({ pairedAt }) => formatMoment(pairedAt),
              cell: ({ pairedAt }) => formatDate(pairedAt),
            },
            { title: t`Until`, cell: ({ until }) => formatDate(until), needs: 'wide' },
            {
              title: t`Remove`,
              isTitleHidden: true,
              cell: (browser) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={t`Remove ${browserName(browser.program)}`}
                  onClick={() => setLeaving(browser)}
                >{t`Remove…`}</Button>
              ),
            },
          ]}
        />
      </div>
      <ConfirmDialog
        opened={leaving !== null}
        onClose={() => {
          setLeaving(null);
          remove.reset();
        }}
        title={leaving?.isThis === true ? t`Remove this browser?` : t`Remove ${browserName(leaving?.program ?? null)}?`}
        action={t`Remove`}
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => leaving && remove.mutate(leaving)}
      >
        {leaving?.isThis === true
          ? t`This page closes at once, and only a new sign-in link opens Hangar here again. Press Enter in the terminal of Hangar for one.`
          : t`Its pages lose their connection at once. A new sign-in link lets it in again.`}
      </ConfirmDialog>
    </>
  );
}
