/** The files of this computer, to copy and move them to and from volumes and Pods. */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { THIS_COMPUTER } from '#contract/local/files.ts';
import { isOnOtherComputer } from '../../../client/otherComputer.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { setOpenFile, useOverlays } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { Pending } from '../../../ui/page/Pending.tsx';
import { FileBrowser } from '../../../ui/files/FileBrowser.tsx';
import { parentOf } from '../../../ui/files/paths.ts';
import styles from '../../../ui/theme/resources.module.css';
import { rich, t } from '../../../language/text.ts';

function show(path: string): void {
  setOpenFile(null);
  navigate({ page: 'resources', tab: 'computer', volumeId: null, path });
}

export function ComputerTab({ path }: { path: string }) {
  const place = useQuery(orpc.files.thisComputer.queryOptions({ retry: false, staleTime: Infinity }));
  const openFile = useOverlays((overlays) => overlays.openFile);
  const problem = place.error ? errorText(place.error) : (place.data?.problem ?? null);
  return (
    <>
      {place.isPending && <Pending />}
      {place.data?.problem === null && (
        <p className={styles.note}>
          {isOnOtherComputer()
            ? rich`The folder ${<code>{place.data.folder}</code>} on the computer that runs Hangar. This page is open on a different computer.`
            : rich`The folder ${<code>{place.data.folder}</code>}. "Copy or move" brings its files to a volume or a Pod, and theirs here.`}
        </p>
      )}
      <FileBrowser
        accountId={THIS_MACHINE}
        holder={THIS_COMPUTER}
        name={t`This computer`}
        path={path}
        file={openFile !== null && parentOf(openFile) === path ? openFile.slice(openFile.lastIndexOf('/') + 1) : null}
        absent={problem === null ? null : { title: t`The files of this computer are not shown`, text: problem }}
        onShow={show}
        onFileClosed={() => setOpenFile(null)}
        back={null}
      />
    </>
  );
}
