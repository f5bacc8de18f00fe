/** Asks for the host of a terminal over SSH: one of the person's settings, or any other. */
import { useState } from 'react';
import { Autocomplete, Button, Modal } from '@mantine/core';
import { LONGEST_DESTINATION, readSshDestination } from '#contract/app/terminals/sshDestination.ts';
import { useFocusBack } from '../../ui/keyboard/useFocusBack.ts';
import { Notice } from '../../ui/primitives/Notice.tsx';
import dialog from '../../ui/theme/dialog.module.css';
import styles from '../../ui/theme/resources.module.css';
import type { SshHosts } from './useTargets.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

/** As many hosts are offered while typing. */
const MOST_OFFERED = 50;

interface SshDialogProps {
  ssh: SshHosts;
  onConnect: (destination: string) => void;
  onClose: () => void;
}

export function SshDialog({ ssh, onConnect, onClose }: SshDialogProps) {
  const [text, setText] = useState('');
  const destination = text.trim();
  const isWrong = destination !== '' && readSshDestination(destination) === null;
  useFocusBack(true);
  return (
    <Modal opened onClose={onClose} title={t`Terminal over SSH`} size={440}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (destination === '' || isWrong) return;
          onClose();
          onConnect(destination);
        }}
      >
        <Autocomplete
          label={t`Host`}
          description={t`A host of ~/.ssh/config, or user@host:port. Your own ssh program connects, and asks in the terminal.`}
          data-autofocus
          data={[...ssh.hosts]}
          limit={MOST_OFFERED}
          maxLength={LONGEST_DESTINATION}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={setText}
          error={
            isWrong && t`Enter host, user@host or user@host:port, without spaces, quotes or a "-" at the beginning.`
          }
        />
        {ssh.unread !== null && (
          <Notice tone="wait" title={t`Not all hosts are listed.`}>
            {ssh.unread}
          </Notice>
        )}
        <div className={dialog.answers}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton
            type="submit"
            whyNot={destination === '' ? t`Enter a host first.` : isWrong ? t`Correct the marked fields first` : null}
          >{t`Connect`}</ReasonButton>
        </div>
      </form>
    </Modal>
  );
}
