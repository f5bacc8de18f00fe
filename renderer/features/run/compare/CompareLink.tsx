/** Opens the comparison with the input and the endpoint of Run. */
import { Tooltip, UnstyledButton } from '@mantine/core';
import { useCommands } from '../../../state/commands.ts';
import { navigate } from '../../../state/route.ts';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import inputStyles from '../inputs/inputs.module.css';
import { ensureColumn, COMPARE_DRAFT, type Column } from './comparison.ts';
import { t } from '../../../language/text.ts';

interface CompareLinkProps extends Pick<Column, 'accountId' | 'endpointId' | 'endpointName'> {
  /** The request body of Run. */
  text: string;
}

export function CompareLink({ text, ...column }: CompareLinkProps) {
  const open = () => {
    ensureColumn(column);
    replaceDraft(COMPARE_DRAFT, { text, replaced: t`Replaced the input of Compare` });
    navigate({ page: 'run', endpointId: null, view: 'compare' });
  };
  const description = t`The same input on several endpoints, side by side`;
  useCommands([{ label: t`Compare`, description, run: open }]);
  return (
    <Tooltip label={description}>
      <UnstyledButton className={inputStyles.opener} onClick={open}>{t`Compare`}</UnstyledButton>
    </Tooltip>
  );
}
