/** The input of one column: that of all columns, or with fields of its own, which are changed here. */
import { Text, UnstyledButton } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { Popover } from '../../../ui/popover/Popover.tsx';
import type { ProposedField } from '../form/AddField.tsx';
import InputForm from '../form/InputForm.tsx';
import inputStyles from '../inputs/inputs.module.css';
import styles from './compare.module.css';
import { fieldWords, hasFields } from './ownFields.ts';
import { t } from '../../../language/text.ts';

interface OwnFieldsProps {
  own: string;
  /** "words", "words (2)". */
  title: string;
  /** The fields of the shared input. */
  proposed: readonly ProposedField[];
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onOwn: (own: string) => void;
  /** Called with what is wrong with a field, and with null once it is right. */
  onProblem: (problem: string | null) => void;
}

export function OwnFields({ own, title, proposed, opened, onOpened, onOwn, onProblem }: OwnFieldsProps) {
  return (
    <Popover opened={opened} onChange={onOpened} position="bottom-start" width={340} withRoles>
      <Popover.Target>
        <UnstyledButton
          className={`${inputStyles.opener} ${styles.own}`}
          data-own={hasFields(own) || undefined}
          onClick={() => onOpened(!opened)}
        >
          <span>{hasFields(own) ? fieldWords(own) : t`Same input`}</span>
          <ChevronDown size={13} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t`Input of ${title}`}>
        <div className={styles.ownFields}>
          <Text
            c="dimmed"
            fz="xs"
            px={14}
            pt={12}
          >{t`Fields that you add here replace those of the input in this column alone.`}</Text>
          <InputForm
            text={own}
            onText={onOwn}
            fields={null}
            sample={null}
            misfits={[]}
            files={null}
            proposed={proposed}
            opensAdd={!hasFields(own)}
            empty={null}
            onJson={() => undefined}
            onFieldProblem={(name, problem) => onProblem(problem && t`The field ${name} of ${title}: ${problem}`)}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
