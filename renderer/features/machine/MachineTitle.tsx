/** The heading of the machine's page: the machine by its host name, then what it is. */
import type { Machine } from '#contract/local/machine.ts';
import { accountInSentence, accountTitle } from '../../ui/text/accountName.ts';
import { useWindowTitle } from '../../ui/page/PageTitle.tsx';
import styles from './machine.module.css';
import { t } from '../../language/text.ts';

const platforms: Readonly<Record<string, string>> = { linux: t`Linux`, darwin: 'macOS', win32: t`Windows` };

interface MachineTitleProps {
  accountId: string;
  accountName: string;
  /** Undefined until it has answered. */
  machine: Pick<Machine, 'hostname' | 'platform'> | undefined;
}

export function MachineTitle({ accountId, accountName, machine }: MachineTitleProps) {
  useWindowTitle(machine?.hostname ?? accountTitle(accountId, accountName));
  if (machine === undefined) return <h1 tabIndex={-1}>{accountTitle(accountId, accountName)}</h1>;
  const { hostname, platform } = machine;
  return (
    <h1 tabIndex={-1}>
      {hostname}{' '}
      <span className={styles.host}>
        {accountInSentence(accountId, accountName)}, {platforms[platform] ?? platform}
      </span>
    </h1>
  );
}
