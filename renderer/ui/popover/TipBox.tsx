/** The tooltip of an element that is rendered elsewhere, by Tip. Escape closes it. */
import { Tooltip, type TooltipProps } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';

interface TipBoxProps extends Pick<TooltipProps, 'target' | 'label' | 'opened' | 'position'> {
  onClose: () => void;
}

export default function TipBox({ onClose, ...tooltip }: TipBoxProps) {
  useWindowEvent('keydown', ({ key }) => {
    if (key === 'Escape') onClose();
  });
  return <Tooltip {...tooltip} />;
}
