/** Puts the files that were picked up elsewhere into the folder that is shown; in their own folder it says what to do. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { THIS_COMPUTER } from '#contract/local/files.ts';
import { copyInto, isSameHolder, moveInto, pickUp, usePickedUp, type PickedUp } from '../../client/files/pickedUp.ts';
import type { Place } from '../../client/files/transfers.ts';
import { useCommands } from '../../state/commands.ts';
import { formatCount } from '../text/format.ts';
import { MiddleCut } from './MiddleCut.tsx';
import styles from './files.module.css';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { counted, t } from '../../language/text.ts';

/** `folder`: the folder that is shown. */
export function PickedUpBar({ folder }: { folder: Place }) {
  const picked = usePickedUp((state) => state.picked);
  const isThere = picked !== null && isSameHolder(picked.folder, folder) && picked.folder.path === folder.path;
  if (picked === null) return null;
  return isThere ? <Waiting picked={picked} /> : <Bar picked={picked} folder={folder} />;
}

/** The name of the only entry, or how many there are. */
const entriesText = ({ entries }: PickedUp): string => {
  const [first] = entries;
  return entries.length === 1 && first
    ? first.name
    : counted(entries.length, '{0} entry', '{0} entries', formatCount(entries.length));
};

/** Where they come from, within a sentence: "trainer, /workspace/runs". */
function sourceText({ folder: { holder, path }, holderName }: PickedUp): string {
  if (holder.in === THIS_COMPUTER.in) return path === '' ? t`this computer` : t`this computer, ${path}`;
  return path === '' ? holderName : `${holderName}/${path}`;
}

const Cancel = () => <Button size="xs" variant="subtle" onClick={() => pickUp(null)}>{t`Cancel`}</Button>;

function Waiting({ picked }: { picked: PickedUp }) {
  return (
    <div className={styles.picked} role="toolbar" aria-label={t`Files to copy or move`}>
      <span role="status">{t`To copy or move ${entriesText(picked)}, open the destination folder: in any volume or Pod, or of this computer.`}</span>
      <Cancel />
    </div>
  );
}

function Bar({ picked, folder }: { picked: PickedUp; folder: Place }) {
  const put = useMutation({
    mutationFn: (how: typeof copyInto) => how(picked, folder),
    onSuccess(problems) {
      pickUp(null);
      if (problems.length === 0) return;
      notifications.show({
        title: t`Not everything was copied or moved here`,
        message: problems.join(' '),
        'data-tone': 'bad',
      });
    },
  });
  const isNear = isSameHolder(picked.folder, folder);
  useCommands([
    { label: t`Copy the files here`, run: () => put.mutate(copyInto) },
    { label: t`Move the files here`, run: () => put.mutate(moveInto) },
  ]);
  const what = entriesText(picked);
  return (
    <div className={styles.picked} data-many role="toolbar" aria-label={t`Files to copy or move`}>
      <span>
        <MiddleCut text={t`${what} from ${sourceText(picked)}`} />
      </span>
      <Button size="xs" loading={put.isPending} onClick={() => put.mutate(copyInto)}>{t`Copy here`}</Button>
      <ReasonButton
        size="xs"
        variant="default"
        whyNot={put.isPending ? t`The files are being copied or moved.` : null}
        hint={isNear ? undefined : t`Each file is copied, compared byte by byte, and only then deleted where it was.`}
        onClick={() => put.mutate(moveInto)}
      >{t`Move here`}</ReasonButton>
      <Cancel />
    </div>
  );
}
