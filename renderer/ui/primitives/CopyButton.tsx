/** Copies a text and confirms it by its icon and to screen readers. */
import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import { Tip } from '../popover/Tip.tsx';
import { announce } from './announce.tsx';
import { t } from '../../language/text.ts';

interface CopyButtonProps {
  /** A function is called only on demand, because some texts are large. */
  text: string | (() => string);
  /** Names the copied text in the label: "address", "job id". */
  what: string;
  size?: number;
  /** Whether the palette has it as well. Its label is unique on the page then. */
  inPalette?: boolean;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, what, size = 22, inPalette = false }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: SHOWN_MS });
  const copy = () => {
    clipboard.copy(typeof text === 'string' ? text : text());
    announce(t`Copied ${what}`);
  };
  const label = clipboard.copied ? t`Copied` : t`Copy ${what}`;
  return (
    <Tip label={label}>
      <ActionIcon aria-label={t`Copy ${what}`} size={size} onClick={copy}>
        {clipboard.copied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
        {inPalette && <CopyCommand label={t`Copy ${what}`} copy={copy} />}
      </ActionIcon>
    </Tip>
  );
}

/** Apart, because few of very many such buttons need a command. */
function CopyCommand({ label, copy }: { label: string; copy: () => void }) {
  useCommands([{ label, run: copy }]);
  return null;
}
