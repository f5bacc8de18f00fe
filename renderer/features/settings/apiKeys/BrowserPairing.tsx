/** The browsers that are paired with this Hangar, and the link for another. Only a host that serves browsers has them. */
import { useState } from 'react';
import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isLoopbackName } from '#contract/network/hosts.ts';
import { api, orpc } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { FormDialog } from '../../../ui/form/sheet/FormDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { Pending } from '../../../ui/page/Pending.tsx';
import { formatWhen } from '../../../ui/text/format.ts';
import styles from '../settings.module.css';
import { CreateLink } from './CreateLink.tsx';
import { PairedBrowsers } from './PairedBrowsers.tsx';
import { NewKeyShown } from './NewKeyShown.tsx';
import code from '../../../ui/code/inlineCode.module.css';
import { rich, t } from '../../../language/text.ts';

/** The host decides; this says why before a person tries. A link gives full control, so a page from afar makes none. */
const whyNotHere = (): string | null =>
  isLoopbackName(location.hostname)
    ? null
    : t`Only a browser on the computer that runs Hangar can pair another one. Open Hangar there, or press Enter in its terminal.`;

export function BrowserPairing() {
  const { data: host, isPending } = useQuery(orpc.host.info.queryOptions());
  if (isPending) return <Pending />;
  return host?.kind === 'headless' ? <Browsers /> : null;
}

function Browsers() {
  const [opened, setOpened] = useState(false);
  const whyNot = whyNotHere();
  const open = () => setOpened(true);
  useCommands([whyNot === null && { label: t`Pair another browser`, run: open }]);
  return (
    <>
      <section className={styles.block} aria-labelledby="browsers">
        <div className={styles.blockHead}>
          <h2 id="browsers">{t`Browsers`}</h2>
          <ReasonButton
            size="xs"
            variant="default"
            whyNot={whyNot}
            onClick={open}
          >{t`Pair another browser`}</ReasonButton>
        </div>
        <p>{t`A link opens this window in another browser, such as that of a phone, with full control of this Hangar. It works once. The browser stays paired for 30 days.`}</p>
        <PairedBrowsers />
      </section>
      <PairBrowserDialog opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

function PairBrowserDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const create = useMutation({ mutationFn: () => api.host.inviteBrowser() });
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
      title={t`Pair another browser`}
      size={460}
    >
      {made === undefined ? (
        <CreateLink create={create} close={close}>
          {t`Anyone who opens the link can do everything you can do here: send jobs, use your accounts, read files and open shells on this computer. It works once, for ten minutes. An earlier unused link stops working.`}
        </CreateLink>
      ) : (
        <Stack gap={12}>
          <Text fz="sm">{t`The link is shown with a QR code. It opens ${made.address} until ${formatWhen(made.until)}.`}</Text>
          {!made.isOpen && <OnlyHere address={made.address} />}
          <NewKeyShown shown={made.shown} kind="pairing" onClose={close} />
        </Stack>
      )}
    </FormDialog>
  );
}

/** The other browser has to be on this computer, or come through a tunnel. */
function OnlyHere({ address }: { address: string }) {
  const { port } = new URL(address);
  return (
    <Notice tone="wait" title={t`Hangar listens on this computer only.`}>
      <>{rich`For a browser on another computer, first run ${<code className={code.whole}>{`ssh -L ${port}:127.0.0.1:${port} HOST`}</code>} there, with the name of this computer as HOST. For a phone, start Hangar here with ${<code className={code.whole}>--host ADDRESS --allow-lan</code>}.`}</>
    </Notice>
  );
}
