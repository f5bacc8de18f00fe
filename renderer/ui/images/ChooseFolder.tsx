/** A button beside the field for an image that may be a folder of this computer, which is written as `file://…`. */
import { useMutation } from '@tanstack/react-query';
import { api, errorText } from '../../client/transport/orpc.ts';
import { folderOfImage } from '../endpoint/codeFolder.ts';
import { ChoosePath } from '../paths/ChoosePath.tsx';
import panel from '../theme/panel.module.css';

interface ChooseFolderProps {
  /** As it is typed. */
  imageName: string;
  /** Gets the folder as `file://…`. */
  onChosen: (imageName: string) => void;
}

export function ChooseFolder({ imageName, onChosen }: ChooseFolderProps) {
  const check = useMutation({
    mutationFn: (path: string) => api.endpoints.checkFolder({ path }),
    onSuccess: (folder) => folder.imageName !== null && onChosen(folder.imageName),
  });
  const problem = check.isError ? errorText(check.error) : (check.data?.problem ?? null);
  return (
    <div>
      <ChoosePath kind="folder" path={folderOfImage(imageName) ?? ''} onChosen={check.mutate} />
      {problem !== null && (
        <p className={panel.hint} role="status">
          {problem}
        </p>
      )}
    </div>
  );
}
