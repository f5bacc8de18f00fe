/** Starts the run that another part of the page asked for. */
import { useEffect, useEffectEvent } from 'react';
import { dropRequestedRun, useRequestedRun } from '../../client/jobs/requestedRun.ts';
import { useIsInputRead, type InputSource } from './form/inputSources.ts';

/** `run` is called once for each request, when it is known what the folder declares and nothing is being sent. */
export function useRequestedStart(draftKey: string, source: InputSource, sending: boolean, run: () => void): void {
  const isInputRead = useIsInputRead(source);
  const isDue = useRequestedRun(({ key }) => key === draftKey) && isInputRead && !sending;
  const start = useEffectEvent(() => {
    dropRequestedRun();
    run();
  });
  useEffect(() => {
    if (isDue) start();
  }, [isDue]);
}
