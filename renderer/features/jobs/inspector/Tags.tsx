/** The tags of one job, which a person adds and removes. */
import { TagsInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import styles from '../jobs.module.css';
import { t } from '../../../language/text.ts';

export function Tags({ entry: { entryId, tags } }: { entry: LedgerEntry }) {
  const known = useQuery(orpc.jobs.tags.queryOptions()).data ?? [];
  const change = useMutation({
    mutationFn: async (wanted: readonly string[]) => {
      const added = wanted.filter((tag) => !tags.includes(tag));
      const removed = tags.filter((tag) => !wanted.includes(tag));
      const entryIds = [entryId];
      if (added.length > 0) await api.jobs.tag({ entryIds, tags: added, change: 'add' });
      if (removed.length > 0) await api.jobs.tag({ entryIds, tags: removed, change: 'remove' });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.jobs.tags.key() }),
    onError: (error) => notifications.show({ title: t`Not tagged`, message: errorText(error), 'data-tone': 'bad' }),
  });
  return (
    <TagsInput
      size="xs"
      w="100%"
      classNames={{ inputField: styles.tagField ?? '' }}
      aria-label={t`Tags`}
      placeholder={tags.length < limits.ledger.tags ? t`Add a tag` : ''}
      data={known}
      value={change.isPending ? [...change.variables] : tags}
      maxTags={limits.ledger.tags}
      splitChars={[',']}
      onChange={(wanted) =>
        change.mutate(wanted.map((tag) => tag.trim().slice(0, limits.ledger.tagLength)).filter(Boolean))
      }
    />
  );
}
