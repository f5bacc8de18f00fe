/** Why there is no picture of a camera, in words, and what to do. */
import type { CameraProblem } from './useCamera.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

interface CameraWords {
  title: string;
  text: string;
}

/** Who may allow the camera: in the desktop program no browser asks. */
const whoAllows = (): string =>
  window.hangarHost === undefined
    ? t`Allow the camera for this page in the browser, and for the browser in the privacy settings of the system.`
    : t`Allow the camera for Hangar in the privacy settings of the system.`;

export function cameraWords(problem: CameraProblem): CameraWords {
  const orPicture = t`Then try again, or use a picture of the code.`;
  switch (problem) {
    case 'insecure':
      return {
        title: t`Browsers give no camera to a page at this address.`,
        text: t`This page is open at ${location.origin}. A camera needs an https address or a page of this computer, such as one behind an SSH tunnel. Use a picture of the code, or paste the link.`,
      };
    case 'none':
      return { title: t`No camera was found.`, text: joinSentences(t`Connect a camera.`, orPicture) };
    case 'refused':
      return { title: t`The camera is not allowed.`, text: joinSentences(whoAllows(), orPicture) };
    case 'busy':
      return {
        title: t`The camera cannot be started.`,
        text: joinSentences(t`Close other programs that use the camera.`, orPicture),
      };
    case 'lost':
      return { title: t`The camera was disconnected.`, text: joinSentences(t`Connect it again.`, orPicture) };
    case 'failed':
      return {
        title: t`The camera cannot be started.`,
        text: joinSentences(t`Connect it again, or choose another one.`, orPicture),
      };
  }
}
