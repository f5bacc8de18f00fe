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
  /** Whether it is to be written into the folder on request; null where that is not a question. */
  into: boolean | null;
  /** Whether the folder has files, which stay. */
  hasFiles: boolean;
  onPath: (path: string) => void;
  /** Called with a path of the dialog. */
  onChosen: (path: string) => void;
  onInto: (into: boolean) => void;
}

export function HandlerFolder(props: HandlerFolderProps) {
  const { path, isWritten, problem, into, hasFiles, onPath, onChosen, onInto } = props;
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
          label={hasFiles ? t`Write into this folder itself, beside your files` : t`Write into this folder itself`}
          checked={into}
          onChange={(event) => onInto(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}
