/** Creates a link that adds an engine to Hangar on another computer, with a key of its own. */
import { Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { PairingShown } from '#contract/bridge/apiKey.ts';
import { api } from '../../../client/transport/orpc.ts';
import { FormDialog } from '../../../ui/form/sheet/FormDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { formatWhen } from '../../../ui/text/format.ts';
import { CreateLink } from './CreateLink.tsx';
import { NewKeyShown } from './NewKeyShown.tsx';
import code from '../../../ui/code/inlineCode.module.css';
import { rich, t } from '../../../language/text.ts';

interface PairDialogProps {
  account: Account;
  /** The name of the account in the middle of a sentence. */
  name: string;
  opened: boolean;
  onClose: () => void;
}

export function PairDialog({ account, name, opened, onClose }: PairDialogProps) {
  const create = useMutation({ mutationFn: () => api.apiKeys.pair({ accountId: account.id }) });
  const close = () => {
    create.reset();
    onClose();
  };
  const made = create.data;
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      // The link is shown only once.
      isFixed={made !== undefined}
      title={t`Pair another computer with ${name}`}
      size={460}
    >
      {made === undefined ? (
        <CreateLink create={create} close={close}>
          {t`A link adds ${name} to Hangar on the other computer. It creates a key for that computer, which you can disable or delete here later. The link works once, for ten minutes.`}
        </CreateLink>
      ) : (
        <Stack gap={12}>
          <Text fz="sm">{t`On the other computer, open Accounts, "Add an account", and paste the link into Address, or scan its code. It works until ${formatWhen(Date.parse(made.expiresAt))}.`}</Text>
          <Reach account={account} made={made} />
          <NewKeyShown shown={made.shown} kind="pairing" onClose={close} />
        </Stack>
      )}
    </FormDialog>
  );
}

/** Whether and where the other computer reaches the engine. */
function Reach({ account, made: { addresses, isOpen } }: { account: Account; made: PairingShown }) {
  const [first = '', ...others] = addresses;
  if (account.id === THIS_MACHINE && !isOpen) {
    const port = URL.parse(first)?.port ?? '';
    return (
      <Notice tone="wait" title={t`Hangar listens on this computer only.`}>
        <>{rich`On the other computer, first run ${<code className={code.whole}>{`ssh -L ${port}:127.0.0.1:${port} HOST`}</code>} with the name of this computer as HOST. Or start Hangar here with ${<code className={code.whole}>--host ADDRESS --allow-lan</code>}.`}</>
      </Notice>
    );
  }
  return (
    <Text fz="sm" c="dimmed">
      {others.length === 0
        ? t`The link has the address ${first}.`
        : t`The link has the address ${first}. In another network, type one of these instead: ${others.join(', ')}.`}
    </Text>
  );
}
