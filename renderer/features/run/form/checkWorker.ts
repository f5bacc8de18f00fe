/** Entry of the thread that checks inputs against their schema. It answers one message to each message. */
import { checkInput, type CheckRequest } from './inputFailures.ts';

addEventListener('message', ({ data }: MessageEvent<CheckRequest>) => postMessage(checkInput(data)));
// The thread is loaded.
postMessage('ready');
