/** The button that writes files at the cursor of the input. */
import { useRef } from 'react';
import { FileButton, UnstyledButton } from '@mantine/core';
import { useCommands } from '../../../state/commands.ts';
import styles from '../run.module.css';
import { t } from '../../../language/text.ts';

export function InsertFile({ onPick }: { onPick: (files: File[]) => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useCommands([{ label: t`Insert a file`, run: () => button.current?.click() }]);
  return (
    <FileButton multiple onChange={onPick}>
      {(props) => (
        <UnstyledButton
          {...props}
          ref={button}
          className={styles.codeLink}
          title={t`Writes the files at the cursor`}
        >{t`Insert a file`}</UnstyledButton>
      )}
    </FileButton>
  );
}
