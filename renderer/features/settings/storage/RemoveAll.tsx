/** Removes everything that Hangar keeps on this computer, after the person typed a word. */
import { useState } from 'react';
import { Button, Checkbox, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { REMOVE_WORD } from '#contract/bridge/data/index.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import styles from '../settings.module.css';
import { placeWords } from './placeWords.ts';
import { usePlaces } from './usePlaces.ts';
import { rich, t } from '../../../language/text.ts';

export function RemoveAll() {
  const [isOpen, setOpen] = useState(false);
  const [isForced, setForced] = useState(false);
  const work = useQuery({ ...orpc.data.openWork.queryOptions({ retry: false }), enabled: isOpen, gcTime: 0 });
  const remove = useMutation({ mutationFn: () => api.data.remove({ word: REMOVE_WORD, force: isForced }) });
  const openWork = work.data ?? [];
  const ask = () => {
    remove.reset();
    setForced(false);
    setOpen(true);
  };
  useCommands([!remove.isSuccess && { label: t`Remove everything…`, run: ask }]);
  if (remove.isSuccess) {
    return (
      <Notice
        tone="wait"
        title={t`Everything is being removed. Hangar quits.`}
      >{t`You can close this page. To remove the program itself, uninstall it.`}</Notice>
    );
  }
  return (
    <>
      <div className={styles.danger}>
        <div>
          <strong>{t`Remove everything`}</strong>
          <span>{t`Jobs, volumes, settings and keys of this computer. Hangar then quits.`}</span>
        </div>
        <Button size="xs" variant="default" onClick={ask}>{t`Remove everything…`}</Button>
      </div>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t`Remove everything from this computer?`}
        action={t`Remove everything`}
        typed={REMOVE_WORD}
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => remove.mutate()}
      >
        <Goes />
        {openWork.length > 0 && (
          <Checkbox
            mt={10}
            label={t`Also end ${openWork.join(', ')}`}
            checked={isForced}
            onChange={(event) => setForced(event.currentTarget.checked)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

/** Each place that goes, by its path or names. */
function Goes() {
  const { data } = usePlaces();
  if (!data) return <Skeleton h={80} radius={6} />;
  const outside = data.places.filter(({ isInside }) => !isInside);
  return (
    <>
      <p>{t`This is deleted permanently:`}</p>
      <ul className={styles.goes}>
        <li>{rich`The data folder ${<code>{data.dataDir}</code>} with jobs, endpoints, volumes, accounts and logs`}</li>
        {outside.map(({ kind, path, isPath, names, leaves }) => {
          const { title } = placeWords[kind];
          const place = isPath ? <code>{path}</code> : names.join(', ');
          return (
            <li key={`${kind} ${path}`}>
              {leaves === null ? (
                <>
                  {title} {place}
                </>
              ) : (
                rich`Stays: ${title} ${place} (${leaves})`
              )}
            </li>
          );
        })}
      </ul>
      <p>{t`The program itself, container images and your own handler folders stay.`}</p>
    </>
  );
}
