/** Copies a text and confirms it by its icon and to screen readers. */
import { useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useCommands } from '../../state/commands.ts';
import { Tip } from '../popover/Tip.tsx';
import { copyText } from '../clipboard/copyText.ts';
import { t } from '../../language/text.ts';

interface CopyButtonProps {
  /** A function is called only on demand, because some texts are large. */
  text: string | (() => string);
  /** "Copy address", "Copy job id". */
  label: string;
  size?: number;
  /** Whether the palette has it as well. Its label is unique on the page then. */
  inPalette?: boolean;
}

const SHOWN_MS = 1500;

export function CopyButton({ text, label, size = 22, inPalette = false }: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  const { start } = useTimeout(() => setIsCopied(false), SHOWN_MS);
  const copy = async () => {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return;
    setIsCopied(true);
    start();
  };
  return (
    <Tip label={isCopied ? t`Copied` : label}>
      <ActionIcon aria-label={label} size={size} onClick={() => void copy()}>
        {isCopied ? <Check size={13} aria-hidden /> : <Copy size={13} aria-hidden />}
        {inPalette && <CopyCommand label={label} copy={copy} />}
      </ActionIcon>
    </Tip>
  );
}

/** Apart, because few of very many such buttons need a command. */
function CopyCommand({ label, copy }: { label: string; copy: () => Promise<void> }) {
  useCommands([{ label, run: () => void copy() }]);
  return null;
}
