/** One medium of an output. If it is on another host, the person is asked before that host is. */
import { useState, type ReactNode } from 'react';
import type { Media } from '../media.ts';
import { useMediaBytes, type MediaState } from '../useMediaBytes.ts';
import { AskHost } from './AskHost.tsx';

interface MediaWithConsentProps {
  media: Media;
  /** Shows the medium; remote media have their bytes. */
  children: (state: MediaState) => ReactNode;
}

export function MediaWithConsent({ media, children }: MediaWithConsentProps) {
  const [allowed, setAllowed] = useState(false);
  const state = useMediaBytes(media, allowed);
  const { source } = media;
  if (source.kind !== 'remote' || state.loaded !== null) return children(state);
  return (
    <AskHost
      media={[media]}
      host={source.host}
      loading={allowed && state.problem === null}
      problem={state.problem}
      onAgree={() => setAllowed(true)}
    />
  );
}
