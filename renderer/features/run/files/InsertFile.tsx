/** The button that writes files at the cursor of the input. */
import { FileButton, UnstyledButton } from '@mantine/core';
import styles from '../run.module.css';
import { t } from '../../../language/text.ts';

export function InsertFile({ onPick }: { onPick: (files: File[]) => void }) {
  return (
    <FileButton multiple onChange={onPick}>
      {(props) => (
        <UnstyledButton
          {...props}
          className={styles.codeLink}
          title={t`Writes the files at the cursor`}
        >{t`Insert a file`}</UnstyledButton>
      )}
    </FileButton>
  );
}
