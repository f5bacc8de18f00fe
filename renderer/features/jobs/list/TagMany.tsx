/** Adds a tag to all chosen jobs, or takes it from them. */
import { useState } from 'react';
import { Autocomplete, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { isOfInputMethod } from '../../../ui/keyboard/inputMethod.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import styles from '../filters/filters.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../../language/text.ts';

export function TagMany({ entryIds }: { entryIds: string[] }) {
  const [opened, setOpened] = useState(false);
  const [text, setText] = useState('');
  const tag = text.trim();
  const whyNot = tag === '' ? t`Enter a tag first.` : null;
  const known = useQuery(orpc.jobs.tags.queryOptions({ enabled: opened })).data ?? [];
  const change = useMutation({
    mutationFn: (how: 'add' | 'remove') => api.jobs.tag({ entryIds, tags: [tag], change: how }),
    onSuccess({ changed }, how) {
      announce(
        how === 'add'
          ? counted(changed, 'Tagged {0} job', 'Tagged {0} jobs', formatCount(changed))
          : counted(changed, 'Removed the tag from {0} job', 'Removed the tag from {0} jobs', formatCount(changed)),
      );
      setOpened(false);
      setText('');
      return queryClient.invalidateQueries({ queryKey: orpc.jobs.tags.key() });
    },
    onError: (error) => notifications.show({ title: t`Not tagged`, message: errorText(error), 'data-tone': 'bad' }),
  });
  const add = () => {
    if (whyNot === null && !change.isPending) change.mutate('add');
  };
  useCommands([{ label: t`Tag the selected jobs…`, run: () => setOpened(true) }]);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={240}>
      <Popover.Target>
        <Button size="xs" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>{t`Tag…`}</Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.form ?? ''}>
        <Autocomplete
          size="xs"
          label={t`Tag`}
          data={known}
          comboboxProps={{ withinPortal: false }}
          maxLength={limits.ledger.tagLength}
          value={text}
          onChange={setText}
          onKeyDown={({ key, nativeEvent, currentTarget }) => {
            // With a known tag marked in the list below, Enter chooses that tag.
            const isChoice = currentTarget.hasAttribute('aria-activedescendant');
            if (key === 'Enter' && !isChoice && !isOfInputMethod(nativeEvent)) add();
          }}
        />
        <div className={styles.save}>
          <ReasonButton
            size="xs"
            whyNot={whyNot}
            loading={change.isPending && change.variables === 'add'}
            onClick={add}
          >{t`Add`}</ReasonButton>
          <ReasonButton
            size="xs"
            variant="default"
            whyNot={whyNot}
            loading={change.isPending && change.variables === 'remove'}
            onClick={() => change.mutate('remove')}
          >{t`Remove`}</ReasonButton>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
