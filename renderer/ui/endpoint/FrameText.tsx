/** A text in which the frames of a traceback lead to their lines in the code of a handler. */
import { Fragment, type ReactNode } from 'react';
import { Anchor } from '@mantine/core';
import { openCode } from '../../state/overlays.ts';
import { formatRoute } from '../../state/routePath.ts';
import { parentOf } from '../files/paths.ts';
import { framesIn, type CodeFrame } from './codeFrames.ts';
import type { HandlerCode } from './handlerCode.ts';
import { t } from '../../language/text.ts';

interface FrameTextProps {
  text: string;
  /** The handler of the text; null where its code is not on this computer: all is text then. */
  code: HandlerCode | null;
  /** How a piece of the text is shown, such as with marks. */
  shown?: (piece: string) => ReactNode;
}

const asIs = (piece: string): ReactNode => piece;

export function FrameText({ text, code, shown = asIs }: FrameTextProps) {
  const frames = code === null ? [] : framesIn(text, code.folder);
  if (code === null || frames.length === 0) return shown(text);
  return (
    <>
      {frames.map((frame, index) => (
        <Fragment key={frame.start}>
          {shown(text.slice(frames[index - 1]?.end ?? 0, frame.start))}
          <FrameLink frame={frame} endpointId={code.endpointId}>
            {shown(text.slice(frame.start, frame.end))}
          </FrameLink>
        </Fragment>
      ))}
      {shown(text.slice(frames.at(-1)?.end))}
    </>
  );
}

interface FrameLinkProps {
  frame: CodeFrame;
  endpointId: string;
  children: ReactNode;
}

/** Opens the line above the page. As a link that opens elsewhere, it leads to the folder of the file. */
function FrameLink({ frame: { path, line }, endpointId, children }: FrameLinkProps) {
  const folder = { page: 'resources', tab: 'computer', volumeId: null, endpointId, path: parentOf(path) } as const;
  return (
    <Anchor
      inherit
      underline="always"
      href={formatRoute(folder)}
      title={t`Open line ${line} of ${path}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        openCode({ endpointId, path, line });
      }}
    >
      {children}
    </Anchor>
  );
}
