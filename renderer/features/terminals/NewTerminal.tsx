/** Where a terminal can open: as a menu beside the tabs, and as choices while none is open. */
import { Fragment } from 'react';
import { Button, Menu } from '@mantine/core';
import { Plus, SquareTerminal } from 'lucide-react';
import { useAway } from '../../client/away.ts';
import { navigate } from '../../state/route.ts';
import { BackLater, LoadError, Unknown, useBackLaterWords } from '../../ui/domain/LoadError.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import page from '../../ui/theme/page.module.css';
import { podStateWords } from '../../ui/text/podWords.ts';
import type { TerminalTarget } from '../../ui/terminal/layout.ts';
import styles from './terminals.module.css';
import { sshTarget, targetKey, type NamedTarget, type SshHosts } from './useTargets.ts';
import { ReasonIcon } from '../../ui/popover/ReasonButton.tsx';
import { ReasonItem } from '../../ui/popover/ReasonItem.tsx';
import { counted, t } from '../../language/text.ts';

export const showPods = () => navigate({ page: 'pods', podId: null, tab: 'logs' });

interface NewTerminalProps {
  targets: readonly NamedTarget[];
  /** Why the Pods could not be read; null if they were. */
  unread: string | null;
  ssh: SshHosts | null;
  onBegin: (target: TerminalTarget) => void;
  /** Asks for a host of `ssh`. */
  onAskForHost: () => void;
  /** Makes this computer the target, and opens a shell of it. Null where it is the target. */
  onBeginHere: (() => void) | null;
}

/** What keeps from this computer keeps from SSH, too, and is said once. */
function sshOf({ targets, ssh }: Pick<NewTerminalProps, 'targets' | 'ssh'>): SshHosts | null {
  const isSaid = ssh?.problem != null && targets.some(({ kind, reason }) => kind === 'host' && reason === ssh.problem);
  return isSaid ? null : ssh;
}

/** The parts of the menu, in its order; hosts of `ssh` have one of their own. */
const groups: readonly { kind: NamedTarget['kind']; title: string | null }[] = [
  { kind: 'host', title: null },
  { kind: 'pod', title: t`Pods` },
  { kind: 'worker', title: t`Workers` },
];

