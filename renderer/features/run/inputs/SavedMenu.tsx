/** Inputs saved under a name: taken again with a click, saved with two. */
import { useState } from 'react';
import { ActionIcon, Group, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import { ChevronDown, Trash2 } from 'lucide-react';
import { useCommands } from '../../../state/commands.ts';
import { Popover } from '../../../ui/popover/Popover.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import styles from './inputs.module.css';
import { forgetInput, NAME_CHARS, savedInputs, saveInput } from './savedInputs.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

interface SavedMenuProps {
  draftKey: string;
  text: string;
  /** The request of `test_input.json` in the folder of the endpoint; null without one. */
  test: { file: string; body: string } | null;
}

export function SavedMenu({ draftKey, text, test }: SavedMenuProps) {
  const [open, setOpen] = useState(false);
  const saved = savedInputs.use(draftKey);
  useCommands([{ label: t`Saved inputs`, run: () => setOpen(true) }]);
  const take = (name: string, body: string) => {
    setOpen(false);
    replaceDraft(draftKey, {
      text: body,
      replaced: t`Replaced the input by ${name}`,
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
        {saved.length > 0 || test !== null ? (
          <ul className={styles.list} aria-label={t`Saved inputs`}>
            {test !== null && (
              <li>
                <UnstyledButton
                  className={styles.item}
                  onClick={() => take(test.file, test.body)}
                >{t`${test.file} of the folder`}</UnstyledButton>
              </li>
            )}
            {saved.map(({ name, body }) => (
              <li key={name}>
                <UnstyledButton className={styles.item} onClick={() => take(name, body)}>
                  {name}
                </UnstyledButton>
                <Tooltip label={t`Remove`}>
                  <ActionIcon
                    aria-label={t`Remove ${name}`}
                    onClick={() => {
                      forgetInput(draftKey, name);
                      offerUndo(t`Removed the input ${name}`, () => void saveInput(draftKey, name, body));
                    }}
                  >
                    <Trash2 size={13} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              </li>
            ))}
          </ul>
        ) : (
          <Text c="dimmed" px={6} pt={2} pb={8}>{t`Nothing is saved for this endpoint yet.`}</Text>
        )}
        <SaveForm draftKey={draftKey} text={text} names={saved.map(({ name }) => name)} />
      </Popover.Dropdown>
    </Popover>
  );
}

function SaveForm({ draftKey, text, names }: { draftKey: string; text: string; names: readonly string[] }) {
  const [name, setName] = useState('');
  const [lasts, setLasts] = useState(true);
  const wanted = name.trim();
  return (
    <form
      className={styles.save}
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted === '') return;
        setLasts(saveInput(draftKey, wanted, text));
        setName('');
        announce(t`Saved the input ${wanted}`);
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
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ReasonButton type="submit" size="xs" variant="default" whyNot={wanted === '' ? t`Type a name first.` : null}>
          {names.includes(wanted) ? t`Replace` : t`Save`}
        </ReasonButton>
      </Group>
      {!lasts && (
        <Text
          fz="xs"
          c="var(--wait)"
          mt={6}
          role="alert"
        >{t`The storage of this browser is full: the input is kept until the page is closed.`}</Text>
      )}
    </form>
  );
}
