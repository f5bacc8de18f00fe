/** `webUtils.getPathForFile`: Chromium tells the path of a File only by its protocol, to another process. */
import type { Session } from './cdp.ts';

interface Paused {
  callFrames: { callFrameId: string; functionName: string }[];
}

interface Evaluated {
  result: { objectId?: string };
}

/** `page` is paused at the statement in `getPathForFile`. */
async function answerPath(page: Session, callFrameId: string): Promise<void> {
  const evaluate = (expression: string): Promise<Evaluated> =>
    page.send<Evaluated>('Debugger.evaluateOnCallFrame', { callFrameId, expression });
  const { objectId } = (await evaluate('file')).result;
  // Empty for a File that a script made.
  const { path } = await page.send<{ path: string }>('DOM.getFileInfo', { objectId });
  await evaluate(`answer.path = ${JSON.stringify(path)}`);
}

/** Call it once for each page. No other statement pauses the page. */
export async function answerFilePaths(page: Session): Promise<void> {
  page.on('Debugger.paused', ({ callFrames: [frame] }: Paused) => {
    const isAsked = frame?.functionName === 'getPathForFile';
    // A failure is thrown in the page: it has no answer.
    const answered = isAsked ? answerPath(page, frame.callFrameId).catch(() => undefined) : Promise.resolve();
    // The page may be gone meanwhile.
    void answered.then(() => page.send('Debugger.resume')).catch(() => undefined);
  });
  await page.send('Debugger.enable');
}

/** Self-contained: its source is evaluated in the isolated world of every page. */
export function createWebUtils(): { getPathForFile: (file: unknown) => string } {
  return {
    getPathForFile(file) {
      if (!(file instanceof File)) {
        throw new TypeError('getPathForFile expected to receive a File object but one was not provided');
      }
      // This process reads the path of `file` in Chromium and writes it here while the page is paused.
      const answer: { path: string | null } = { path: null };
      // oxlint-disable-next-line no-debugger -- only a pause lets another process answer a synchronous call
      debugger;
      if (answer.path === null) throw new Error('the stand-in for Electron could not read the path of a file');
      return answer.path;
    },
  };
}
