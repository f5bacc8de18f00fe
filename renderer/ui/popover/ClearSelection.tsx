/** Ends a selection of rows: the first control of the bar that says how many are selected. */
import { X } from 'lucide-react';
import { t } from '../../language/text.ts';
import { ReasonIcon } from './ReasonButton.tsx';

export function ClearSelection({ onClear }: { onClear: () => void }) {
  const label = t`Clear selection`;
  return (
    <ReasonIcon aria-label={label} hint={label} whyNot={null} onClick={onClear}>
      <X size={14} aria-hidden />
    </ReasonIcon>
  );
}
