/**
 * A button beside a field for a path: the dialog of the system in the desktop program, one of Hangar's in a browser.
 */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { api } from '../../client/transport/orpc.ts';
import { lazyPart } from '../primitives/lazyPart.ts';
import { t } from '../../language/text.ts';

const PathDialog = lazyPart(() => import('./PathDialog.tsx'));

interface ChoosePathProps {
  kind: 'folder' | 'file';
  /** The path in the field, where the dialog of a browser begins. */
  path: string;
  onChosen: (path: string) => void;
}

export function ChoosePath({ kind, path, onChosen }: ChoosePathProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const choose = async () => {
    if (window.hangarHost === undefined) return setIsOpen(true);
    setIsWaiting(true);
    // A connection that is lost meanwhile shows in the banner; the path can be typed.
    const chosen = await (kind === 'folder' ? api.host.pickFolder() : api.host.pickFile()).catch(() => null);
    setIsWaiting(false);
    if (chosen !== null) onChosen(chosen);
    return undefined;
  };
  return (
    <>
      <Button size="xs" variant="default" loading={isWaiting} onClick={() => void choose()}>
        {kind === 'folder' ? t`Choose a folder…` : t`Choose a file…`}
      </Button>
      {isOpen && (
        <PathDialog
          kind={kind}
          path={path}
          onClose={() => setIsOpen(false)}
          onChosen={(chosen) => {
            setIsOpen(false);
            onChosen(chosen);
          }}
        />
      )}
    </>
  );
}
