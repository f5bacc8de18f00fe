/** All alerts about GPU prices and stock, with what holds now. */
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { BellRing, Bell, Pencil, X } from 'lucide-react';
import type { PriceAlert } from '#contract/app/price.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { targetAccount } from '../../../state/selection.ts';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { accountInSentence } from '../../../ui/text/accountName.ts';
import { formatWhen } from '../../../ui/text/format.ts';
import { formatMoney, formatPerHour } from '../../../ui/text/money.ts';
import pieces from '../../../ui/theme/pieces.module.css';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { deployOn } from '../DeployButton.tsx';
import styles from './alerts.module.css';
import { t } from '../../../language/text.ts';

interface AlertsCardProps {
  alerts: readonly PriceAlert[];
  onEdit: (alert: PriceAlert) => void;
}

const conditionOf = ({ below }: PriceAlert): string =>
  below === null ? t`in stock` : t`at most ${formatPerHour(below)}`;

function stateOf({ below, metAt, price, checkedAt }: PriceAlert): string {
  if (checkedAt === null) return t`Not checked yet`;
  if (metAt !== null) {
    const now = price === null ? t`In stock` : t`Costs ${formatMoney(price)}`;
    return t`${now}, met since ${formatWhen(metAt)}`;
  }
  if (price === null) return t`None was free at ${formatWhen(checkedAt)}`;
  return below === null ? t`Not in stock at ${formatWhen(checkedAt)}` : t`Costs ${formatMoney(price)} now`;
}

export function AlertsCard({ alerts, onEdit }: AlertsCardProps) {
  const accounts = useAccounts();
  const nameOf = (accountId: string): string =>
    accountInSentence(accountId, accounts?.find(({ id }) => id === accountId)?.name ?? '');
  return (
    <Card aria-label={t`Alerts`} role="region">
      <CardHead title={t`Alerts`} isPlain />
      <ul className={styles.list}>
        {alerts.map((alert) => (
          <Row key={alert.alertId} alert={alert} account={nameOf(alert.accountId)} onEdit={() => onEdit(alert)} />
        ))}
      </ul>
    </Card>
  );
}

function Row({ alert, account, onEdit }: { alert: PriceAlert; account: string; onEdit: () => void }) {
  const { alertId, accountId, gpuTypeId, gpuName, below, metAt } = alert;
  const name = t`${gpuName} on ${account}`;
  const isMet = metAt !== null;
  const Icon = isMet ? BellRing : Bell;
  const warn = (title: string) => (error: unknown) =>
    void notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });
  // It is checked again as a new one.
  const restore = () =>
    void api.prices.addAlert({ accountId, gpuTypeId, gpuName, below }).catch(warn(t`The alert was not restored`));
  const remove = () =>
    void api.prices
      .removeAlert({ alertId })
      .then(
        () => offerUndo(t`Removed the alert ${name}: ${conditionOf(alert)}`, restore),
        warn(t`The alert was not removed`),
      );
  const deploy = () => {
    targetAccount.set(accountId);
    deployOn(gpuTypeId);
  };
  return (
    <li>
      <span className={pieces.chip} data-tone={isMet ? 'ok' : 'off'}>
        <Icon size={12} strokeWidth={2.4} aria-hidden className={pieces.chipIcon} />
        {isMet ? t`met` : t`waiting`}
      </span>
      <div className={styles.about}>
        <b>{t`${name}: ${conditionOf(alert)}`}</b>
        <span>{stateOf(alert)}</span>
      </div>
      <span className={styles.actions}>
        {isMet && (
          <Button size="xs" variant="default" aria-label={t`Deploy: ${name}`} onClick={deploy}>{t`Deploy…`}</Button>
        )}
        <Tooltip label={t`Change this alert`}>
          <ActionIcon aria-label={t`Change the alert: ${name}`} onClick={onEdit}>
            <Pencil size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t`Remove this alert`}>
          <ActionIcon aria-label={t`Remove the alert: ${name}`} onClick={remove}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </span>
    </li>
  );
}
