/** The button beside an error that opens the code of the handler. */
import { Button } from '@mantine/core';
import { CodeXml } from 'lucide-react';
import { openCode } from '../../state/overlays.ts';
import { innermostFrame } from './codeFrames.ts';
import { showCode, type HandlerCode } from './handlerCode.ts';
import { t } from '../../language/text.ts';

interface OpenCodeButtonProps {
  code: HandlerCode;
  /** The traceback, or the last output: opens at its innermost frame in the folder, else at the file of the handler. */
  trace: string;
  className?: string | undefined;
}

export function OpenCodeButton({ code, trace, className = '' }: OpenCodeButtonProps) {
  const frame = innermostFrame(trace, code.folder);
  return (
    <Button
      size="xs"
      className={className}
      variant="default"
      leftSection={<CodeXml size={12} aria-hidden />}
      onClick={() => (frame === null ? showCode(code) : openCode({ endpointId: code.endpointId, ...frame }))}
    >{t`Open the code`}</Button>
  );
}
