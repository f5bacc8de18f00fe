/** What a list of saved documents says beside its documents: that it loads, or what is still in the browser only. */
import { Box, Button, Group, Skeleton, Text } from '@mantine/core';
import { useAway } from '../../client/away.ts';
import type { SavedList } from '../../client/saved/savedStore.ts';
import { takeOver, useTakeOver } from '../../client/saved/takeOver.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { t } from '../../language/text.ts';

export function SavedState({ isRead, readProblem }: Pick<SavedList, 'isRead' | 'readProblem'>) {
  const away = useAway('app');
  const { problem, isRunning } = useTakeOver();
  return (
    <>
      {away !== null && !isRead && <Text c="dimmed" px={6} py={2}>{t`Available again when ${away} is back`}</Text>}
      {away === null && readProblem !== null && (
        <Text fz="xs" c="var(--wait)" px={6} pb={6} role="alert">
          {t`Saved data could not be read: ${readProblem} Hangar keeps trying.`}
        </Text>
      )}
      {away === null && readProblem === null && !isRead && <Skeleton h={28} radius={6} />}
      {/* The banner says why while the app is away. */}
      {problem !== null && away === null && (
        <Box px={6}>
          <Row action={t`Try again`} busy={isRunning} onAction={() => void takeOver()}>
            {t`What was saved earlier is still in this browser only: ${problem}`}
          </Row>
        </Box>
      )}
    </>
  );
}

/** Why a document of the page is not saved; nothing if it is. */
export function Unsaved({ problem, onRetry }: { problem: string | null; onRetry: () => void }) {
  const away = useAway('app');
  if (problem === null) return null;
  if (away !== null) return <Row>{t`Not saved yet. It is saved when ${away} is back.`}</Row>;
  return <Row action={t`Save again`} onAction={onRetry}>{t`Not saved: ${problem}`}</Row>;
}

interface RowProps {
  children: string;
  action?: string;
  busy?: boolean;
  onAction?: () => void;
}

/** A sentence with what can be done about it. */
function Row({ children, action, busy = false, onAction }: RowProps) {
  return (
    <Group gap="4px 10px" py={2} role="alert">
      <Text fz="xs" c="var(--wait)" flex="1 1 160px">
        {children}
      </Text>
      {action !== undefined && (
        <Button size="xs" variant="default" loading={busy} onClick={onAction}>
          {action}
        </Button>
      )}
    </Group>
  );
}

/** Why an action on a saved document failed; nothing if it did not. `action`: such as "Not saved:". */
export function NotDone({ action, error }: { action: string; error: Error | null }) {
  if (error === null) return null;
  return (
    <Text fz="xs" c="var(--bad)" px={6} pt={4} role="alert">
      {action} {errorText(error)}
    </Text>
  );
}
