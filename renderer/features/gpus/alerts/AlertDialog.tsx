/** The form of an alert about one GPU type: a price, or that some are in stock. */
import { useState } from 'react';
import { Button, NumberInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { maxAlertPrice, type NewPriceAlert } from '#contract/app/price.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { FormDialog } from '../../../ui/form/sheet/FormDialog.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { accountInSentence } from '../../../ui/text/accountName.ts';
import { formatMoney } from '../../../ui/text/money.ts';
import dialog from '../../../ui/theme/dialog.module.css';
import styles from './alerts.module.css';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

/** A new alert, or with `alertId` an existing one. */
export interface AlertDraft extends NewPriceAlert {
  alertId: string | null;
  /** What one GPU costs now, in US dollars an hour; null if none is free or has a price. */
  price: number | null;
}

interface AlertDialogProps {
  /** Null: closed. */
  draft: AlertDraft | null;
  onClose: () => void;
}

export function AlertDialog({ draft, onClose }: AlertDialogProps) {
  const account = useAccounts()?.find(({ id }) => id === draft?.accountId);
  const target = draft && accountInSentence(draft.accountId, account?.name ?? '');
  return (
    <FormDialog
      opened={draft !== null}
      onClose={onClose}
      title={draft && target && t`Alert for ${draft.gpuName} on ${target}`}
      size={420}
    >
      {draft && <Form draft={draft} onClose={onClose} />}
    </FormDialog>
  );
}

function Form({ draft, onClose }: { draft: AlertDraft; onClose: () => void }) {
  const { alertId, price, ...alert } = draft;
  const [kind, setKind] = useState(alert.below === null ? 'stock' : 'price');
  const [below, setBelow] = useState<number | string>(alert.below ?? '');
  const save = useMutation({
    mutationFn: (amount: number | null) =>
      alertId === null
        ? api.prices.addAlert({ ...alert, below: amount })
        : api.prices.changeAlert({ alertId, below: amount }),
    onSuccess() {
      announce(t`Saved`);
      onClose();
    },
  });
  const amount = Number(below);
  const isReady = kind === 'stock' || (amount > 0 && amount <= maxAlertPrice);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !save.isPending) save.mutate(kind === 'stock' ? null : amount);
      }}
    >
      <Stack gap={10}>
        <p className={styles.question}>{t`Tell me when`}</p>
        <Segments
          aria-label={t`Tell me when`}
          data={[
            { value: 'price', label: t`one GPU costs at most` },
            { value: 'stock', label: t`some are in stock` },
          ]}
          value={kind}
          onChange={setKind}
        />
        {kind === 'price' && (
          <NumberInput
            className={styles.amount ?? ''}
            label={t`US dollars per hour for one GPU`}
            description={price === null ? undefined : t`It costs ${formatMoney(price)} now`}
            prefix="$"
            hideControls
            min={0}
            decimalScale={4}
            value={below}
            onChange={setBelow}
          />
        )}
        <p className={styles.hint}>{t`Hangar checks this every 5 minutes while it is running.`}</p>
        {save.isError && (
          <Notice tone="bad" title={t`Not saved.`}>
            {errorText(save.error)}
          </Notice>
        )}
        <div className={dialog.answers}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton
            type="submit"
            whyNot={isReady ? null : t`Enter a price first.`}
            loading={save.isPending}
          >{t`Save the alert`}</ReasonButton>
        </div>
      </Stack>
    </form>
  );
}
