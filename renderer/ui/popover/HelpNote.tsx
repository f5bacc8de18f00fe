/** A small button with an explanation, which would take too much room where it stands. */
import { useId, useState } from 'react';
import { UnstyledButton } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import { Popover } from './Popover.tsx';
import styles from './helpNote.module.css';

interface HelpNoteProps {
  /** What it explains: the name of the button without `shown`. */
  title: string;
  /** The explanation, as whole sentences. A screen reader says it with the name of the button. */
  text: string;
  /** The words on the button; without them it has a question mark. */
  shown?: string;
}

export function HelpNote({ title, text, shown }: HelpNoteProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-start" width={300} trapFocus={false} withRoles={false}>
      <Popover.Target>
        <UnstyledButton
          className={shown === undefined ? styles.mark : styles.words}
          aria-label={shown === undefined ? title : undefined}
          aria-description={text}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
        >
          {shown ?? <CircleHelp size={13} aria-hidden />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown id={id} role="note" aria-label={title} className={styles.text}>
        {text}
      </Popover.Dropdown>
    </Popover>
  );
}
