/** Starts the run that another part of the page asked for. */
import { useEffect, useEffectEvent } from 'react';
import { forgetAskedRun, useAskedRun } from '../../state/askedRun.ts';
import { useIsInputRead, type InputSource } from './form/inputSources.ts';

/** `run` is called once for each request, when it is known what the folder declares and nothing is being sent. */
export function useRunAsked(draftKey: string, source: InputSource, sending: boolean, run: () => void): void {
  const isInputRead = useIsInputRead(source);
  const isDue = useAskedRun(({ key }) => key === draftKey) && isInputRead && !sending;
  const start = useEffectEvent(() => {
    forgetAskedRun();
    run();
  });
  useEffect(() => {
    if (isDue) start();
  }, [isDue]);
}
