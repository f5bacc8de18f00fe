/** Copies a text and says so, by its icon and to screen readers. */
import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { announce } from './announce.tsx';

interface CopyButtonProps {
  /** Made only when it is needed: some texts are large. */
  text: string | (() => string);
  /** What is copied, for the label: "address", "job id". */
  what: string;
  size?: number;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, what, size = 22 }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: SHOWN_MS });
  const copy = () => {
    clipboard.copy(typeof text === 'string' ? text : text());
    announce(`Copied ${what}`);
  };
  const label = clipboard.copied ? 'Copied' : `Copy ${what}`;
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={`Copy ${what}`} size={size} onClick={copy}>
        {clipboard.copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
