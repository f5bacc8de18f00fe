/** The details of a GPU type, the form of an alert, and the list of all alerts. */
import { Button } from '@mantine/core';
import { usePriceAlerts } from '../../client/priceAlerts.ts';
import { AlertDialog, type AlertDraft } from './alerts/AlertDialog.tsx';
import { AlertsCard } from './alerts/AlertsCard.tsx';
import { DeployButton } from './DeployButton.tsx';
import type { GpuRow } from './gpuRows.ts';
import { GpuDetails } from './history/GpuDetails.tsx';
import { t } from '../../language/text.ts';

/** Cents of a price that is a tenth lower than now: an alert about the price of now would hold at once. */
const TENTH_LESS = 90;

/** About a lower price where some are free, else about its stock. */
export const newAlert = (accountId: string, { id, name, stock, perGpu }: GpuRow): AlertDraft => ({
  alertId: null,
  accountId,
  gpuTypeId: id,
  gpuName: name,
  price: perGpu,
  below: stock === 'None' || perGpu === null ? null : Math.floor(perGpu * TENTH_LESS) / 100 || null,
});

interface GpuDialogsProps {
  accountId: string;
  /** The account, in the middle of a sentence. */
  target: string;
  /** The GPU type whose details are open; null: none. */
  opened: GpuRow | null;
  /** The alert whose form is open; null: none. */
  draft: AlertDraft | null;
  onOpen: (id: string | null) => void;
  onDraft: (draft: AlertDraft | null) => void;
}

export function GpuDialogs({ accountId, target, opened, draft, onOpen, onDraft }: GpuDialogsProps) {
  const alerts = usePriceAlerts();
  const alertOn = (row: GpuRow) => {
    onOpen(null);
    onDraft(newAlert(accountId, row));
  };
  return (
    <>
      <GpuDetails accountId={accountId} target={target} row={opened} onClose={() => onOpen(null)}>
        {opened && (
          <>
            <Button variant="default" onClick={() => alertOn(opened)}>{t`Alert me…`}</Button>
            <DeployButton row={opened} />
          </>
        )}
      </GpuDetails>
      <AlertDialog draft={draft} onClose={() => onDraft(null)} />
      {alerts.length > 0 && <AlertsCard alerts={alerts} onEdit={onDraft} />}
    </>
  );
}
