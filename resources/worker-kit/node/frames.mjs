/** Leaves the frames of this worker out of stacks, so that they show the handler and its libraries only. */

const kitUrl = new URL('.', import.meta.url).href;
const FRAME = /^\s+at /;
/** Frames of Node outside of those of the handler: how its code was loaded, or called by the event loop. */
const LOOP = / \(?node:/;

/**
 * A stack without the frames of this worker, and without those of Node through which it called the handler. Where no
 * others are left, those of Node stay: it prints an error without frames in brackets.
 */
export function withoutOwnFrames(stack) {
  const lines = stack.split('\n').filter((line) => !FRAME.test(line) || !line.includes(kitUrl));
  const last = lines.findLastIndex((line) => !FRAME.test(line) || !LOOP.test(line));
  return (FRAME.test(lines[last] ?? '') ? lines.slice(0, last + 1) : lines).join('\n');
}

/** Whether the innermost frame is one of this worker, and none is of others: the fault is its own. */
function isOwnFault(stack) {
  const frames = stack.split('\n').filter((line) => FRAME.test(line));
  return frames[0]?.includes(kitUrl) === true && frames.every((line) => line.includes(kitUrl) || LOOP.test(line));
}

/**
 * Changes the stack of an error and of those it came from; a fault of this worker keeps its stack. Returns what was given.
 */
export function leaveOutOwnFrames(thrown, seen = new Set()) {
  if (!(thrown instanceof Error) || seen.has(thrown)) return thrown;
  seen.add(thrown);
  const { stack } = thrown;
  // A frozen error keeps its stack: `Reflect.set` then returns false.
  if (typeof stack === 'string' && !isOwnFault(stack)) Reflect.set(thrown, 'stack', withoutOwnFrames(stack));
  leaveOutOwnFrames(thrown.cause, seen);
  if (Array.isArray(thrown.errors)) for (const one of thrown.errors) leaveOutOwnFrames(one, seen);
  return thrown;
}
