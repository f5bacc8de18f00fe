/** The field of a pairing link, and beside it the button that reads the link from its QR code, in a dialog. */
import { useEffect, useState, type ReactNode } from 'react';
import { Button, Modal, Skeleton } from '@mantine/core';
import { QrCode } from 'lucide-react';
import { setDialogAbove } from '../../../state/overlays.ts';
import { useFocusBack } from '../../../ui/keyboard/useFocusBack.ts';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import type { ScanContentProps } from './ScanContent.tsx';
import styles from './scan.module.css';
import { t } from '../../../language/text.ts';

const ScanContent = lazyPart<ScanContentProps>(
  async () => {
    const [content, { loadReader }] = await Promise.all([import('./ScanContent.tsx'), import('./qrReader.ts')]);
    await loadReader();
    return content;
  },
  <Skeleton className={styles.frame} />,
);

interface ScanRowProps extends ScanContentProps {
  /** The field. */
  children: ReactNode;
}

export function ScanRow({ onLink, children }: ScanRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <div className={styles.row}>
      {children}
      <Button
        size="xs"
        variant="default"
        leftSection={<QrCode size={14} aria-hidden />}
        onClick={() => setIsOpen(true)}
      >{t`Scan a code…`}</Button>
      {isOpen && (
        <ScanDialog
          onClose={close}
          onLink={(link) => {
            close();
            onLink(link);
          }}
        />
      )}
    </div>
  );
}

function ScanDialog({ onClose, onLink }: ScanContentProps & { onClose: () => void }) {
  useFocusBack(true);
  // The sheet below this dialog leaves Escape to it.
  useEffect(() => {
    setDialogAbove(true);
    return () => setDialogAbove(false);
  }, []);
  return (
    <Modal opened onClose={onClose} title={t`Scan a pairing code`} size={480}>
      <ScanContent onLink={onLink} />
    </Modal>
  );
}
