/** The field for the folder of a new handler. */
import { Checkbox, TextInput } from '@mantine/core';
import { ChoosePath } from '../../../ui/paths/ChoosePath.tsx';
import form from '../../../ui/form/form.module.css';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

interface HandlerFolderProps {
  path: string;
  /** Whether the handler is written into the folder itself. */
  isWritten: boolean;
  problem: string | undefined;
  /** Whether it is to be written beside the files of the folder; null for a folder without files. */
  into: boolean | null;
  onPath: (path: string) => void;
  /** Called with a path of the dialog. */
  onChosen: (path: string) => void;
  onInto: (into: boolean) => void;
}

export function HandlerFolder({ path, isWritten, problem, into, onPath, onChosen, onInto }: HandlerFolderProps) {
  return (
    <div>
      <TextInput
        label={t`In the folder`}
        description={
          isWritten
            ? t`A folder on this computer; ~ is your home folder. The handler is written into it`
            : t`A folder on this computer; ~ is your home folder. The handler gets a folder of its own in it`
        }
        {...requiredField}
        value={path}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onPath(event.currentTarget.value)}
      />
      <div className={form.choose}>
        <ChoosePath kind="folder" path={path} onChosen={onChosen} />
      </div>
      {into !== null && (
        <Checkbox
          mt={10}
          label={t`Write into this folder itself, beside your files`}
          checked={into}
          onChange={(event) => onInto(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
