/** The files of this computer, to copy and move them to and from volumes and Pods, and those of its handlers. */
import { useQuery } from '@tanstack/react-query';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { THIS_COMPUTER } from '#contract/local/files.ts';
import { isOnOtherComputer } from '../../../client/otherComputer.ts';
import { errorText, orpc } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { useHandlerCodes } from '../../../ui/endpoint/useHandlerCodes.ts';
import { FileBrowser } from '../../../ui/files/FileBrowser.tsx';
import { Pending } from '../../../ui/page/Pending.tsx';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import styles from '../../../ui/theme/resources.module.css';
import { rich, t } from '../../../language/text.ts';

interface ComputerTabProps {
  path: string;
  /** The endpoint whose folder is shown; undefined for the home folder. */
  endpointId: string | undefined;
}

const routeTo = (path: string, endpointId?: string) =>
  ({
    page: 'resources',
    tab: 'computer',
    volumeId: null,
    path,
    ...(endpointId !== undefined && { endpointId }),
  }) as const;

export function ComputerTab({ path, endpointId }: ComputerTabProps) {
  const place = useQuery(orpc.files.thisComputer.queryOptions({ retry: false, staleTime: Infinity }));
  const problem = place.error ? errorText(place.error) : (place.data?.problem ?? null);
  const absent = problem === null ? null : { title: t`The files of this computer are not shown`, text: problem };
  if (endpointId !== undefined)
    return <HandlerFiles key={endpointId} path={path} endpointId={endpointId} absent={absent} />;
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
        absent={absent}
        onShow={(to) => navigate(routeTo(to))}
        back={null}
      />
    </>
  );
}

interface HandlerFilesProps {
  path: string;
  endpointId: string;
  absent: { title: string; text: string } | null;
}

/** The folder of a handler, wherever it is on this computer. */
function HandlerFiles({ path, endpointId, absent }: HandlerFilesProps) {
  const code = useHandlerCodes(THIS_MACHINE)(endpointId);
  const name = code?.name ?? endpointId;
  const endpoint = (
    <RouteLink accountId={THIS_MACHINE} to={{ page: 'endpoints', endpointId, tab: 'overview' }}>
      {name}
    </RouteLink>
  );
  return (
    <>
      {code !== null && (
        <p className={styles.note}>{rich`The folder ${<code>{code.folder}</code>} of the endpoint ${endpoint}.`}</p>
      )}
      <FileBrowser
        accountId={THIS_MACHINE}
        holder={{ in: 'handler', id: endpointId }}
        name={name}
        path={path}
        absent={absent}
        onShow={(to) => navigate(routeTo(to, endpointId))}
        back={{ label: t`Files of this computer`, onBack: () => navigate(routeTo('')) }}
      />
    </>
  );
}