export function NewTerminal(props: NewTerminalProps) {
  const { targets, unread, onBegin, onAskForHost, onBeginHere } = props;
  const ssh = sshOf(props);
  const away = useAway();
  const backLater = useBackLaterWords(away ?? '');
  const noTargets = unread === null ? t`No running Pods or containers` : t`The Pods could not be read`;
  const noneWords = away === null ? noTargets : backLater;
  const isEmpty = targets.length === 0 && ssh === null;
  return (
    <Menu position="bottom-start" withinPortal onOpen={() => ssh?.refresh()}>
      <Menu.Target>
        <ReasonIcon aria-label={t`New terminal`} whyNot={isEmpty && onBeginHere === null ? noneWords : null}>
          <Plus size={15} aria-hidden />
        </ReasonIcon>
      </Menu.Target>
      <Menu.Dropdown maw={380} className={styles.targets ?? ''}>
        {isEmpty && <Menu.Label className={styles.targetsHead ?? ''}>{noneWords}</Menu.Label>}
        {groups.map(({ kind, title }) => {
          const ofKind = targets.filter((target) => target.kind === kind);
          return (
            <Fragment key={kind}>
              {ofKind.length > 0 && title !== null && (
                <Menu.Label className={styles.targetsHead ?? ''}>{title}</Menu.Label>
              )}
              {ofKind.map((target) => (
                <ReasonItem key={targetKey(target)} whyNot={target.reason} onClick={() => onBegin(target)}>
                  {target.name}
                  {target.reason !== null && `: ${target.reason}`}
                </ReasonItem>
              ))}
            </Fragment>
          );
        })}
        {ssh !== null && (
          <>
            <Menu.Label className={styles.targetsHead ?? ''}>{t`Over SSH`}</Menu.Label>
            {/* Before the hosts, which may be many. */}
            <ReasonItem whyNot={ssh.problem} onClick={onAskForHost}>
              {ssh.problem ?? t`Another host…`}
            </ReasonItem>
            {ssh.hosts.map((host) => (
              <Menu.Item key={host} onClick={() => onBegin(sshTarget(host))}>
                {host}
              </Menu.Item>
            ))}
          </>
        )}
        {onBeginHere !== null && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onBeginHere}>{t`This computer (changes the target)`}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const kinds: Record<Exclude<NamedTarget['kind'], 'pod'>, string> = {
  host: t`Your login shell`,
  ssh: t`SSH`,
  worker: t`Worker in a container`,
};

/** What a target is. The reason of a Pod in which no terminal can begin is its state. */
const wordsOf = ({ kind, reason }: NamedTarget): string =>
  kind === 'pod' ? t`Pod, ${reason ?? podStateWords.running.inSentence}` : (reason ?? kinds[kind]);

interface BeginProps extends NewTerminalProps {
  /** Asks for the Pods again. */
  retry: () => void;
}

export function Begin(props: BeginProps) {
  const { targets, unread, retry, onBegin, onAskForHost, onBeginHere } = props;
  const ssh = sshOf(props);
  const away = useAway();
  const hasContainers = targets.some(({ kind }) => kind !== 'host');
  const ways = (some: readonly NamedTarget[]) =>
    some.map((target) => (
      <Way
        key={targetKey(target)}
        name={target.name}
        words={wordsOf(target)}
        isDisabled={target.reason !== null}
        onClick={() => onBegin(target)}
      />
    ));
  if (targets.length === 0 && ssh === null) {
    // Nobody knows what runs on an account that does not answer.
    if (away !== null) return <BackLater away={away} />;
    if (unread !== null)
      return <LoadError capability="pods" title={t`The Pods could not be read`} problem={unread} retry={retry} />;
    return (
      <Empty
        title={t`No running Pods or containers`}
        action={
          <>
            <Button onClick={showPods}>{t`Show Pods`}</Button>
            {onBeginHere !== null && (
              <Button variant="default" onClick={onBeginHere}>{t`Open one on this computer`}</Button>
            )}
          </>
        }
      >{t`Terminals open in Pods and in workers that run in containers. Deploy a Pod first.`}</Empty>
    );
  }
  return (
    <div className={page.begin}>
      <strong>{t`No terminal is open`}</strong>
      <p>{t`Open one in:`}</p>
      <div className={page.ways}>
        {ways(targets.filter(({ reason }) => reason === null))}
        {ssh !== null && (
          <Way
            name={t`Another computer`}
            words={ssh.problem ?? sshWords(ssh.hosts.length)}
            isDisabled={ssh.problem !== null}
            onClick={onAskForHost}
          />
        )}
        {onBeginHere !== null && (
          <Way name={t`This computer`} words={t`Changes the target`} isDisabled={false} onClick={onBeginHere} />
        )}
        {/* Those that cannot be opened now stand behind those that can. */}
        {ways(targets.filter(({ reason }) => reason !== null))}
      </div>
      {!hasContainers && unread !== null && (
        <Unknown
          title={t`The Pods could not be read`}
          problem={unread}
          action={<Button variant="default" onClick={retry}>{t`Try again`}</Button>}
        />
      )}
      {!hasContainers && unread === null && (
        <>
          <p>{t`Terminals also open in Pods and in workers that run in containers. None is running.`}</p>
          <Button variant="default" onClick={showPods}>{t`Show Pods`}</Button>
        </>
      )}
    </div>
  );
}

const sshWords = (count: number): string =>
  count === 0
    ? t`Over SSH, with your own settings`
    : counted(
        count,
        'Over SSH: {0} host of your settings, or another',
        'Over SSH: {0} hosts of your settings, or another',
      );

interface WayProps {
  name: string;
  words: string;
  isDisabled: boolean;
  onClick: () => void;
}

function Way({ name, words, isDisabled, onClick }: WayProps) {
  return (
    <button
      type="button"
      className={page.way}
      // Not disabled, so that the keyboard reaches the reason, which the words say.
      aria-disabled={isDisabled || undefined}
      onClick={() => !isDisabled && onClick()}
    >
      <SquareTerminal size={20} strokeWidth={1.6} aria-hidden />
      <b title={name}>{name}</b>
      <span>{words}</span>
    </button>
  );
}
