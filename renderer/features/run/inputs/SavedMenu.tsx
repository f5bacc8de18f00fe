/** The menu of saved inputs: one click takes an input, and a form saves the current one under a name. */
import { useState } from 'react';
import { Group, Text, TextInput, UnstyledButton } from '@mantine/core';
import { ChevronDown, Trash2 } from 'lucide-react';
import { useCommands } from '../../../state/commands.ts';
import { useMutation } from '@tanstack/react-query';
import type { SavedPlace } from '#contract/app/saved/document.ts';
import { placeAt, removeDocument, saveDocument, useSaved, useSavedFeed } from '../../../client/saved/savedStore.ts';
import { useWhyNotNow } from '../../../client/away.ts';
import { NotDone, SavedState } from '../../../ui/saved/SavedState.tsx';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import styles from './inputs.module.css';
import { ReasonButton, ReasonIcon } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

const NAME_CHARS = 60;

interface SavedMenuProps {
  draftKey: string;
  text: string;
  /** The first input of the endpoint; null without one. */
  sample: string | null;
  /** The request of `test_input.json` in the folder of the endpoint; null without one. */
  test: { file: string; body: string } | null;
}

export function SavedMenu({ draftKey, text, sample, test }: SavedMenuProps) {
  const [open, setOpen] = useState(false);
  const place = placeAt('input', draftKey);
  useSavedFeed(open ? place : null);
  const { list: saved, ...reading } = useSaved(place);
  const whyNotNow = useWhyNotNow('app');
  const remove = useMutation({
    mutationFn: ({ name }: { name: string; text: string }) => removeDocument({ ...place, name }),
    onSuccess: (_, { name, text }) => offerUndo(t`Removed the input ${name}`, () => restore.mutate({ name, text })),
  });
  const restore = useMutation({
    mutationFn: ({ name, text }: { name: string; text: string }) => saveDocument({ ...place, name }, text),
    // The menu shows the error in the place of the input that could not be put back.
    onError: () => setOpen(true),
  });
  const takeSample = () => {
    if (sample === null) return;
    setOpen(false);
    replaceDraft(draftKey, {
      text: sample,
      replaced: t`Replaced the input with the sample`,
      taken: t`Loaded the sample`,
    });
  };
  useCommands([
    { label: t`Saved inputs`, run: () => setOpen(true) },
    sample !== null && sample !== text && { label: t`Use the sample`, run: takeSample },
  ]);
  const take = (name: string, body: string) => {
    setOpen(false);
    replaceDraft(draftKey, {
      text: body,
      replaced: t`Replaced the input with ${name}`,
      taken: t`Loaded the input ${name}`,
    });
  };
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={300} withRoles>
      <Popover.Target>
        <UnstyledButton className={styles.opener} onClick={() => setOpen(!open)}>
          {t`Saved`} <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={8} aria-label={t`Saved inputs`}>
        <SavedState {...reading} />
        {saved.length > 0 || test !== null || sample !== null ? (
          <ul className={styles.list} aria-label={t`Saved inputs`}>
            {sample !== null && (
              <li>
                <UnstyledButton
                  className={styles.item}
                  onClick={takeSample}
                >{t`Sample of the endpoint`}</UnstyledButton>
              </li>
            )}
            {test !== null && (
              <li>
                <UnstyledButton
                  className={styles.item}
                  onClick={() => take(test.file, test.body)}
                >{t`${test.file} of the folder`}</UnstyledButton>
              </li>
            )}
            {saved.map(({ name, text: body }) => (
              <li key={name}>
                <UnstyledButton className={styles.item} onClick={() => take(name, body)}>
                  {name}
                </UnstyledButton>
                <ReasonIcon
                  aria-label={t`Remove ${name}`}
                  hint={t`Remove`}
                  whyNot={whyNotNow}
                  onClick={() => remove.mutate({ name, text: body })}
                >
                  <Trash2 size={13} aria-hidden />
                </ReasonIcon>
              </li>
            ))}
          </ul>
        ) : (
          reading.isRead && <Text c="dimmed" px={6} pt={2} pb={8}>{t`Nothing is saved for this endpoint yet.`}</Text>
        )}
        <NotDone action={t`Not removed:`} error={remove.error} />
        <NotDone action={t`Not put back:`} error={restore.error} />
        <SaveForm place={place} text={text} names={saved.map(({ name }) => name)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ place, text, names }: { place: SavedPlace; text: string; names: readonly string[] }) {
  const [name, setName] = useState('');
  const whyNotNow = useWhyNotNow('app');
  const wanted = name.trim();
  const save = useMutation({
    mutationFn: () => saveDocument({ ...place, name: wanted }, text),
    onSuccess: () => {
      setName('');
      announce(t`Saved the input ${wanted}`);
    },
  });
  const whyNot = whyNotNow ?? (wanted === '' ? t`Enter a name first.` : null);
  return (
    <form
      className={styles.save}
      onSubmit={(event) => {
        event.preventDefault();
        if (whyNot === null && !save.isPending) save.mutate();
      }}
    >
      <Group gap={8} wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={t`Name for this input`}
          placeholder={t`Name for this input`}
          autoComplete="off"
          data-autofocus
          maxLength={NAME_CHARS}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
            if (save.isError) save.reset();
          }}
        />
        <ReasonButton type="submit" size="xs" variant="default" loading={save.isPending} whyNot={whyNot}>
          {names.includes(wanted) ? t`Replace` : t`Save`}
        </ReasonButton>
      </Group>
      <NotDone action={t`Not saved:`} error={save.error} />
    </form>
  );
}
